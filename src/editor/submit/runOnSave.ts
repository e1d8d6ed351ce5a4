import { msg } from "../../base/message.ts";
import type { Disposable } from "../../base/disposable.ts";
import { removeDriver } from "../../engine/lifecycle/removeDriver.ts";
import type { Clock } from "../../engine/ports/clock.ts";
import { LatestRun, type StartedOnce } from "../../engine/submit/latestRun.ts";
import { sentPaths } from "../../spark/submit/code/sentPaths.ts";
import type { questionIn, refusalIn } from "../guard.ts";
import type { Screen } from "../screen.ts";
import type { Log } from "../log.ts";
import { outcomeWords } from "../profiles/outcomeWords.ts";
import type { ControlledRun, ControlledRunEnd, StartedRun } from "./controlledRun.ts";

/** The parts of the window that Run on Save uses. */
export interface SaveRunScreen extends Pick<Screen, "explainClusterError" | "translated"> {
  readonly refusalIn: typeof refusalIn;
  readonly questionIn: typeof questionIn;
}

export interface RunOnSaveOptions {
  /** Starts a run with the files on disk. `notStarted`: a task that the profile depends on failed. */
  readonly run: (controlled: ControlledRun) => Promise<"started" | "notStarted" | "unknownProfile">;
  readonly clock: Clock;
  readonly log: Log;
  /** Called when the state changes. */
  readonly changed: (state: SaveRunState) => void;
  /** Called once, when no further run can start. */
  readonly ended: (reason: string) => void;
}

export interface SaveRunState {
  readonly isBusy: boolean;
  readonly words: string;
}

export interface RunOnSave extends Disposable {
  /** Starts another run if the last run sent this file, if the sent files are not known yet, or if the file is new. */
  saved(path: string, isNew: boolean): void;
  again(): void;
}

/** Debounce in ms, because several files are often saved together. */
const quietMs = 500;
/** The maximum wait in ms for the removal of a driver. Spark's default grace period is 30 s. */
const removeMs = 40_000;
/** The maximum wait in ms from the end of the pod to the end of its log. */
const endMs = 15_000;

/**
 * Starts a program now and after each save of a file that it sends or may import. Removes the driver of each run before
 * the next run.
 */
export function saveRuns(options: RunOnSaveOptions, screen: SaveRunScreen): RunOnSave {
  const { translated } = screen;
  const { clock, log, changed } = options;
  let sent: ReadonlySet<string> | undefined;
  let isOver = false;
  let last: SavedRun | undefined;
  const over = (reason: string): void => {
    if (isOver) return;
    dispose();
    options.ended(reason);
  };
  const dispose = (): void => {
    isOver = true;
    latest.dispose();
    last?.release();
  };
  const latest = new LatestRun(
    {
      clock,
      quietMs,
      start: async () => {
        const run = new SavedRun(clock, screen, last !== undefined, {
          started: ({ plan }) => {
            const paths = [...plan.uploads.map(({ path }) => path)];
            sent = new Set([...sentPaths(plan.code?.files ?? []), ...paths]);
            changed({ isBusy: true, words: translated(msg("running")) });
            if (sent.size === 0) {
              over(translated(msg("It sends no local files, so saving would change nothing.")));
            }
          },
          refused: over,
          stopping: () => {
            changed({ isBusy: true, words: translated(msg("stopping the last run")) });
          },
          notRemoved: (words) => {
            changed({ isBusy: false, words });
          },
          ended: ({ outcome, exitCode }) => {
            changed({ isBusy: false, words: translated(outcomeWords(outcome, exitCode)) });
          },
        });
        changed({ isBusy: true, words: translated(msg("submitting")) });
        const result = await options.run(run.controlled);
        if (result === "started") {
          last = run;
          if (isOver) run.release();
          return run;
        }
        changed({ isBusy: false, words: translated(msg("not submitted")) });
        if (result === "unknownProfile") over(translated(msg("Its run profile no longer exists.")));
        return undefined;
      },
    },
    log.error,
  );
  latest.begin();
  return {
    saved: (path, isNew) => {
      if (sent === undefined || sent.has(path) || isNew) latest.ask();
    },
    again: () => {
      latest.ask();
    },
    dispose,
  };
}

interface SavedRunReports {
  readonly started: (run: StartedRun) => void;
  readonly refused: (reason: string) => void;
  readonly stopping: () => void;
  readonly notRemoved: (words: string) => void;
  readonly ended: (end: ControlledRunEnd) => void;
}

/** One run. Keeps its connection after its end, to delete its driver. */
class SavedRun implements StartedOnce {
  readonly #clock: Clock;
  readonly #reports: SavedRunReports;
  readonly #screen: SaveRunScreen;
  readonly #cancelling = new AbortController();
  readonly #ended: Promise<void>;
  #started: StartedRun | undefined;
  #isStopping = false;
  readonly controlled: ControlledRun;

  constructor(clock: Clock, screen: SaveRunScreen, isRepeated: boolean, reports: SavedRunReports) {
    this.#screen = screen;
    this.#clock = clock;
    this.#reports = reports;
    let resolveEnded: () => void = () => undefined;
    this.#ended = new Promise((resolve) => {
      resolveEnded = resolve;
    });
    this.controlled = {
      signal: this.#cancelling.signal,
      refused: reports.refused,
      isRepeated,
      takesConnection: true,
      started: (run) => {
        this.#started = run;
        reports.started(run);
        return Promise.resolve();
      },
      isStopped: () => this.#isStopping,
      ended: (end) => {
        reports.ended(end);
        resolveEnded();
      },
    };
  }

  async remove(signal: AbortSignal): Promise<boolean> {
    this.#isStopping = true;
    this.#reports.stopping();
    // Before the driver pod exists, the submission undoes itself.
    if (this.#started === undefined) {
      this.#cancelling.abort();
      await this.#ended;
    }
    const started = this.#startedNow();
    if (started === undefined) return true;
    const isRemoved = await this.#removeDriver(started, signal);
    if (!isRemoved) return false;
    const waiting = new AbortController();
    await Promise.race([this.#ended, this.#clock.sleep(endMs, waiting.signal)]);
    waiting.abort();
    started.connection.dispose();
    return true;
  }

  /** Stops controlling the run, which continues. Disposes the connection at the end of the run. */
  release(): void {
    void this.#ended.then(() => {
      this.#startedNow()?.connection.dispose();
    });
  }

  /** Reads `#started` again, because the driver may have started before the abort took effect. */
  readonly #startedNow = (): StartedRun | undefined => this.#started;

  async #removeDriver({ connection, driver }: StartedRun, signal: AbortSignal): Promise<boolean> {
    const { objects } = connection;
    const reason = this.#screen.refusalIn(connection) ?? this.#screen.questionIn(connection);
    if (reason !== undefined) {
      this.#reports.refused(reason);
      return false;
    }
    const removal = await removeDriver(driver, { objects, clock: this.#clock }, removeMs, signal);
    if (removal.kind === "removed") return true;
    this.#reports.notRemoved(
      removal.kind === "failed"
        ? this.#screen.explainClusterError(removal.error)
        : this.#screen.translated(
            msg("The last run is still ending. Save again to start another one."),
          ),
    );
    return false;
  }
}
