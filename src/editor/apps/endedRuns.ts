import { hasEndedPod, type Application } from "../../spark/pods/application.ts";
import { timesOf } from "../../spark/pods/podTimes.ts";

const minDurationMs = 60_000;

/**
 * Finds runs that succeeded or failed while the window watched them, and took at least a minute. Skips stopped runs.
 */
export class EndedRuns {
  readonly #running = new Set<string>();

  /** Returns those of `applications` that have ended since the last call. `applications`: all that may have changed. */
  take(applications: readonly Application[]): readonly Application[] {
    return applications.filter((application) => {
      const { key, driver } = application;
      if (driver?.state.kind === "running") {
        this.#running.add(key);
        return false;
      }
      if (driver === undefined || !hasEndedPod(driver)) {
        // Without a driver pod the end of the run is unknown, so remove the run.
        if (driver === undefined) this.#running.delete(key);
        return false;
      }
      if (!this.#running.delete(key)) return false;
      const { kind } = driver.state;
      if (kind !== "succeeded" && kind !== "failed") return false;
      const { startedAt = "", endedAt = "" } = timesOf(driver);
      return Date.parse(endedAt) - Date.parse(startedAt) >= minDurationMs;
    });
  }

  /** Removes the runs for which `isThere` returns false. */
  keep(isThere: (key: string) => boolean): void {
    for (const key of this.#running) if (!isThere(key)) this.#running.delete(key);
  }
}
