import { msg, verbatim, type Message } from "../../base/message.ts";
import { checkConf } from "../../spark/submit/preflight/checkConf.ts";
import { checkImages } from "../../spark/submit/preflight/checkImages.ts";
import {
  checkLimitRange,
  withLimitDefaults,
} from "../../spark/submit/preflight/checkLimitRange.ts";
import { checkNames } from "../../spark/submit/preflight/checkNames.ts";
import { checkNodes } from "../../spark/submit/preflight/checkNodes.ts";
import { checkQuota } from "../../spark/submit/preflight/checkQuota.ts";
import { driverAccount } from "../../spark/submit/preflight/driverAccount.ts";
import {
  describeRights,
  driverRights,
  submitterRights,
  type NeededRight,
} from "../../spark/submit/preflight/neededRights.ts";
import { planPods } from "../../spark/submit/preflight/planPods.ts";
import {
  joinUnchecked,
  preflightWords,
  type PreflightFinding,
} from "../../spark/submit/preflight/preflightFinding.ts";
import { references, type Reference } from "../../spark/submit/preflight/references.ts";
import { roleManifest } from "../../spark/submit/preflight/roleManifest.ts";
import type { SubmissionPlan } from "../../spark/submit/plan/submissionPlan.ts";
import { lacksPermission, type ClusterError } from "../clusterError.ts";
import type { AccessReviews } from "../ports/accessReviews.ts";
import type { ObjectApi } from "../ports/objects.ts";
import { accountSubject, reviewRights } from "./accountRights.ts";
import { decodeLimitRanges, decodeNode, decodeQuota, itemNames } from "./preflightObjects.ts";

interface PreflightPorts {
  readonly objects: ObjectApi;
  readonly rights: AccessReviews;
}

type Check = Promise<readonly PreflightFinding[]>;

const severities = ["error", "warning", "unknown"] as const;

/**
 * Checks a plan against the namespace, permissions, quotas, nodes and referenced objects of the cluster. Writes
 * nothing. Returns the findings, the most severe first. A check that cannot run is a finding, too. Throws only if
 * aborted.
 */
export const preflight = (
  plan: SubmissionPlan,
  ports: PreflightPorts,
  signal: AbortSignal,
): Promise<readonly PreflightFinding[]> => preflightOf(plan, submitterRights(plan), ports, signal);

/** As `preflight`, with the given permissions as those that the submitter needs. */
export async function preflightOf(
  plan: SubmissionPlan,
  submitter: readonly NeededRight[],
  ports: PreflightPorts,
  signal: AbortSignal,
): Promise<readonly PreflightFinding[]> {
  signal.throwIfAborted();
  const checks: readonly Check[] = [
    checkNamespace(plan, ports, signal),
    checkPodName(plan, ports, signal),
    checkRoom(plan, ports, signal),
    checkNodesOf(plan, ports, signal),
    ...references(plan).map((reference) => checkReference(plan, reference, ports, signal)),
  ];
  const [ofSubmitter, ofDriver, ...others] = await Promise.all([
    checkSubmitter(plan, submitter, ports, signal),
    checkDriver(plan, ports, signal),
    ...checks,
  ]);
  const found = others.flat();
  // Report only the missing account: it has no permissions, and a Role does not create it.
  const rights = found.some(isMissingDriverAccount) ? ofSubmitter : [...ofSubmitter, ...ofDriver];
  const findings = joinUnchecked([
    ...checkConf(plan),
    ...checkNames(plan),
    ...checkImages(plan),
    ...rights,
    ...found,
  ]);
  return severities.flatMap((severity) =>
    findings.filter((finding) => finding.severity === severity),
  );
}

async function checkSubmitter(
  plan: SubmissionPlan,
  needed: readonly NeededRight[],
  ports: PreflightPorts,
  signal: AbortSignal,
): Check {
  const { namespace, prefix } = plan.identity;
  const { missing, unknown } = await reviewRights(
    needed,
    namespace,
    undefined,
    ports.rights,
    signal,
  );
  const manifest = async (): Promise<string> => {
    const user = await ports.rights.user(signal);
    return roleManifest(needed, namespace, `${roleName(prefix)}-submit`, {
      kind: "User",
      name: user.ok ? user.value : undefined,
    });
  };
  return [
    ...(missing.length === 0
      ? []
      : [preflightWords.submitterLacks(describeRights(missing), namespace, await manifest())]),
    ...(unknown === undefined ? [] : [notChecked(msg("Your permissions"), unknown)]),
  ];
}

async function checkDriver(
  plan: SubmissionPlan,
  ports: PreflightPorts,
  signal: AbortSignal,
): Check {
  const { namespace, prefix } = plan.identity;
  const account = driverAccount(plan);
  if (account === undefined) {
    return [
      preflightWords.notChecked(
        msg("The driver's permissions"),
        msg("the driver uses its own credentials"),
      ),
    ];
  }
  const subject = accountSubject(namespace, account);
  const needed = driverRights(plan);
  const { missing, unknown } = await reviewRights(needed, namespace, subject, ports.rights, signal);
  if (unknown) {
    return [notChecked(msg`The permissions of the service account "${account}"`, unknown)];
  }
  const manifest = (): string =>
    roleManifest(needed, namespace, `${roleName(prefix)}-driver`, {
      kind: "ServiceAccount",
      name: account,
    });
  const work = missing.filter(({ purpose }) => purpose === "work");
  if (work.length > 0) {
    return [preflightWords.driverLacks(account, describeRights(work), namespace, manifest())];
  }
  return missing.length === 0
    ? []
    : [preflightWords.driverCannotCleanUp(account, describeRights(missing), namespace, manifest())];
}

async function checkNamespace(
  { identity: { namespace } }: SubmissionPlan,
  { objects }: PreflightPorts,
  signal: AbortSignal,
): Check {
  const reference = { apiVersion: "v1", kind: "Namespace", namespace, name: namespace };
  const stored = await objects.read(reference, signal);
  if (stored.ok) return [];
  return stored.error.kind === "notFound"
    ? [preflightWords.missingNamespace(namespace)]
    : [notChecked(msg`The namespace "${namespace}"`, stored.error)];
}

// Checks only a name that the user chose, because generated pod names are unique.
async function checkPodName(
  { conf, identity: { namespace, driverPodName } }: SubmissionPlan,
  { objects }: PreflightPorts,
  signal: AbortSignal,
): Check {
  if (!conf.has("spark.kubernetes.driver.pod.name")) return [];
  const reference = { apiVersion: "v1", kind: "Pod", namespace, name: driverPodName };
  const stored = await objects.read(reference, signal);
  if (stored.ok) return [preflightWords.podThere(driverPodName)];
  return stored.error.kind === "notFound"
    ? []
    : [notChecked(msg`The pod "${driverPodName}"`, stored.error)];
}

async function checkReference(
  { identity: { namespace } }: SubmissionPlan,
  { apiVersion, kind, name, user, items, isPullSecret }: Reference,
  { objects }: PreflightPorts,
  signal: AbortSignal,
): Check {
  const stored = await objects.read({ apiVersion, kind, namespace, name }, signal);
  if (stored.ok) {
    const there = itemNames(stored.value);
    return items
      .filter((item) => !there.has(item))
      .map((item) => preflightWords.missingItem(kind, name, item, user));
  }
  if (stored.error.kind !== "notFound")
    return [notChecked(msg`The ${kind} "${name}"`, stored.error)];
  return isPullSecret
    ? [preflightWords.missingPullSecret(name, user)]
    : [preflightWords.missingObject(kind, name, user, accountKeyOf(kind, user))];
}

const accountKeyOf = (kind: Reference["kind"], user: Reference["user"]): string | undefined =>
  kind === "ServiceAccount"
    ? `spark.kubernetes.authenticate.${user}.serviceAccountName`
    : undefined;

const isMissingDriverAccount = ({ code, key }: PreflightFinding): boolean =>
  code === "P-05" && key === accountKeyOf("ServiceAccount", "driver");

async function checkRoom(
  plan: SubmissionPlan,
  { objects }: PreflightPorts,
  signal: AbortSignal,
): Check {
  const { namespace } = plan.identity;
  const list = (kind: string): ReturnType<ObjectApi["list"]> =>
    objects.list({ apiVersion: "v1", kind }, namespace, "", signal);
  const [quotas, limitRanges] = await Promise.all([list("ResourceQuota"), list("LimitRange")]);
  const ranges = limitRanges.ok ? limitRanges.value.flatMap(decodeLimitRanges) : [];
  const pods = planPods(plan);
  const completed = pods.map((pod) => withLimitDefaults(pod, ranges));
  return [
    ...(quotas.ok
      ? quotas.value.flatMap((quota) => checkQuota(decodeQuota(quota), completed, plan))
      : [notChecked(msg("The namespace's resource quotas"), quotas.error)]),
    ...(limitRanges.ok
      ? ranges.flatMap((range) => pods.flatMap((pod) => checkLimitRange(range, pod)))
      : [notChecked(msg("The namespace's limit ranges"), limitRanges.error)]),
  ];
}

async function checkNodesOf(
  plan: SubmissionPlan,
  { objects }: PreflightPorts,
  signal: AbortSignal,
): Check {
  const kind = { apiVersion: "v1", kind: "Node" };
  const listed = await objects.list(kind, plan.identity.namespace, "", signal);
  if (!listed.ok) return [notChecked(msg("The node sizes"), listed.error)];
  const nodes = listed.value.map(decodeNode);
  return planPods(plan).flatMap((pod) => checkNodes(nodes, pod));
}

function notChecked(what: Message, error: ClusterError): PreflightFinding {
  return preflightWords.notChecked(what, because(error));
}

function because(error: ClusterError): Message {
  switch (error.kind) {
    case "forbidden":
      return lacksPermission(error)
        ? msg`you do not have permission to ${error.verb} ${error.resource}`
        : detailOf(error);
    case "unauthorized":
      return msg("the cluster rejected your credentials");
    case "unreachable":
    case "notFound":
    case "conflict":
    case "protected":
    case "invalid":
    case "expired":
    case "throttled":
    case "badResponse":
    case "configuration":
      return detailOf(error);
  }
}

const detailOf = ({ detail }: ClusterError): Message => verbatim(detail.replace(/[.\s]+$/, ""));

const roleName = (prefix: string): string => prefix.replace(/-[0-9a-f]{12,}$/, "").slice(0, 200);
