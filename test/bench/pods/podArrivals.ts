import type { Connection } from "../../../src/engine/ports/connection.ts";
import { sparkPodSelector } from "../../../src/spark/labels.ts";

/** Watches the Spark pods of a namespace until `stop`, and reports when the pod of an application is stored. */
export class PodArrivals {
  readonly #waiting = new Map<string, (at: number) => void>();
  readonly #stop = new AbortController();
  readonly #watching: Promise<void>;

  constructor(connection: Connection, namespace: string) {
    this.#watching = this.#watch(connection, namespace);
  }

  /**
   * Resolves to the monotonic time, in milliseconds, at which the watch reports the next new pod of the application.
   * Call it before the pod is created.
   */
  next(application: string): Promise<number> {
    return new Promise((resolve) => this.#waiting.set(application, resolve));
  }

  /** Ends the watch. Rejects if it has failed. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#watching;
  }

  async #watch({ pods }: Connection, namespace: string): Promise<void> {
    const request = {
      ...{ namespace, labelSelector: sparkPodSelector, resourceVersion: undefined },
      ...{ sendInitialEvents: true, timeoutSeconds: 3600 },
    };
    try {
      for await (const item of pods.watchPods(request, this.#stop.signal)) {
        if (item.kind === "failed") throw new Error(item.error.detail);
        for (const event of item.events) {
          if (event.kind !== "added") continue;
          const name = event.pod.labels["spark-app-name"] ?? "";
          this.#waiting.get(name)?.(performance.now());
          this.#waiting.delete(name);
        }
      }
    } catch (error) {
      if (!this.#stop.signal.aborted) throw error;
    }
  }
}
