import type { OperatorResource } from "../../spark/pods/operatorResource.ts";
import type { ResourceEvent, ResourceKind, ResourceSource } from "../ports/resources.ts";
import {
  startListWatch,
  type IncomingList,
  type ListWatchOptions,
  type ListWatchPace,
} from "./listWatch.ts";
import type { Freshness } from "./podSubscription.ts";
import type { RetryLoop } from "./retryLoop.ts";

interface ResourceSink {
  /** Replaces all known resources of the kind by a complete list. */
  replace(kind: ResourceKind, resources: readonly OperatorResource[]): void;
  apply(events: readonly ResourceEvent[]): void;
}

// Operators are installed rarely, and permissions granted rarely. Lists are polled like pods while the view is visible.
const pace: ListWatchPace = {
  streamsLists: false,
  listAgeMs: Infinity,
  pollMs: 30_000,
  idlePollMs: 300_000,
  retryWatchMs: 600_000,
  absent: { retryMs: 600_000, idleRetryMs: 24 * 3600_000 },
};

/**
 * Keeps the sink equal to the custom resources of one kind; see `startListWatch`. If the cluster does not serve the
 * kind, or it is forbidden, it retries after ten minutes while the view is visible, and otherwise once a day. No error
 * is shown: the pods alone show most.
 */
export function startResourceWatch(
  source: ResourceSource,
  kind: ResourceKind,
  namespace: string | undefined,
  sink: ResourceSink,
  options: ListWatchOptions,
): RetryLoop {
  return startListWatch<OperatorResource, ResourceEvent>(
    {
      name: `${kind.kind} (${kind.apiVersion})`,
      list: async (_page, signal) => {
        const listed = await source.listResources(kind, namespace, signal);
        if (!listed.ok) return listed;
        const { resources: items, resourceVersion } = listed.value;
        return { ok: true, value: { items, resourceVersion, continueToken: undefined } };
      },
      watch: (from = "", _timeoutSeconds, signal) =>
        source.watchResources(kind, namespace, from, signal),
      ...resourceEvents,
    },
    new ResourceContent((resources) => {
      sink.replace(kind, resources);
    }, sink),
    pace,
    options,
  );
}

export const resourceEvents = {
  itemOf: ({ resource }: ResourceEvent): OperatorResource => resource,
  versionOf: ({ resource }: ResourceEvent): string => resource.resourceVersion,
};

/**
 * Passes lists and events on. The pods' freshness also represents that of resources, which no view
 * shows.
 */
export class ResourceContent {
  readonly size = 0;
  readonly freshness: Freshness = { kind: "connecting" };
  readonly #replace: (resources: readonly OperatorResource[]) => void;
  readonly #sink: Pick<ResourceSink, "apply">;

  constructor(
    replace: (resources: readonly OperatorResource[]) => void,
    sink: Pick<ResourceSink, "apply">,
  ) {
    this.#replace = replace;
    this.#sink = sink;
  }

  setFreshness(): void {
    return undefined;
  }

  beginList(): IncomingList<OperatorResource> {
    const resources: OperatorResource[] = [];
    return {
      take: (resource) => resources.push(resource),
      drop: () => undefined,
      end: () => {
        this.#replace(resources);
        return true;
      },
    };
  }

  apply(events: readonly ResourceEvent[]): void {
    if (events.length > 0) this.#sink.apply(events);
  }
}
