import { err, ok, type Result } from "../../base/result.ts";
import {
  decodeOperatorResource,
  type OperatorResource,
} from "../../spark/pods/operatorResource.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import { driverRole, isDriverRole, roleLabel } from "../../spark/labels.ts";
import { decodePod } from "../../spark/pods/decodePod.ts";
import { DisposableStore } from "../../base/disposable.ts";
import type { ClusterError } from "../clusterError.ts";
import type { Log } from "../log.ts";
import type { WatchedPods } from "../logs/containerState.ts";
import type { Clock, Random } from "../ports/clock.ts";
import type { ObjectApi, StoredObject } from "../ports/objects.ts";
import type { ResourceEvent, ResourceSource } from "../ports/resources.ts";
import { start } from "../running.ts";
import { startListWatch, type ListPage, type ListWatchPace } from "../watch/listWatch.ts";
import { ResourceContent, resourceEvents } from "../watch/resourceWatch.ts";
import { needsUser } from "../watch/retryPolicy.ts";

interface ResourcePorts {
  readonly objects: Pick<ObjectApi, "read" | "list">;
  readonly resources: Pick<ResourceSource, "watchResources">;
  /** A watch that covers the drivers of the resource's namespace. */
  readonly pods: WatchedPods;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

type ResourceReport =
  | { readonly kind: "state"; readonly resource: OperatorResource }
  /** A driver that the operator started for the resource. Each attempt has its own driver. */
  | { readonly kind: "driver"; readonly driver: PodRecord }
  /** No operator has updated the resource within the first 15 s. */
  | { readonly kind: "unattended" };

export type ResourceEnd =
  | { readonly kind: "ended"; readonly resource: OperatorResource }
  /** The resource was deleted, or replaced by another one with its name. */
  | { readonly kind: "gone" };

// A list is one GET of the resource here, so polling may be frequent if watching is forbidden.
const pollMs = 1_000;
const pace: ListWatchPace = {
  streamsLists: false,
  listAgeMs: Infinity,
  pollMs,
  idlePollMs: pollMs,
  retryWatchMs: 600_000,
  absent: undefined,
};
const unattendedMs = 15_000;

/**
 * Follows a custom resource until its operator has finished with it, and reconnects after each cut. Returns an error
 * only if the user must act. Rejects with an AbortError when `signal` aborts; the application keeps running.
 */
export async function followResource(
  stored: StoredObject,
  ports: ResourcePorts,
  report: (news: ResourceReport) => void,
  signal: AbortSignal,
): Promise<Result<ResourceEnd, ClusterError>> {
  const life = new DisposableStore();
  try {
    return await new Promise((resolve, reject) => {
      const abort = (): void => {
        reject(signal.reason instanceof Error ? signal.reason : new Error("aborted"));
      };
      signal.addEventListener("abort", abort, { once: true });
      life.add({
        dispose: () => {
          signal.removeEventListener("abort", abort);
        },
      });
      if (signal.aborted) abort();
      const settle = { resolve, reject };
      new ResourceFollow(stored, ports, report, settle).begin(life);
    });
  } finally {
    life.dispose();
  }
}

interface Settle {
  readonly resolve: (end: Result<ResourceEnd, ClusterError>) => void;
  readonly reject: (error: unknown) => void;
}

class ResourceFollow {
  readonly #stored: StoredObject;
  readonly #ports: ResourcePorts;
  readonly #report: (news: ResourceReport) => void;
  readonly #settle: Settle;
  readonly #drivers = new Set<string>();
  #resource: OperatorResource | undefined;
  #words: string | undefined;
  #isSettled = false;

  constructor(
    stored: StoredObject,
    ports: ResourcePorts,
    report: (news: ResourceReport) => void,
    settle: Settle,
  ) {
    this.#stored = stored;
    this.#ports = ports;
    this.#report = report;
    this.#settle = settle;
  }

  begin(life: DisposableStore): void {
    const { resources, pods, clock, random, log } = this.#ports;
    const { namespace, kind } = this.#stored;
    const watch = life.add(
      startListWatch<OperatorResource, ResourceEvent>(
        {
          name: kind,
          list: (_page, signal) => this.#read(signal),
          watch: (from = "", _timeoutSeconds, signal) =>
            resources.watchResources(this.#stored, namespace, from, signal),
          ...resourceEvents,
        },
        new ResourceContent(
          ([resource]) => {
            if (resource) this.#take(resource, life);
          },
          {
            apply: (events) => {
              for (const event of events) this.#apply(event, life);
            },
          },
        ),
        pace,
        { clock, random, log },
      ),
    );
    watch.done.catch(this.#settle.reject);
    life.add(
      pods.onDidChange(() => {
        this.#lookForDrivers();
      }),
    );
    const waiting = life.add(
      start(async (signal) => {
        await clock.sleep(unattendedMs, signal);
        const isAttended = (this.#resource?.word ?? "") !== "" || this.#drivers.size > 0;
        if (!isAttended) this.#report({ kind: "unattended" });
      }),
    );
    waiting.done.catch(this.#settle.reject);
  }

  /** Reads the resource alone, so that permission to list is not needed. */
  async #read(signal: AbortSignal): Promise<Result<ListPage<OperatorResource>, ClusterError>> {
    const read = await this.#ports.objects.read(this.#stored, signal);
    if (!read.ok) {
      if (read.error.kind === "notFound") this.#end(ok({ kind: "gone" }));
      else if (needsUser(read.error)) this.#end(read);
      return read;
    }
    const { uid, apiVersion, kind, resourceVersion, body } = read.value;
    if (uid !== this.#stored.uid) this.#end(ok({ kind: "gone" }));
    const resource = decodeOperatorResource(apiVersion, kind, body);
    return ok({ items: resource ? [resource] : [], resourceVersion, continueToken: undefined });
  }

  #apply({ kind, resource }: ResourceEvent, life: DisposableStore): void {
    if (resource.name !== this.#stored.name) return;
    if (resource.uid !== this.#stored.uid || kind === "deleted") this.#end(ok({ kind: "gone" }));
    else this.#take(resource, life);
  }

  #take(resource: OperatorResource, life: DisposableStore): void {
    if (this.#isSettled) return;
    this.#resource = resource;
    const words = `${resource.word}\n${resource.message ?? ""}`;
    if (resource.word !== "" && words !== this.#words) this.#report({ kind: "state", resource });
    this.#words = words;
    this.#lookForDrivers();
    if (!resource.hasEnded) return;
    const finishing = life.add(start((signal) => this.#finish(resource, signal)));
    finishing.done.catch(this.#settle.reject);
  }

  /**
   * Reports the last drivers, then the end. Lists them, because the watch of pods may lag behind that of the resource.
   */
  async #finish(resource: OperatorResource, signal: AbortSignal): Promise<void> {
    const selector = `${roleLabel}=${driverRole}`;
    const kind = { apiVersion: "v1", kind: "Pod" };
    const { objects } = this.#ports;
    const listed = await objects.list(kind, this.#stored.namespace, selector, signal);
    signal.throwIfAborted();
    if (listed.ok) this.#reportDrivers(listed.value.flatMap(({ body }) => decodePod(body) ?? []));
    this.#end(ok({ kind: "ended", resource }));
  }

  // Both operators make the resource the owner of the driver's pod.
  #lookForDrivers(): void {
    if (this.#isSettled || this.#resource === undefined) return;
    const { pods } = this.#ports;
    const freshness = pods.freshness();
    const isBroken = freshness?.kind === "failed" || freshness?.kind === "stale";
    if (isBroken && needsUser(freshness.error)) this.#end(err(freshness.error));
    this.#reportDrivers([...pods.pods()].filter(({ labels }) => isDriverRole(labels[roleLabel])));
  }

  #reportDrivers(pods: readonly PodRecord[]): void {
    if (this.#isSettled) return;
    const drivers = pods
      .filter(({ uid, ownerUid }) => ownerUid === this.#stored.uid && !this.#drivers.has(uid))
      .sort((a, b) => a.creationTimestamp.localeCompare(b.creationTimestamp));
    for (const driver of drivers) {
      this.#drivers.add(driver.uid);
      this.#report({ kind: "driver", driver });
    }
  }

  #end(end: Result<ResourceEnd, ClusterError>): void {
    this.#isSettled = true;
    this.#settle.resolve(end);
  }
}
