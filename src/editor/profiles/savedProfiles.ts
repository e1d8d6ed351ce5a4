import { isAbort } from "../../base/isAbort.ts";
import type { Clock } from "../../engine/ports/clock.ts";

// The maximum wait: VS Code reports nothing if a save changed no task.
const maxReadMs = 5_000;

/**
 * Tracks whether VS Code has read the saved files with run profiles. VS Code reads a file some time after its save, on
 * a busy machine more than a second. Until then it returns the old profiles. After reading it rejects these old tasks.
 */
export class SavedProfiles {
  readonly #clock: Pick<Clock, "sleep">;
  readonly #save: () => Promise<unknown>;
  #waiting = new AbortController();
  #reading: Promise<void> = Promise.resolve();

  /** `save`: saves the files that have unsaved changes. */
  constructor(clock: Pick<Clock, "sleep">, save: () => Promise<unknown>) {
    this.#clock = clock;
    this.#save = save;
  }

  /** Call before a file is saved. */
  saving(): void {
    this.#waiting.abort();
    this.#waiting = new AbortController();
    this.#reading = this.#clock.sleep(maxReadMs, this.#waiting.signal).catch((error: unknown) => {
      if (!isAbort(error)) throw error;
    });
  }

  /** Call when VS Code has read the files. */
  read(): void {
    this.#waiting.abort();
  }

  /** Saves the files, and waits until VS Code has read them. */
  async upToDate(): Promise<void> {
    await this.#save();
    await this.#reading;
  }
}
