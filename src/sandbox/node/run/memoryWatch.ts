import type { Disposable } from "../../../base/disposable.ts";
import type { Clock } from "../../clock.ts";
import type { ContainerRun } from "./containerRun.ts";
import { listProcesses, processesOf, proportionalBytes } from "./pidTable.ts";

/** How often memory is looked at: seldom enough to cost nothing, often enough to stop what grows. */
const everyMs = 500;

interface Watched {
  readonly run: ContainerRun;
  readonly pid: number;
  readonly limit: number;
}

/** Ends containers that hold more memory than they may, as the kernel does for a control group. */
export class MemoryWatch implements Disposable {
  readonly #clock: Clock;
  readonly #platform: NodeJS.Platform;
  readonly #watched = new Set<Watched>();
  readonly #stop = new AbortController();
  readonly #log: (line: string) => void;
  #isLooking = false;

  constructor(clock: Clock, platform: NodeJS.Platform, log: (line: string) => void) {
    this.#clock = clock;
    this.#platform = platform;
    this.#log = log;
  }

  watch(run: ContainerRun, pid: number, limit: number): Disposable {
    const watched = { run, pid, limit };
    this.#watched.add(watched);
    if (!this.#isLooking) void this.#look();
    return { dispose: () => this.#watched.delete(watched) };
  }

  dispose(): void {
    this.#stop.abort();
    this.#watched.clear();
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    try {
      while (this.#watched.size > 0) {
        const rows = await listProcesses(this.#platform);
        for (const { run, pid, limit } of [...this.#watched]) {
          const own = processesOf(pid, rows);
          const resident = own.reduce((sum, row) => sum + row.resident, 0);
          if (resident <= limit) continue;
          // Python's workers share most of their pages with the one that they were forked from.
          const pids = own.map((row) => row.pid);
          const held = (await proportionalBytes(pids, this.#platform)) ?? resident;
          if (held > limit) run.kill("OOMKilled");
        }
        await this.#clock.sleep(everyMs, this.#stop.signal);
      }
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#log(`memory could not be read: ${String(error)}`);
    } finally {
      this.#isLooking = false;
    }
  }
}
