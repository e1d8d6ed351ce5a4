import { msg, sentences, verbatim, type Message } from "../../../base/message.ts";

// Messages of the pre-flight check.

/** A reason why a submission would or might fail; `unknown`: the check was not possible. */
export interface PreflightFinding {
  readonly code: `P-${number}`;
  readonly severity: "error" | "warning" | "unknown";
  readonly problem: Message;
  readonly reason: Message;
  readonly advice: Message;
  /** The conf key to change. Undefined if no key helps. */
  readonly key: string | undefined;
  /** YAML that the user can copy and apply to fix the problem. */
  readonly manifest: string | undefined;
  /** Only for `unknown`: the subject of the check, and the reason why it was not possible. */
  readonly unchecked?: { readonly subject: Message; readonly because: Message };
}

/** Merges several findings about impossible checks into one. */
export function joinUnchecked(findings: readonly PreflightFinding[]): readonly PreflightFinding[] {
  const unchecked = findings.flatMap(({ unchecked }) => unchecked ?? []);
  if (unchecked.length < 2) return findings;
  const joined = unknown(
    "P-90",
    msg`${unchecked.length} items could not be checked.`,
    sentences(unchecked.map(({ subject, because }) => msg`${subject}: ${because}.`)) ??
      verbatim(""),
    msg("Continue if you know that they are correct."),
  );
  return [...findings.filter((finding) => finding.unchecked === undefined), joined];
}

const executorCount = (count: number): Message =>
  count === 1 ? msg("1 executor") : msg`${count} executors`;

/** An amount of a resource that a pod requests. `user`: `driver` or `executor`. */
interface RequestedAmount {
  readonly user: string;
  readonly resource: string;
  readonly asked: string;
}

export const preflightWords = {
  unknownKey: (problem: Message, key: string) =>
    warning(
      "P-19",
      problem,
      msg("Spark ignores unknown properties."),
      msg("Correct the key, or remove the property."),
      key,
    ),
  invalidValue: (problem: Message, key: string) =>
    error(
      "P-20",
      problem,
      msg("Spark fails when it reads this property."),
      msg("Correct the value, or remove the property."),
      key,
    ),
  submitterLacks: (rights: string, namespace: string, manifest: string) => ({
    ...error(
      "P-01",
      msg`You lack permissions in the namespace "${namespace}": ${rights}.`,
      msg("A submission creates these objects with your permissions."),
      msg("Ask for a Role like this one, or choose another namespace."),
      "spark.kubernetes.namespace",
    ),
    manifest,
  }),
  driverLacks: (account: string, rights: string, namespace: string, manifest: string) => ({
    ...error(
      "P-02",
      msg`The service account "${account}" lacks permissions in the namespace "${namespace}": ${rights}.`,
      msg("The driver creates and watches its executors with its service account."),
      msg("Bind it to a Role like this one, or choose another service account."),
      "spark.kubernetes.authenticate.driver.serviceAccountName",
    ),
    manifest,
  }),
  driverCannotCleanUp: (account: string, rights: string, namespace: string, manifest: string) => ({
    ...warning(
      "P-03",
      msg`The service account "${account}" lacks permissions in the namespace "${namespace}": ${rights}.`,
      msg("The driver needs these permissions to delete its objects when it ends."),
      msg("Bind it to a Role like this one. Remaining objects are deleted with the driver pod."),
      "spark.kubernetes.authenticate.driver.serviceAccountName",
    ),
    manifest,
  }),
  missingNamespace: (namespace: string) =>
    error(
      "P-04",
      msg`The namespace "${namespace}" does not exist.`,
      msg("No object can be created in it."),
      msg("Create it, or choose another namespace."),
      "spark.kubernetes.namespace",
    ),
  missingObject: (kind: string, name: string, user: string, key: string | undefined) =>
    error(
      "P-05",
      msg`The ${kind} "${name}" does not exist.`,
      msg`The ${user} refers to it, and its pod cannot start without it.`,
      msg("Create it, or change the reference."),
      key,
    ),
  missingPullSecret: (name: string, user: string) =>
    warning(
      "P-06",
      msg`The image pull Secret "${name}" does not exist.`,
      msg`The ${user} refers to it. Without it only public images can be pulled.`,
      msg("Create it, or correct the name."),
      "spark.kubernetes.container.image.pullSecrets",
    ),
  missingItem: (kind: string, name: string, item: string, user: string) =>
    error(
      "P-07",
      msg`The ${kind} "${name}" has no key "${item}".`,
      msg`An environment variable of the ${user} refers to it, and the container cannot start without it.`,
      msg("Add the key, or correct its name."),
      undefined,
    ),
  podThere: (name: string) =>
    error(
      "P-08",
      msg`The pod "${name}" already exists.`,
      msg("The conf sets this name for the driver pod, and names are unique."),
      msg("Delete the old pod, or remove this key so that Spark generates a name."),
      "spark.kubernetes.driver.pod.name",
    ),
  quotaRefusesDriver: (quota: string, resource: string, asked: string, free: string) =>
    error(
      "P-09",
      msg`The quota "${quota}" has ${free} of ${resource} left, but the driver requests ${asked}.`,
      msg("The API server rejects a pod that exceeds a quota."),
      msg("Request less, stop other applications, or ask for a larger quota."),
      undefined,
    ),
  quotaLimitsExecutors: (quota: string, resource: string, fits: number, wanted: number) =>
    warning(
      "P-10",
      msg`The quota "${quota}" has enough ${resource} for only ${executorCount(fits)} of ${wanted}.`,
      msg(
        "The API server rejects the others. The application runs with fewer executors, or waits.",
      ),
      msg("Request fewer or smaller executors, or ask for a larger quota."),
      "spark.executor.instances",
    ),
  quotaWants: (quota: string, resource: string, user: string, key: string | undefined) =>
    error(
      "P-11",
      msg`The quota "${quota}" limits ${resource}, but the ${user} does not set it.`,
      msg("Under this quota the API server rejects pods that do not set it."),
      key === undefined ? msg("Set it in a pod template.") : msg`Set "${key}".`,
      key,
    ),
  beyondLimitRange: (
    range: string,
    { user, resource, asked }: RequestedAmount,
    bound: string,
    side: "most" | "least",
  ) =>
    error(
      "P-12",
      side === "most"
        ? msg`The ${resource} request or limit of the ${user} is ${asked}, but the limit range "${range}" allows at most ${bound}.`
        : msg`The ${user} requests ${asked} of ${resource}, but the limit range "${range}" requires at least ${bound}.`,
      msg("The API server rejects pods outside the limit ranges of their namespace."),
      side === "most" ? msg("Reduce it, or ask for a higher maximum.") : msg("Request more."),
      undefined,
    ),
  aboveDefaultLimit: (
    range: string,
    { user, resource, asked }: RequestedAmount,
    limit: string,
    key: string | undefined,
  ) =>
    error(
      "P-13",
      msg`The ${user} requests ${asked} of ${resource}, but the limit range "${range}" sets a default limit of ${limit}.`,
      msg(
        "Kubernetes sets a missing limit to this default, and a request must not exceed its limit.",
      ),
      key === undefined ? msg("Set a limit in a pod template.") : msg`Set "${key}".`,
      key,
    ),
  noNodeFits: (user: string, asked: Message, largest: Message, lacking: "cpu" | "memory") =>
    warning(
      "P-14",
      msg`No eligible node is large enough for the ${user}, which requests ${asked}. The largest one has ${largest}.`,
      msg("The pod stays pending unless the cluster adds a larger node."),
      lacking === "memory"
        ? msg`Reduce "spark.${user}.memory" or "spark.${user}.memoryOverhead", or add a larger node.`
        : msg`Reduce "spark.kubernetes.${user}.request.cores", or add a larger node.`,
      lacking === "memory" ? `spark.${user}.memory` : `spark.kubernetes.${user}.request.cores`,
    ),
  noNodeMatches: (user: string, why: Message) =>
    warning(
      "P-15",
      msg`No node accepts the ${user}: ${why}.`,
      msg("The pod stays pending unless the cluster adds a suitable node."),
      msg("Correct the node selector, or add a toleration in a pod template."),
      undefined,
    ),
  badName: (what: Message, name: string, expected: Message, key: string | undefined) =>
    error(
      "P-16",
      msg`"${name}" is not valid as ${what}.`,
      msg`Kubernetes requires ${expected}.`,
      key === undefined ? msg("Choose another name.") : msg`Change "${key}".`,
      key,
    ),
  badImage: (image: string, why: Message, key: string) =>
    error(
      "P-17",
      msg`"${image}" is not an image name: ${why}.`,
      msg("No node can pull it."),
      msg('Write "registry/repository:tag".'),
      key,
    ),
  floatingImage: (image: string, key: string) =>
    warning(
      "P-18",
      msg`The image "${image}" has no fixed tag.`,
      msg("Nodes cache images, so the driver and the executors may run different images."),
      msg("Use a version tag, or set the pull policy to Always."),
      key,
    ),
  notChecked: (subject: Message, because: Message): PreflightFinding => ({
    ...unknown(
      "P-90",
      msg`${subject} could not be checked.`,
      msg`Reason: ${because}.`,
      msg("Continue if you know that it is correct."),
    ),
    unchecked: { subject, because },
  }),
} as const;

function finding(
  severity: PreflightFinding["severity"],
): (
  code: PreflightFinding["code"],
  problem: Message,
  reason: Message,
  advice: Message,
  key?: string,
) => PreflightFinding {
  return (code, problem, reason, advice, key) => ({
    code,
    severity,
    problem,
    reason,
    advice,
    key,
    manifest: undefined,
  });
}

// Function declarations are hoisted, so the messages can come first.
function error(...words: Parameters<ReturnType<typeof finding>>): PreflightFinding {
  return finding("error")(...words);
}

function warning(...words: Parameters<ReturnType<typeof finding>>): PreflightFinding {
  return finding("warning")(...words);
}

function unknown(...words: Parameters<ReturnType<typeof finding>>): PreflightFinding {
  return finding("unknown")(...words);
}
