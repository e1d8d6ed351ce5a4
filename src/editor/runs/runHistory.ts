import { EventEmitter } from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import type { RunStore } from "../../engine/ports/runs.ts";
import type { ListedRun, RunRecord } from "../../spark/history/runRecord.ts";
import type { Timeline } from "../../spark/timeline/timeline.ts";

type ChangeRun = (before: RunRecord | undefined) => RunRecord | undefined;

/** The kept runs of this workspace. Loads the store at the first use. */
export class RunHistory implements Disposable {
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new EventEmitter<undefined>());
  readonly #load: () => Promise<RunStore>;
  #store: Promise<RunStore> | undefined;
  #open: Promise<Set<string>> | undefined;
  #watched: ReadonlySet<string> = new Set();

  /** Fires after each change of a record. */
  readonly onDidChange = this.#changes.event;

  constructor(load: () => Promise<RunStore>) {
    this.#load = load;
  }

  /** Returns all kept runs, the newest first. */
  async list(): Promise<readonly ListedRun[]> {
    const runs = await (await this.#opened()).list();
    return runs.map((run) => ({ ...run, isWatched: this.#watched.has(run.id) }));
  }

  /** Sets the ids of the runs that the window watches. */
  watch(ids: Iterable<string>): void {
    const watched = new Set(ids);
    if (watched.size === this.#watched.size && [...watched].every((id) => this.#watched.has(id))) {
      return;
    }
    this.#watched = watched;
    this.#changes.fire(undefined);
  }

  async timeline(id: string): Promise<Timeline | undefined> {
    return (await this.#opened()).timeline(id);
  }

  /** Returns the ids of the runs whose end is not recorded. */
  openRuns(): Promise<ReadonlySet<string>> {
    return this.#openIds();
  }

  /**
   * Replaces or creates a record. `change` gets the stored record and returns the new one, or undefined to keep the
   * stored one.
   */
  async update(id: string, change: ChangeRun, timeline?: Timeline): Promise<void> {
    const store = await this.#opened();
    let after: RunRecord | undefined;
    await store.update(id, (before) => (after = change(before)), timeline);
    if (after === undefined) return;
    const open = await this.#openIds();
    if (after.endedAt === undefined) open.add(id);
    else open.delete(id);
    this.#changes.fire(undefined);
  }

  async remove(ids: readonly string[]): Promise<void> {
    await (await this.#opened()).remove(ids);
    const open = await this.#openIds();
    for (const id of ids) open.delete(id);
    this.#changes.fire(undefined);
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #opened(): Promise<RunStore> {
    return (this.#store ??= this.#load());
  }

  #openIds(): Promise<Set<string>> {
    return (this.#open ??= this.list().then(
      (all) => new Set(all.filter(({ endedAt }) => endedAt === undefined).map(({ id }) => id)),
    ));
  }
}
