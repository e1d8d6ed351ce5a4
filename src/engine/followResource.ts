import { err, ok, type Result } from "../base/result.ts";
import { driverRole, roleLabel } from "../spark/labels.ts";
import { decodePod } from "../spark/pods/decodePod.ts";
import { decodeOperatorResource, type OperatorResource } from "../spark/pods/operatorResource.ts";
import type { PodRecord } from "../spark/pods/podRecord.ts";
import { Backoff } from "./backoff.ts";
import type { ClusterError } from "./clusterError.ts";
import type { Clock, ObjectApi, Random, StoredObject } from "./ports.ts";
import { retryOf } from "./retry.ts";

export interface ResourcePorts {
  readonly objects: ObjectApi;
  readonly clock: Clock;
  readonly random: Random;
}

export type ResourceNews =
  | { readonly kind: "state"; readonly resource: OperatorResource }
  /** A driver that the operator has started for the resource: each attempt has one. */
  | { readonly kind: "driver"; readonly driver: PodRecord }
  /** For some time nobody has said anything about the resource: there may be no operator. */
  | { readonly kind: "unattended" };

export type ResourceEnd =
  | { readonly kind: "ended"; readonly resource: OperatorResource }
  /** It was deleted, or another one has its name. */
  | { readonly kind: "gone" };

// An operator is asked for what it writes some ten times between two changes that people would notice.
const pollMs = 1000;
const unattendedMs = 15_000;

/**
 * Follows a custom resource until its operator will do nothing more for it, over any number of broken
 * connections; fails only where nothing but somebody's doing helps. Rejects with an AbortError when
 * `signal` aborts; the application runs on then.
 */
export async function followResource(
  stored: StoredObject,
  ports: ResourcePorts,
  report: (news: ResourceNews) => void,
  signal: AbortSignal,
): Promise<Result<ResourceEnd, ClusterError>> {
  const { objects, clock } = ports;
  const backoff = new Backoff(ports.random);
  const drivers = new Set<string>();
  // Undefined once something was heard, or its absence was told.
  let silentSince: number | undefined = clock.now();
  let words: string | undefined;
  for (;;) {
    const read = await objects.read(stored, signal);
    if (read.ok && read.value.uid !== stored.uid) return ok({ kind: "gone" });
    const resource = read.ok ? decoded(read.value) : undefined;
    if (resource) {
      const now = `${resource.word}\n${resource.message ?? ""}`;
      if (resource.word !== "" && now !== words) report({ kind: "state", resource });
      words = now;
      const failure = await reportDrivers(resource, drivers, objects, report, signal);
      if (failure && retryOf(failure).kind === "slow") return err(failure);
      if (resource.hasEnded) return ok({ kind: "ended", resource });
      if (resource.word !== "" || drivers.size > 0) silentSince = undefined;
      if (silentSince !== undefined && clock.now() - silentSince >= unattendedMs) {
        silentSince = undefined;
        report({ kind: "unattended" });
      }
      await clock.sleep(pollMs, signal);
      continue;
    }
    if (!read.ok && read.error.kind === "notFound") return ok({ kind: "gone" });
    if (!read.ok && retryOf(read.error).kind === "slow") return err(read.error);
    await clock.sleep(backoff.next(clock.now()), signal);
  }
}

const decoded = ({ apiVersion, kind, body }: StoredObject): OperatorResource | undefined =>
  decodeOperatorResource(apiVersion, kind, body);

// Both operators make the resource the owner of the driver's pod.
async function reportDrivers(
  { uid, namespace }: OperatorResource,
  known: Set<string>,
  objects: ObjectApi,
  report: (news: ResourceNews) => void,
  signal: AbortSignal,
): Promise<ClusterError | undefined> {
  const pod = { apiVersion: "v1", kind: "Pod" };
  const listed = await objects.list(pod, namespace, `${roleLabel}=${driverRole}`, signal);
  if (!listed.ok) return listed.error;
  const drivers = listed.value
    .map(({ body }) => decodePod(body))
    .filter((driver) => driver !== undefined)
    .filter((driver) => driver.ownerUid === uid && !known.has(driver.uid))
    .sort((a, b) => a.creationTimestamp.localeCompare(b.creationTimestamp));
  for (const driver of drivers) {
    known.add(driver.uid);
    report({ kind: "driver", driver });
  }
  return undefined;
}
