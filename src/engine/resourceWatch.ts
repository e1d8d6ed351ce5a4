import { steadyTime } from "../base/steadyTime.ts";
import type { OperatorResource } from "../spark/pods/operatorResource.ts";
import { Backoff, jittered } from "./backoff.ts";
import type { ClusterError } from "./clusterError.ts";
import type { Log } from "./log.ts";
import type { Clock, Random, ResourceEvent, ResourceKind, ResourceSource } from "./ports.ts";
import { isOutage, retryOf } from "./retry.ts";
import { startRounds, type Rounds } from "./rounds.ts";

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
const dayMs = 24 * 3600_000;
// Where lists are all that is given: as often as pods are polled while somebody looks, else as rarely as may be.
const pollMs = 30_000;
const idlePollMs = 300_000;

/**
 * Tells the sink of the custom resources of one kind until disposed. A cluster that does not know the kind,
 * or does not show it, is asked again while somebody looks, every ten minutes or so, else once a day, and nobody is
 * bothered: the pods tell most. One that gives lists and no watch is asked for lists, twice a minute while somebody
 * looks. Who looks may `hurry` it, which ends a wait for a server that was not there, and these.
 */
export function startResourceWatch(
  source: ResourceSource,
  kind: ResourceKind,
  namespace: string | undefined,
  sink: ResourceSink,
  { clock, random, log }: ResourceWatchOptions,
): Rounds {
  const backoff = new Backoff(random);
  const time = steadyTime(clock);
  /** Where to go on from; undefined: a list is needed. */
  let resourceVersion: string | undefined;
  let isAwaitingServer = false;
  /** From when on a kind that is not there, or not to be watched, may be asked for again. */
  let lookAgainAt: number | undefined;
  let listedAt = -Infinity;
  /** Lists are all that we may have; from then on it is worth to ask for a watch again. */
  let pollsUntil: number | undefined;
  const delayOfPoll = (): number => {
    lookAgainAt = listedAt + jittered(pollMs, random);
    return jittered(idlePollMs, random);
  };
  const delayAfter = (error: ClusterError): number => {
    log.debug(`${kind.kind} (${kind.apiVersion}): ${error.kind}: ${error.detail}`);
    isAwaitingServer = isOutage(error);
    if (error.kind === "forbidden" && error.verb === "watch") {
      pollsUntil = time() + jittered(lookAgainMs, random);
      return delayOfPoll();
    }
    if (error.kind === "notFound" || error.kind === "forbidden") {
      lookAgainAt = time() + jittered(lookAgainMs, random);
      return jittered(dayMs, random);
    }
    const retry = retryOf(error);
    if (retry.kind === "slow") return jittered(retry.delayMs, random);
    return Math.max(backoff.next(clock.now()), retry.kind === "soon" ? retry.leastDelayMs : 0);
  };

  const list = async (signal: AbortSignal): Promise<number> => {
    const listed = await source.listResources(kind, namespace, signal);
    signal.throwIfAborted();
    if (!listed.ok) return delayAfter(listed.error);
    sink.replace(kind, listed.value.resources);
    resourceVersion = listed.value.resourceVersion;
    listedAt = time();
    return pollsUntil === undefined ? 0 : delayOfPoll();
  };

  const watch = async (since: string, signal: AbortSignal): Promise<number> => {
    const startedAt = clock.now();
    pollsUntil = undefined;
    for await (const item of source.watchResources(kind, namespace, since, signal)) {
      if (item.kind === "failed") {
        // A stream that broke is taken up where it was; what it missed is still to come.
        if (item.error.kind !== "unreachable") resourceVersion = undefined;
        return delayAfter(item.error);
      }
      resourceVersion = item.resourceVersion ?? resourceVersion;
      if (item.events.length > 0) sink.apply(item.events);
    }
    // A server that ends each watch at once would be asked without a pause.
    return clock.now() - startedAt < 1000 ? backoff.next(clock.now()) : 0;
  };

  return startRounds({
    clock,
    random,
    round: (cut) => {
      isAwaitingServer = false;
      lookAgainAt = undefined;
      const polls = pollsUntil !== undefined && time() < pollsUntil;
      return resourceVersion === undefined || polls ? list(cut) : watch(resourceVersion, cut);
    },
    woken: () => {
      backoff.reset();
      // The right may have been given.
      pollsUntil = undefined;
    },
    mayHurry: () => isAwaitingServer || (lookAgainAt !== undefined && time() >= lookAgainAt),
  });
}
