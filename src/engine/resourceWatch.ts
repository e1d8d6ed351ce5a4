import type { OperatorResource } from "../spark/pods/operatorResource.ts";
import { Backoff, jittered } from "./backoff.ts";
import type { ClusterError } from "./clusterError.ts";
import type { Log } from "./log.ts";
import type { Clock, Random, ResourceEvent, ResourceKind, ResourceSource } from "./ports.ts";
import { retryOf } from "./retry.ts";
import { start, type Running } from "./running.ts";

export interface ResourceSink {
  /** A complete list takes the place of all that was known of the kind. */
  replace(kind: ResourceKind, resources: readonly OperatorResource[]): void;
  apply(events: readonly ResourceEvent[]): void;
}

export interface ResourceWatchOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

// Operators are installed once in a while, and rights given as rarely.
const lookAgainMs = 600_000;

/**
 * Tells the sink of the custom resources of one kind until disposed. A cluster that does not know the kind,
 * or does not show it, is asked again every ten minutes or so, and nobody is bothered: the pods tell most.
 */
export function startResourceWatch(
  source: ResourceSource,
  kind: ResourceKind,
  namespace: string | undefined,
  sink: ResourceSink,
  { clock, random, log }: ResourceWatchOptions,
): Running {
  const backoff = new Backoff(random);
  const delayAfter = (error: ClusterError): number => {
    log.debug(`${kind.kind} (${kind.apiVersion}): ${error.kind}: ${error.detail}`);
    if (error.kind === "notFound" || error.kind === "forbidden") {
      return jittered(lookAgainMs, random);
    }
    const retry = retryOf(error);
    if (retry.kind === "slow") return jittered(retry.delayMs, random);
    return Math.max(backoff.next(clock.now()), retry.kind === "soon" ? retry.leastDelayMs : 0);
  };

  const watch = async (since: string, signal: AbortSignal): Promise<ClusterError | undefined> => {
    let resourceVersion = since;
    for (;;) {
      const startedAt = clock.now();
      for await (const item of source.watchResources(kind, namespace, resourceVersion, signal)) {
        if (item.kind === "failed") {
          // A stream that broke is taken up where it was; what it missed is still to come.
          if (item.error.kind !== "unreachable") return item.error;
          await clock.sleep(delayAfter(item.error), signal);
          break;
        }
        resourceVersion = item.resourceVersion ?? resourceVersion;
        if (item.events.length > 0) sink.apply(item.events);
      }
      // A server that ends each watch at once would be asked without a pause.
      if (clock.now() - startedAt < 1000) await clock.sleep(backoff.next(clock.now()), signal);
    }
  };

  return start(async (signal) => {
    for (;;) {
      const listed = await source.listResources(kind, namespace, signal);
      signal.throwIfAborted();
      let error: ClusterError | undefined;
      if (listed.ok) {
        sink.replace(kind, listed.value.resources);
        error = await watch(listed.value.resourceVersion, signal);
      } else error = listed.error;
      if (error !== undefined) await clock.sleep(delayAfter(error), signal);
    }
  });
}
