// Somebody on the stage: prints lines as Spark prints them, and ends when told to.
import { constants } from "node:os";
import type { Clock } from "../../clock.ts";
import { isAbort } from "../abort.ts";
import type { LogWriter } from "../logs/logFiles.ts";
import type { ContainerEnd, ContainerRun } from "../run/containerRun.ts";
import { rehearsalMark } from "./labels.ts";

export type Level = "INFO" | "WARN" | "ERROR";

export interface Actor {
  /** As Spark's usual layout has it: time, level, the last part of the logger's name, message. */
  say(level: Level, logger: string, message: string): void;
  /** What the program itself prints. */
  print(text: string): void;
  sleep(ms: number): Promise<void>;
  readonly signal: AbortSignal;
}

/** Returns the exit code. */
export type Script = (actor: Actor) => Promise<number>;

export class ActedRun implements ContainerRun {
  readonly done: Promise<ContainerEnd>;
  readonly pid = undefined;
  readonly #stop = new AbortController();
  #end: ContainerEnd | undefined;

  constructor(script: Script, clock: Clock, log: LogWriter) {
    this.done = this.#play(script, clock, log);
  }

  terminate(): void {
    this.leave(signalBase + constants.signals.SIGTERM);
  }

  kill(reason?: "OOMKilled"): void {
    this.#end ??= { exitCode: signalBase + constants.signals.SIGKILL, reason };
    this.#stop.abort();
  }

  /** Ends with an exit code of its own. */
  leave(exitCode: number): void {
    this.#end ??= { exitCode, reason: undefined };
    this.#stop.abort();
  }

  async #play(script: Script, clock: Clock, log: LogWriter): Promise<ContainerEnd> {
    const actor = new LoggedActor(clock, log, this.#stop.signal);
    try {
      const exitCode = await script(actor);
      this.#end ??= { exitCode, reason: undefined };
    } catch (error) {
      if (!isAbort(error)) {
        actor.say("ERROR", "Rehearsal", `the script itself failed: ${String(error)}`);
        this.#end ??= { exitCode: 1, reason: undefined };
      }
    }
    log.dispose();
    return this.#end ?? { exitCode: 0, reason: undefined };
  }
}

class LoggedActor implements Actor {
  readonly signal: AbortSignal;
  readonly #clock: Clock;
  readonly #log: LogWriter;

  constructor(clock: Clock, log: LogWriter, signal: AbortSignal) {
    this.signal = signal;
    this.#clock = clock;
    this.#log = log;
  }

  say(level: Level, logger: string, message: string): void {
    this.#write(`${time(this.#clock.now())} ${level} ${logger}: ${rehearsalMark} ${message}`);
  }

  print(text: string): void {
    this.#write(`${rehearsalMark} ${text}`);
  }

  sleep(ms: number): Promise<void> {
    return this.#clock.sleep(ms, this.signal);
  }

  #write(line: string): void {
    this.#log.write("stdout", Buffer.from(`${line}\n`));
  }
}

const signalBase = 128;

// `26/11/21 20:49:45`, as Spark's own layout prints it.
const time = (ms: number): string =>
  new Date(ms).toISOString().slice(2, 19).replaceAll("-", "/").replace("T", " ");
