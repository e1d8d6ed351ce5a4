import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";

const waitMs = 120_000;

/** The JDK's debugger, attached to a forwarded port. */
export class Jdb {
  readonly #process: ChildProcessWithoutNullStreams;
  #output = "";
  #waiting: (() => void)[] = [];

  constructor(port: number) {
    this.#process = spawn("jdb", ["-attach", `127.0.0.1:${port}`], { timeout: 600_000 });
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      stream.on("data", (bytes: Buffer) => {
        this.#output += bytes.toString();
        this.#wake();
      });
    }
    this.#process.once("exit", () => {
      this.#output += "\njdb exited";
      this.#wake();
    });
  }

  /** Sends a command, and returns the output from it to the end of the match. */
  async command(line: string, expected: RegExp): Promise<string> {
    this.#output = "";
    this.#process.stdin.write(`${line}\n`);
    return this.until(expected);
  }

  /** Resolves with all output since the last command once it matches. Rejects after two minutes. */
  async until(expected: RegExp): Promise<string> {
    const end = AbortSignal.timeout(waitMs);
    end.addEventListener("abort", () => {
      this.#wake();
    });
    while (!expected.test(this.#output)) {
      if (end.aborted) throw new Error(`no ${String(expected)} in:\n${this.#output}`);
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
    return this.#output;
  }

  close(): void {
    this.#process.kill();
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
