// A simulated container process: prints lines in Spark's layout and ends when terminated.
import { constants } from "node:os";
import type { SandboxClock } from "../../clock.ts";
import { isAbort } from "../../../base/isAbort.ts";
import type { LogWriter } from "../logs/logFiles.ts";
import type { ContainerEnd, ContainerRun } from "../run/containerRun.ts";
import { simulationMark } from "./labels.ts";

type Level = "INFO" | "WARN" | "ERROR";

export interface SimulatedProgram {
  /** Prints in Spark's default layout: time, level, last part of the logger's name, message. */
  log(level: Level, logger: string, message: string): void;
  /** Prints a line of the program's own output. */
  print(text: string): void;
  sleep(ms: number): Promise<void>;
  readonly signal: AbortSignal;
}

/** The code of a simulated container. Resolves with the exit code. */
export type Script = (program: SimulatedProgram) => Promise<number>;

export class SimulatedRun implements ContainerRun {
  readonly done: Promise<ContainerEnd>;
  readonly first = undefined;
  readonly #stop = new AbortController();
  #end: ContainerEnd | undefined;

  constructor(script: Script, clock: SandboxClock, log: LogWriter) {
    this.done = this.#run(script, clock, log);
  }

  terminate(): void {
    this.exit(signalBase + constants.signals.SIGTERM);
  }

  kill(reason?: "OOMKilled"): void {
    this.#end ??= { exitCode: signalBase + constants.signals.SIGKILL, reason };
    this.#stop.abort();
  }

  /** Ends the container with this exit code. */
  exit(exitCode: number): void {
    this.#end ??= { exitCode, reason: undefined };
    this.#stop.abort();
  }

  async #run(script: Script, clock: SandboxClock, log: LogWriter): Promise<ContainerEnd> {
    const program = new LoggedProgram(clock, log, this.#stop.signal);
    try {
      const exitCode = await script(program);
      this.#end ??= { exitCode, reason: undefined };
    } catch (error) {
      if (!isAbort(error)) {
        program.log("ERROR", "Simulation", `the script failed: ${String(error)}`);
        this.#end ??= { exitCode: 1, reason: undefined };
      }
    }
    log.dispose();
    return this.#end ?? { exitCode: 0, reason: undefined };
  }
}

class LoggedProgram implements SimulatedProgram {
  readonly signal: AbortSignal;
  readonly #clock: SandboxClock;
  readonly #log: LogWriter;

  constructor(clock: SandboxClock, log: LogWriter, signal: AbortSignal) {
    this.signal = signal;
    this.#clock = clock;
    this.#log = log;
  }

  log(level: Level, logger: string, message: string): void {
    this.#write(`${time(this.#clock.now())} ${level} ${logger}: ${simulationMark} ${message}`);
  }

  print(text: string): void {
    this.#write(`${simulationMark} ${text}`);
  }

  sleep(ms: number): Promise<void> {
    return this.#clock.sleep(ms, this.signal);
  }

  #write(line: string): void {
    this.#log.write("stdout", Buffer.from(`${line}\n`));
  }
}

const signalBase = 128;

// Formats a time like `26/11/21 20:49:45`, as in Spark's default layout.
const time = (ms: number): string =>
  new Date(ms).toISOString().slice(2, 19).replaceAll("-", "/").replace("T", " ");
