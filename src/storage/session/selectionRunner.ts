import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { parseJson } from "../../base/json.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type {
  RunnerPlace,
  SelectionRequest,
  SelectionRunner,
} from "../../engine/ports/selections.ts";
import { decodeAnswer, type SelectionAnswer } from "../../spark/submit/session/selectionAnswer.ts";

export interface RunnerOptions extends RunnerPlace {
  /** Path of `run_selection.py`. */
  readonly program: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

// Maximum length of a result in characters. The Python program limits tables and text, and JSON escapes lengthen them
// up to 6 times.
const maxLine = 64 << 20;
const maxErrors = 4_096;
/** Wait in ms between SIGINT and SIGKILL. Python reacts to SIGINT at once, unless it runs native code. */
const interruptMs = 3_000;

/** Starts a Python process that runs one selection at a time, until the runner is disposed. */
export function startRunner(options: RunnerOptions): SelectionRunner {
  return new PythonRunner(options);
}

type Answer = Result<SelectionAnswer, string>;

class PythonRunner implements SelectionRunner {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #python: string;
  #next = 0;
  #waiting: { readonly id: number; readonly answer: (answer: Answer) => void } | undefined;
  #parts: string[] = [];
  #length = 0;
  #errors = "";
  #isAlive = true;

  constructor({ python, remote, folder, program, environment }: RunnerOptions) {
    this.#python = python;
    this.#child = spawn(python, ["-u", program], {
      cwd: folder,
      env: { ...environment, SPARK_REMOTE: remote, PYTHONIOENCODING: "utf-8" },
      stdio: "pipe",
      windowsHide: true,
    });
    const { stdout, stderr, stdin } = this.#child;
    stdout.setEncoding("utf8");
    stdout.on("data", (chunk: string) => {
      this.#read(chunk);
    });
    stderr.setEncoding("utf8");
    stderr.on("data", (chunk: string) => {
      this.#errors = (this.#errors + chunk).slice(-maxErrors);
    });
    // Ignore write errors: the close event reports the reason.
    stdin.on("error", () => undefined);
    this.#child.once("error", ({ message }) => {
      this.#end(`"${python}" cannot be started: ${message}`);
    });
    this.#child.once("close", (code, signal) => {
      const last = this.#errors.trim().split("\n").at(-1) ?? "";
      this.#end(`Python exited (${signal ?? code ?? "unknown"})${last === "" ? "" : `: ${last}`}`);
    });
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  async run(request: SelectionRequest, signal: AbortSignal): Promise<Answer> {
    if (!this.#isAlive) return err(`"${this.#python}" has exited`);
    if (this.#waiting !== undefined) return err("another selection is running");
    this.#next += 1;
    const id = this.#next;
    const answered = new Promise<Answer>((resolve) => {
      this.#waiting = { id, answer: resolve };
    });
    this.#child.stdin.write(`${JSON.stringify({ ...request, id })}\n`);
    let alarm: NodeJS.Timeout | undefined;
    const interrupt = (): void => {
      this.#child.kill("SIGINT");
      alarm = setTimeout(() => this.#child.kill("SIGKILL"), interruptMs);
    };
    signal.addEventListener("abort", interrupt, { once: true });
    if (signal.aborted) interrupt();
    try {
      return await answered;
    } finally {
      clearTimeout(alarm);
      signal.removeEventListener("abort", interrupt);
    }
  }

  dispose(): void {
    this.#child.stdin.end();
    this.#child.kill();
    this.#end("the session was disconnected");
  }

  #read(chunk: string): void {
    const end = chunk.indexOf("\n");
    const part = end < 0 ? chunk : chunk.slice(0, end);
    this.#parts.push(part);
    this.#length += part.length;
    if (this.#length > maxLine) {
      this.#child.kill("SIGKILL");
      this.#end("the result is too large");
      return;
    }
    if (end < 0) return;
    const line = this.#parts.splice(0).join("");
    this.#length = 0;
    const json = parseJson(line);
    const waiting = this.#waiting;
    const answer =
      json.ok && waiting !== undefined ? decodeAnswer(json.value, waiting.id) : undefined;
    if (waiting !== undefined && answer !== undefined) {
      this.#waiting = undefined;
      waiting.answer(ok(answer));
    }
    if (end + 1 < chunk.length) this.#read(chunk.slice(end + 1));
  }

  #end(reason: string): void {
    this.#isAlive = false;
    this.#waiting?.answer(err(reason));
    this.#waiting = undefined;
  }
}
