import { get, type RequestOptions } from "node:https";
import { createInterface } from "node:readline";
import type { Disposable } from "../../src/base/disposable.ts";
import type { Application } from "../../src/spark/pods/application.ts";
import { podsIn } from "../../src/spark/pods/applicationRun.ts";
import { sparkPodSelector } from "../../src/spark/labels.ts";
import { isOlder } from "../../src/spark/pods/resourceVersion.ts";
import { realServer } from "../contract/kubeApi/runAll.ts";

interface RawEvent {
  readonly type: string;
  readonly object: {
    readonly metadata: { readonly uid: string; readonly resourceVersion: string };
  };
}

/** A watch event of a pod that no row shows yet. */
interface Pending {
  readonly uid: string;
  readonly version: string;
  readonly isDeletion: boolean;
  readonly at: number;
}

/**
 * Measures the delay from a pod's event on a separate watch to the update of its row. Rows that are ahead of that
 * watch count as a delay of 0 ms.
 */
export class TruthDelays implements Disposable {
  readonly #delays: number[] = [];
  readonly #stop = new AbortController();
  readonly #deleted = new Set<string>();
  #pending: readonly Pending[] = [];
  #shown: ReadonlyMap<string, string> = new Map();

  /** Starts to measure all pods in the namespace that have rows; a notebook's own pod has none. */
  async watch(namespace: string): Promise<void> {
    const { url, ca, token } = await realServer();
    const options: RequestOptions = {
      headers: { authorization: `Bearer ${token}`, accept: "application/json" },
      signal: this.#stop.signal,
      ...(ca && { ca }),
    };
    await new Promise<void>((resolve, reject) => {
      const query = new URLSearchParams({ watch: "true", labelSelector: sparkPodSelector });
      const path = `/api/v1/namespaces/${namespace}/pods?${query.toString()}`;
      const asked = get(new URL(path, url), options, (answer) => {
        const lines = createInterface({ input: answer });
        lines.on("line", (line) => {
          this.#hear(JSON.parse(line) as RawEvent);
        });
        // Both emit an error when `dispose` aborts the request.
        for (const each of [answer, lines]) each.on("error", () => undefined);
        resolve();
      });
      asked.on("error", reject);
    });
  }

  /** Records that the rows now show these applications. */
  wrote(applications: readonly Application[]): void {
    const pods = applications.flatMap(podsIn);
    this.#shown = new Map(pods.map(({ uid, resourceVersion }) => [uid, resourceVersion]));
    const now = performance.now();
    const isTold = (one: Pending): boolean => this.#isShown(one);
    for (const { at } of this.#pending.filter(isTold)) this.#delays.push(now - at);
    this.#pending = this.#pending.filter((one) => !isTold(one));
  }

  /** Returns the delays as text for the test report. */
  describe(): string {
    const sorted = this.#delays.toSorted((a, b) => a - b);
    const percentile = (share: number): string =>
      (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN).toFixed(0);
    return (
      `${sorted.length} events of pods, ${this.#pending.length} not shown; from an event to the rows ` +
      `p50 ${percentile(0.5)} ms, p99 ${percentile(0.99)} ms, longest ${percentile(1)} ms`
    );
  }

  dispose(): void {
    this.#stop.abort();
  }

  #hear({ type, object: { metadata } }: RawEvent): void {
    const { uid, resourceVersion: version } = metadata;
    const isDeletion = type === "DELETED";
    if (isDeletion) this.#deleted.add(uid);
    const event = { uid, version, isDeletion, at: performance.now() };
    if (this.#isShown(event)) this.#delays.push(0);
    else this.#pending = [...this.#pending, event];
  }

  #isShown({ uid, version, isDeletion }: Pending): boolean {
    const shown = this.#shown.get(uid);
    if (shown === undefined) return this.#deleted.has(uid);
    return !isDeletion && !isOlder(shown, version);
  }
}
