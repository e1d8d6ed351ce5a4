import { hasEndedPod, type Application } from "../../spark/pods/application.ts";
import { timesOf } from "../../spark/pods/podTimes.ts";

const minDurationMs = 60_000;

/** Finds runs that ended while they were watched and took at least a minute. Skips runs that a user ended. */
export class EndedRuns {
  readonly #running = new Set<string>();

  /** Returns the runs that have ended since the last call. `applications`: the applications that may have changed. */
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

  /** Removes runs that no longer exist. */
  keep(isThere: (key: string) => boolean): void {
    for (const key of this.#running) if (!isThere(key)) this.#running.delete(key);
  }
}
