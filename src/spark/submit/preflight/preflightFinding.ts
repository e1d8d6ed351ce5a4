// The messages of the pre-flight check.

/** A reason why a submission would or might fail; `unknown`: the check was not possible. */
export interface PreflightFinding {
  readonly code: `P-${number}`;
  readonly severity: "error" | "warning" | "unknown";
  readonly problem: string;
  readonly reason: string;
  readonly advice: string;
  /** The conf key to change, if any. */
  readonly key: string | undefined;
  /** YAML that fixes the problem, to copy. */
  readonly manifest: string | undefined;
}

const at = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`;

/** An amount of a resource that a pod requests. `user`: `driver` or `executor`. */
interface RequestedAmount {
  readonly user: string;
  readonly resource: string;
  readonly asked: string;
}

export const preflightWords = {
  submitterLacks: (rights: string, namespace: string, manifest: string) => ({
    ...error(
      "P-01",
      `You cannot ${rights} in the namespace "${namespace}".`,
      "A submission creates these objects with your permissions.",
      "Ask for a Role like this one, or choose another namespace.",
      "spark.kubernetes.namespace",
    ),
    manifest,
  }),
  driverLacks: (account: string, rights: string, namespace: string, manifest: string) => ({
    ...error(
      "P-02",
      `The service account "${account}" cannot ${rights} in the namespace "${namespace}".`,
      "The driver creates and watches its executors with its service account.",
      "Give it a Role like this one, or choose another account.",
      "spark.kubernetes.authenticate.driver.serviceAccountName",
    ),
    manifest,
  }),
  driverCannotCleanUp: (account: string, rights: string, namespace: string, manifest: string) => ({
    ...warning(
      "P-03",
      `The service account "${account}" cannot ${rights} in the namespace "${namespace}".`,
      "The driver needs these permissions to delete its objects when it ends.",
      "Give it a Role like this one. Remaining objects are deleted with the driver pod.",
      "spark.kubernetes.authenticate.driver.serviceAccountName",
    ),
    manifest,
  }),
  missingNamespace: (namespace: string) =>
    error(
      "P-04",
      `The namespace "${namespace}" does not exist.`,
      "No object can be created in it.",
      "Create it, or choose another namespace.",
      "spark.kubernetes.namespace",
    ),
  missingObject: (kind: string, name: string, user: string) =>
    error(
      "P-05",
      `The ${kind} "${name}" does not exist.`,
      `The ${user} refers to it, and its pod cannot start without it.`,
      "Create it, or change the reference.",
      undefined,
    ),
  missingPullSecret: (name: string, user: string) =>
    warning(
      "P-06",
      `The image pull Secret "${name}" does not exist.`,
      `The ${user} refers to it. Without it only public images can be pulled.`,
      "Create it, or correct the name.",
      "spark.kubernetes.container.image.pullSecrets",
    ),
  missingItem: (kind: string, name: string, item: string, user: string) =>
    error(
      "P-07",
      `The ${kind} "${name}" has no key "${item}".`,
      `An environment variable of the ${user} refers to it, and the container cannot start without it.`,
      "Add the key, or correct its name.",
      undefined,
    ),
  podThere: (name: string) =>
    error(
      "P-08",
      `The pod "${name}" already exists.`,
      "The conf sets this name for the driver pod, and names are unique.",
      "Delete the old pod, or remove this key so that Spark generates a name.",
      "spark.kubernetes.driver.pod.name",
    ),
  quotaRefusesDriver: (quota: string, resource: string, asked: string, free: string) =>
    error(
      "P-09",
      `The quota "${quota}" has ${free} of ${resource} left, but the driver requests ${asked}.`,
      "The API server rejects a pod that exceeds a quota.",
      "Request less, stop other applications, or ask for a larger quota.",
      undefined,
    ),
  quotaLimitsExecutors: (quota: string, resource: string, fits: number, wanted: number) =>
    warning(
      "P-10",
      `The quota "${quota}" has ${resource} left for ${at(fits, "executor")} of ${wanted}.`,
      "The API server rejects the others. The application runs with fewer executors, or waits.",
      "Request fewer or smaller executors, or ask for a larger quota.",
      "spark.executor.instances",
    ),
  quotaWants: (quota: string, resource: string, user: string, key: string | undefined) =>
    error(
      "P-11",
      `The quota "${quota}" limits ${resource}, but the ${user} does not set it.`,
      "Under this quota the API server rejects pods that do not set it.",
      key === undefined ? "Set it in a pod template." : `Set "${key}".`,
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
      `The ${user} requests ${asked} of ${resource}, but the limit range "${range}" allows at ${side} ${bound}.`,
      "The API server rejects pods outside the limit ranges of their namespace.",
      side === "most" ? "Request less, or ask for a higher limit." : "Request more.",
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
      `The ${user} requests ${asked} of ${resource}, but the limit range "${range}" sets a default limit of ${limit}.`,
      "A missing limit is set to the default, and a request must not exceed its limit.",
      key === undefined ? "Set a limit in a pod template." : `Set "${key}".`,
      key,
    ),
  noNodeFits: (user: string, asked: string, largest: string) =>
    warning(
      "P-14",
      `No node is large enough for the ${user}, which requests ${asked}. The largest node has ${largest}.`,
      "The pod stays pending unless the cluster adds a larger node.",
      "Request less, or add a larger node.",
      undefined,
    ),
  noNodeMatches: (user: string, why: string) =>
    warning(
      "P-15",
      `No node accepts the ${user}: ${why}.`,
      "The pod stays pending unless the cluster adds a suitable node.",
      "Correct the node selector, or add a toleration in a pod template.",
      undefined,
    ),
  badName: (what: string, name: string, expected: string, key: string | undefined) =>
    error(
      "P-16",
      `"${name}" is not valid as ${what}.`,
      `Kubernetes requires ${expected}.`,
      key === undefined ? "Choose another name." : `Change "${key}".`,
      key,
    ),
  badImage: (image: string, why: string, key: string) =>
    error(
      "P-17",
      `"${image}" is not an image name: ${why}.`,
      "No node can pull it.",
      'Write "registry/repository:tag".',
      key,
    ),
  floatingImage: (image: string, key: string) =>
    warning(
      "P-18",
      `The image "${image}" has no fixed tag.`,
      "Nodes cache images, so the driver and the executors may run different ones.",
      "Use a version tag, or set the pull policy to Always.",
      key,
    ),
  notChecked: (what: string, because: string) =>
    unknown(
      "P-90",
      `${what} could not be checked.`,
      `Reason: ${because}.`,
      "Continue if you know that it is correct.",
    ),
} as const;

function finding(
  severity: PreflightFinding["severity"],
): (
  code: PreflightFinding["code"],
  problem: string,
  reason: string,
  advice: string,
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
