import type { Disposable } from "../../../base/disposable.ts";
import type { SandboxClock } from "../../clock.ts";
import type { ContainerRun } from "./containerRun.ts";
import type { StartedPid } from "./startedPid.ts";
import { listProcesses, processesOf, proportionalBytes } from "./pidTable.ts";

const intervalMs = 500;

interface Watched {
  readonly run: ContainerRun;
  readonly first: StartedPid;
  readonly limit: number;
}

/** Kills containers that exceed their memory limit, like the kernel does for a cgroup. Polls twice a second. */
export class MemoryWatch implements Disposable {
  readonly #clock: SandboxClock;
  readonly #platform: NodeJS.Platform;
  readonly #watched = new Set<Watched>();
  readonly #stop = new AbortController();
  readonly #log: (line: string) => void;
  #isChecking = false;

  constructor(clock: SandboxClock, platform: NodeJS.Platform, log: (line: string) => void) {
    this.#clock = clock;
    this.#platform = platform;
    this.#log = log;
  }

  watch(run: ContainerRun, first: StartedPid, limit: number): Disposable {
    const watched = { run, first, limit };
    this.#watched.add(watched);
    if (!this.#isChecking) void this.#look();
    return { dispose: () => this.#watched.delete(watched) };
  }

  dispose(): void {
    this.#stop.abort();
    this.#watched.clear();
  }

  async #look(): Promise<void> {
    this.#isChecking = true;
    try {
      while (this.#watched.size > 0) {
        const rows = await listProcesses(this.#platform);
        for (const { run, first, limit } of [...this.#watched]) {
          const own = processesOf(first, rows);
          const resident = own.reduce((sum, row) => sum + row.resident, 0);
          if (resident <= limit) continue;
          // Resident memory counts shared pages once per process, and forked Python workers share most pages. So
          // compare the proportional set size with the limit.
          const pids = own.map((row) => row.pid);
          const held = (await proportionalBytes(pids, this.#platform)) ?? resident;
          if (held > limit) run.kill("OOMKilled");
        }
        await this.#clock.sleep(intervalMs, this.#stop.signal);
      }
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#log(`memory could not be read: ${String(error)}`);
    } finally {
      this.#isChecking = false;
    }
  }
}
