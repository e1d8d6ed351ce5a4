import { isAbort } from "../../base/isAbort.ts";
import type { Clock } from "../../engine/ports/clock.ts";

// VS Code reports nothing if a save changed no task.
const maxReadMs = 5_000;

/**
 * The state of the files that hold run profiles. VS Code reads a file some time after its save, on a busy machine more
 * than a second. Until then it returns the profiles as they were, and rejects those that it returned when it has read
 * the file.
 */
export class SavedProfiles {
  readonly #clock: Pick<Clock, "sleep">;
  readonly #save: () => Promise<unknown>;
  #waiting = new AbortController();
  #reading: Promise<void> = Promise.resolve();

  /** `save`: saves the files that have changes. */
  constructor(clock: Pick<Clock, "sleep">, save: () => Promise<unknown>) {
    this.#clock = clock;
    this.#save = save;
  }

  /** A file is about to be saved. */
  saving(): void {
    this.#waiting.abort();
    this.#waiting = new AbortController();
    this.#reading = this.#clock.sleep(maxReadMs, this.#waiting.signal).catch((error: unknown) => {
      if (!isAbort(error)) throw error;
    });
  }

  /** VS Code has read the files. */
  read(): void {
    this.#waiting.abort();
  }

  /** Saves the files, and waits until VS Code has read them. */
  async upToDate(): Promise<void> {
    await this.#save();
    await this.#reading;
  }
}
