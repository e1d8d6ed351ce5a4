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
  /** Replaces all known resources of the kind with a complete list. */
  replace(kind: ResourceKind, resources: readonly OperatorResource[]): void;
  apply(events: readonly ResourceEvent[]): void;
}

// Retries are rare, because operators are rarely installed and permissions rarely granted. While the view is visible,
// resources are polled as often as pods.
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
 * kind, or it is forbidden, it retries after ten minutes while the view is visible, and otherwise once a day. Does not
 * report errors to the user, because the pods already show most of the state.
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
 * Forwards lists and events to the sink. Ignores freshness, because views show only that of the pods.
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
