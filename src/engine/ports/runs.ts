import type { RunRecord } from "../../spark/history/runRecord.ts";
import type { Timeline } from "../../spark/timeline/timeline.ts";

/** The kept runs of a workspace. Limited by number, size and age; the oldest runs are removed first. */
export interface RunStore {
  /** Returns the records, newest first. */
  list(): Promise<readonly RunRecord[]>;
  /** Returns the timeline of a run; undefined if none is stored, or if the file is damaged. */
  timeline(id: string): Promise<Timeline | undefined>;
  /**
   * Creates or replaces a record. `change` receives the stored record, and returns the new one, or undefined to store
   * nothing. Updates of one store run one after another.
   */
  update(
    id: string,
    change: (before: RunRecord | undefined) => RunRecord | undefined,
    timeline?: Timeline,
  ): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
}
