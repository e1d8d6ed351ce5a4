// Every sentence that is said of a submission before the cluster has to.

/** What a submission would fail of, or might; `unknown`: it could not be found out. */
export interface PreflightFinding {
  readonly code: `P-${number}`;
  readonly severity: "error" | "warning" | "unknown";
  readonly problem: string;
  readonly reason: string;
  readonly advice: string;
  /** The conf key to change, if one is. */
  readonly key: string | undefined;
  /** YAML that mends it, to copy. */
  readonly manifest: string | undefined;
}

const at = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`;

export const preflightWords = {
  submitterLacks: (rights: string, namespace: string, manifest: string) =>
    error(
      "P-01",
      `You may not ${rights} in the namespace "${namespace}".`,
      "A submission makes these objects in your name.",
      "Ask for a Role such as this one, or choose another namespace.",
      "spark.kubernetes.namespace",
      manifest,
    ),
  driverLacks: (account: string, rights: string, namespace: string, manifest: string) =>
    error(
      "P-02",
      `The service account "${account}" may not ${rights} in the namespace "${namespace}".`,
      "The driver makes and watches its executors in the name of its service account.",
      "Give it a Role such as this one, or name another account.",
      "spark.kubernetes.authenticate.driver.serviceAccountName",
      manifest,
    ),
  driverCannotCleanUp: (account: string, rights: string, namespace: string, manifest: string) =>
    warning(
      "P-03",
      `The service account "${account}" may not ${rights} in the namespace "${namespace}".`,
      "The driver removes with these rights what it has made, when it ends.",
      "Give it a Role such as this one; what stays goes with the driver pod.",
      "spark.kubernetes.authenticate.driver.serviceAccountName",
      manifest,
    ),
  missingNamespace: (namespace: string) =>
    error(
      "P-04",
      `There is no namespace "${namespace}".`,
      "Nothing can be created in it.",
      "Create it, or choose another.",
      "spark.kubernetes.namespace",
    ),
  missingObject: (kind: string, name: string, user: string) =>
    error(
      "P-05",
      `There is no ${kind} "${name}".`,
      `The ${user} refers to it, and a pod waits for what it refers to.`,
      "Create it, or change what names it.",
      undefined,
    ),
  missingPullSecret: (name: string, user: string) =>
    warning(
      "P-06",
      `There is no Secret "${name}" to pull images with.`,
      `The ${user} names it; without it only images that anybody may pull are found.`,
      "Create it, or correct the name.",
      "spark.kubernetes.container.image.pullSecrets",
    ),
  missingItem: (kind: string, name: string, item: string, user: string) =>
    error(
      "P-07",
      `The ${kind} "${name}" has no item "${item}".`,
      `A variable of the ${user} takes its value from it, and the container does not start without.`,
      "Add the item, or correct its name.",
      undefined,
    ),
  podThere: (name: string) =>
    error(
      "P-08",
      `There is a pod "${name}" already.`,
      "The conf gives the driver that name, and a name can be taken once.",
      "Delete the old pod, or leave the name to Spark.",
      "spark.kubernetes.driver.pod.name",
    ),
  quotaRefusesDriver: (quota: string, resource: string, asked: string, free: string) =>
    error(
      "P-09",
      `The quota "${quota}" leaves ${free} of ${resource}, and the driver asks for ${asked}.`,
      "The server refuses a pod that goes beyond a quota.",
      "Ask for less, end something else, or have the quota raised.",
      undefined,
    ),
  quotaLimitsExecutors: (quota: string, resource: string, fits: number, wanted: number) =>
    warning(
      "P-10",
      `The quota "${quota}" has ${resource} for ${at(fits, "executor")} of ${wanted}.`,
      "The server refuses the others, and the application runs with those it has or waits.",
      "Ask for fewer or smaller executors, or have the quota raised.",
      "spark.executor.instances",
    ),
  quotaWants: (quota: string, resource: string, user: string, key: string | undefined) =>
    error(
      "P-11",
      `The quota "${quota}" counts ${resource}, which the ${user} does not state.`,
      "Under such a quota the server refuses pods that say nothing of it.",
      key === undefined ? "State it in a pod template." : `Set "${key}".`,
      key,
    ),
  beyondLimitRange: (
    range: string,
    resource: string,
    user: string,
    asked: string,
    bound: string,
    side: "most" | "least",
  ) =>
    error(
      "P-12",
      `The ${user} asks for ${asked} of ${resource}, and the limit range "${range}" allows at ${side} ${bound}.`,
      "The server refuses pods outside the limits of their namespace.",
      side === "most" ? "Ask for less, or have the limit raised." : "Ask for more.",
      undefined,
    ),
  aboveDefaultLimit: (
    range: string,
    resource: string,
    user: string,
    asked: string,
    limit: string,
    key: string | undefined,
  ) =>
    error(
      "P-13",
      `The ${user} requests ${asked} of ${resource}, and the limit range "${range}" limits it to ${limit}.`,
      "A limit that the conf does not state is filled in, and a request may not exceed it.",
      key === undefined ? "State a limit in a pod template." : `Set "${key}".`,
      key,
    ),
  noNodeFits: (user: string, asked: string, largest: string) =>
    warning(
      "P-14",
      `No node has room for the ${user}, which asks for ${asked}; the largest has ${largest}.`,
      "A pod that fits no node stays pending, unless the cluster adds larger nodes.",
      "Ask for less, or check the nodes.",
      undefined,
    ),
  noNodeMatches: (user: string, why: string) =>
    warning(
      "P-15",
      `No node is open to the ${user}: ${why}.`,
      "A pod that may run on no node stays pending, unless the cluster adds one.",
      "Correct the node selector, or tolerate the taint in a pod template.",
      undefined,
    ),
  badName: (what: string, name: string, expected: string, key: string | undefined) =>
    error(
      "P-16",
      `"${name}" cannot be ${what}.`,
      `Kubernetes takes ${expected}.`,
      key === undefined ? "Choose another." : `Change "${key}".`,
      key,
    ),
  badImage: (image: string, why: string, key: string) =>
    error(
      "P-17",
      `"${image}" is no name of an image: ${why}.`,
      "No node can pull it.",
      'Write "registry/repository:tag".',
      key,
    ),
  floatingImage: (image: string, key: string) =>
    warning(
      "P-18",
      `The image "${image}" has no tag that stays.`,
      "Nodes keep what they once pulled, so driver and executors may run different images.",
      "Name a version, or set the pull policy to Always.",
      key,
    ),
  notChecked: (what: string, because: string) =>
    unknown(
      "P-90",
      `${what} could not be checked.`,
      `Because ${because}.`,
      "Go on if you know that it is right.",
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
  manifest?: string,
) => PreflightFinding {
  return (code, problem, reason, advice, key, manifest) => ({
    code,
    severity,
    problem,
    reason,
    advice,
    key,
    manifest,
  });
}

// Declared as functions so that the sentences above may stand first.
function error(...words: Parameters<ReturnType<typeof finding>>): PreflightFinding {
  return finding("error")(...words);
}

function warning(...words: Parameters<ReturnType<typeof finding>>): PreflightFinding {
  return finding("warning")(...words);
}

function unknown(...words: Parameters<ReturnType<typeof finding>>): PreflightFinding {
  return finding("unknown")(...words);
}
