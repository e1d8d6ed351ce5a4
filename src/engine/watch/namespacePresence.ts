import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import { steadyTime } from "../../base/steadyTime.ts";
import type { Log } from "../log.ts";
import type { Clock } from "../ports/clock.ts";
import type { Connection } from "../ports/connection.ts";
import { start } from "../running.ts";

interface NamespacePresenceOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly found: (namespace: string, isThere: boolean) => void;
}

const lookAgainMs = 30_000;
// Long, because a user without permission to read namespaces rarely gets it within minutes.
const refusedMs = 300_000;

/**
 * Checks whether an empty namespace exists, because the API server also returns an empty list for a missing namespace.
 * Sends a request only when `look` is called, at most once in 30 s per namespace. Does not call `found` if the
 * result is unknown.
 */
export class NamespacePresence implements Disposable {
  readonly #objects: Connection["objects"];
  readonly #options: NamespacePresenceOptions;
  readonly #owned = new DisposableStore();
  readonly #time: () => number;
  readonly #restsUntil = new Map<string, number>();

  constructor(objects: Connection["objects"], options: NamespacePresenceOptions) {
    this.#objects = objects;
    this.#options = options;
    this.#time = steadyTime(options.clock);
  }

  look(namespace: string): void {
    if (this.#time() < (this.#restsUntil.get(namespace) ?? 0)) return;
    this.#restsUntil.set(namespace, this.#time() + lookAgainMs);
    const asking = this.#owned.add(start((signal) => this.#ask(namespace, signal)));
    void asking.done.catch(this.#options.log.error).finally(() => {
      this.#owned.remove(asking);
    });
  }

  async #ask(namespace: string, signal: AbortSignal): Promise<void> {
    const reference = { apiVersion: "v1", kind: "Namespace", namespace, name: namespace };
    const read = await this.#objects.read(reference, signal);
    signal.throwIfAborted();
    if (read.ok || read.error.kind === "notFound") this.#options.found(namespace, read.ok);
    else if (read.error.kind === "forbidden") {
      this.#restsUntil.set(namespace, this.#time() + refusedMs);
    }
  }

  dispose(): void {
    this.#owned.dispose();
  }
}
