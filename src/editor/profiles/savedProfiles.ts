import type { Disposable } from "../../base/disposable.ts";
import type { Clock } from "../../engine/ports/clock.ts";
import { start, type Running } from "../../engine/running.ts";

// The maximum wait in ms. VS Code reports nothing if a save changed no task.
const maxReadMs = 5_000;

/**
 * Tracks whether VS Code has read the saved files with run profiles. VS Code reads a file some time after its save; on
 * a busy machine, this takes more than a second. Until then, VS Code returns the old tasks. Once it has read the file,
 * it refuses to run them.
 */
export class SavedProfiles implements Disposable {
  readonly #clock: Pick<Clock, "sleep">;
  readonly #save: () => Promise<unknown>;
  #reading: Running | undefined;

  /** `save`: saves the files that have unsaved changes. */
  constructor(clock: Pick<Clock, "sleep">, save: () => Promise<unknown>) {
    this.#clock = clock;
    this.#save = save;
  }

  /** Makes `upToDate` wait until VS Code has read the file. Must be called before the file is saved. */
  saving(): void {
    this.#reading?.dispose();
    this.#reading = start((signal) => this.#clock.sleep(maxReadMs, signal));
  }

  /** Ends the wait of `upToDate`. Called when VS Code has read the files. */
  read(): void {
    this.#reading?.dispose();
  }

  dispose(): void {
    this.read();
  }

  /** Saves the files, and waits until VS Code has read them, at most 5 s. */
  async upToDate(): Promise<void> {
    await this.#save();
    await this.#reading?.done;
  }
}
