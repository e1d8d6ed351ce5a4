import { deniedRequestIn } from "../deniedRequest.ts";
import { msg, type Message } from "../../base/message.ts";
import type { Diagnosis, NodeSize } from "../diagnosis/diagnosis.ts";
import {
  kindOfError,
  limitRange,
  offeredSetting,
  serviceOfDriver,
} from "../diagnosis/logCauseKinds.ts";
import { classIn } from "../diagnosis/describeLogCause.ts";
import { runnerClass } from "../runnerClass.ts";
import { printYaml } from "../printYaml.ts";
import { parseQuantity } from "../quantity.ts";
import { parseTime } from "../submit/conf/sparkValues.ts";
import type { SparkMinor } from "../submit/conf/sparkVersion.ts";
import { defaultDriverRights } from "../submit/preflight/neededRights.ts";
import { roleManifest } from "../submit/preflight/roleManifest.ts";
import {
  createPullSecret,
  createSource,
  describeService,
  describeSource,
  editQuota,
} from "./clusterCommands.ts";
import {
  fittingHeap,
  heapWithin,
  mebibytesOf,
  memoryParts,
  nextHeap,
  nextSize,
  sizeText,
  smallestHeap,
  type PodRole,
  type RunConf,
} from "./memorySizing.ts";
import {
  isFixableKind,
  isFixableRule,
  keyToOpen,
  type FixableKind,
  type FixableRule,
} from "./fixable.ts";
import type { Remedy, DefinitionEdit } from "./remedy.ts";

/** The conf of the run and its environment, from which fixes and their values are derived. */
export interface RemedyFacts {
  readonly role: PodRole;
  readonly namespace: string;
  /** The conf as submitted; undefined if it cannot be read. */
  readonly conf: RunConf | undefined;
  readonly minor: SparkMinor;
  readonly node: NodeSize | undefined;
  /** Service accounts of the namespace that have all permissions of a driver; undefined if unknown. */
  readonly ableAccounts: readonly string[] | undefined;
  /** The `--class` in the driver pod's arguments: `runnerClass.python` for a Python application. Undefined if unknown. */
  readonly mainClass?: string | undefined;
}

type Find = (diagnosis: Diagnosis, facts: RemedyFacts) => readonly Remedy[];

/** Returns the fixes of a diagnosis, in the order in which to try them. Empty if no fix is known. */
export function remediesOf(diagnosis: Diagnosis, facts: RemedyFacts): readonly Remedy[] {
  const found = (findOf(diagnosis) ?? onlyIn(diagnosis))(diagnosis, facts);
  const hasEdit = found.some(({ kind }) => kind === "edit");
  return hasEdit ? found : [...found, ...openingKey(diagnosis, found)];
}

const findOf = ({ id, logKind }: Diagnosis): Find | undefined =>
  logKind === undefined && isFixableRule(id)
    ? byRule[id]
    : isFixableKind(logKind)
      ? byLog[logKind]
      : undefined;

/**
 * Returns a fix that opens the first conf key of the diagnosis. Empty if the diagnosis has no key that can be opened,
 * or if another fix already opens a key.
 */
function openingKey({ keys }: Diagnosis, found: readonly Remedy[]): readonly Remedy[] {
  const key = keyToOpen(keys);
  if (key === undefined || found.some(({ kind }) => kind === "open")) return [];
  return [openRemedy(key)];
}

export const setRemedy = (
  key: string,
  value: string,
  more: readonly DefinitionEdit[] = [],
): Remedy => ({
  kind: "edit",
  title: msg`Set ${key} to ${value}`,
  edits: [{ kind: "set", key, value }, ...more],
});

const unset = (key: string, ...others: readonly string[]): Remedy => ({
  kind: "edit",
  title: msg`Remove ${[key, ...others].join(", ")}`,
  edits: [
    { kind: "unset", key },
    ...others.map((other) => ({ kind: "unset", key: other }) as const),
  ],
});

/**
 * Returns a single fix that removes all keys. Empty without keys. The driver's and the executors' keys often refer to
 * the same object, so removing only one of them would not solve the problem.
 */
const unsetAll = ([key, ...others]: readonly string[]): readonly Remedy[] =>
  key === undefined ? [] : [unset(key, ...others)];

export const openRemedy = (key: string): Remedy => ({
  kind: "open",
  title: msg`Open Spark Property ${key}`,
  key,
});

// Without a run profile, opens `spark.jars`, because Spark adds the jar of the application to that key.
const openApplication: Remedy = {
  ...{ kind: "open", title: msg("Open the Application of the Run"), key: "spark.jars" },
  member: "application",
};

const openMainClass: Remedy = {
  ...{ kind: "open", title: msg("Open the Main Class of the Run"), key: "spark.jars" },
  member: "class",
};

const text = (title: Message, lines: string): Remedy => ({ kind: "text", title, text: lines });

/** The part of `RemedyFacts` from which memory sizes are calculated. */
type SizeFacts = Pick<RemedyFacts, "role" | "conf" | "minor" | "node">;

function raisedOverhead({ conf, role, minor, node }: SizeFacts): readonly Remedy[] {
  if (conf === undefined) return [];
  const next = nextSize("overhead", memoryParts(conf, role, minor), node);
  return next === undefined ? [] : [setRemedy(`spark.${role}.memoryOverhead`, sizeText(next))];
}

/**
 * Returns a fix that raises the memory overhead. If the local directories are in a tmpfs, also returns a fix that moves
 * them to disk, because files in a tmpfs count toward the memory limit.
 */
const raiseOverheadOrUseDisk: Find = (_, facts) => {
  const key = "spark.kubernetes.local.dirs.tmpfs";
  const isInMemory = facts.conf?.get(key) === "true";
  return [...raisedOverhead(facts), ...(isInMemory ? [setRemedy(key, "false")] : [])];
};

export function raisedHeap({ conf, role, minor, node }: SizeFacts): readonly Remedy[] {
  if (conf === undefined) return [];
  const next = nextHeap(conf, role, minor, node);
  return next === undefined ? [] : [setRemedy(`spark.${role}.memory`, sizeText(next))];
}

const raiseHeap: Find = (_, facts) => raisedHeap(facts);

export const executorOverheadRemedy = (facts: SizeFacts): readonly Remedy[] =>
  raisedOverhead({ ...facts, role: "executor" });

const executorOverhead: Find = (_, facts) => executorOverheadRemedy(facts);

/**
 * Returns a fix that raises `spark.executor.pyspark.memory`. Empty if the key is not set, because Spark then does not
 * limit Python's memory.
 */
export function raisedPython({ conf, minor, node }: SizeFacts): readonly Remedy[] {
  const key = "spark.executor.pyspark.memory";
  if (conf?.has(key) !== true) return [];
  const next = nextSize("python", memoryParts(conf, "executor", minor), node);
  return next === undefined ? [] : [setRemedy(key, sizeText(next))];
}

const raisePython: Find = (_, facts) => raisedPython(facts);

const raiseToMinimum: Find = ({ keys: [key] }) =>
  key === undefined ? [] : [setRemedy(key, sizeText(smallestHeap))];

const decommission: Find = () => [
  setRemedy("spark.decommission.enabled", "true", [
    { kind: "set", key: "spark.storage.decommission.enabled", value: "true" },
  ]),
];

const lowerMemory: Find = (_, { conf, role, minor, node }) => {
  if (conf === undefined) return [];
  const heap = fittingHeap(conf, role, minor, node);
  // No fix if the current heap fits, if the overhead alone exceeds the node, or if the node's size is unknown.
  if (heap === undefined) return [];
  const key = `spark.${role}.memory`;
  return [setRemedy(key, sizeText(heap))];
};

const lowerCores: Find = (_, { conf, role, node }) => {
  if (node === undefined || conf === undefined) return [];
  const key = `spark.kubernetes.${role}.request.cores`;
  const asked = parseQuantity(conf.get(key) ?? conf.get(`spark.${role}.cores`) ?? "1") ?? 0;
  // Half of the largest node's cores, rounded down to 0.1, because other pods need cores too.
  const fitting = Math.max(0.1, Math.floor(node.cores * 5) / 10);
  return asked > fitting ? [setRemedy(key, `${fitting}`)] : [];
};

const removeSelectors: Find = (_, { conf, role }) => {
  const keys = [...(conf?.keys() ?? [])].filter(
    (key) =>
      key.startsWith("spark.kubernetes.node.selector.") ||
      key.startsWith(`spark.kubernetes.${role}.node.selector.`),
  );
  return keys.map((key) => unset(key));
};

const nameIn = (told: string | undefined, pattern: RegExp): string | undefined =>
  told === undefined ? undefined : pattern.exec(told)?.[1];

/**
 * Returns a name from a cluster message if it is safe in a shell command, which means that it has only the characters
 * of Kubernetes names. Otherwise returns `otherwise`.
 */
const safeName = (name: string | undefined, otherwise: string): string =>
  name !== undefined && /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/.test(name) ? name : otherwise;

/**
 * Returns the conf keys that refer to a missing object. Its name may be the whole value, the part of the value before a
 * colon, or the end of a key for mounted secrets.
 */
function keysNaming(conf: RunConf | undefined, name: string | undefined): readonly string[] {
  if (conf === undefined || name === undefined) return [];
  return [...conf]
    .filter(
      ([key, value]) =>
        key.startsWith("spark.kubernetes.") &&
        !keysOfSubmission.includes(key) &&
        (value === name || value.startsWith(`${name}:`) || key.endsWith(`.secrets.${name}`)),
    )
    .map(([key]) => key);
}

/** Keys that the submission itself adds to the driver's conf. No run profile, conf file or manifest sets them. */
const keysOfSubmission: readonly string[] = ["spark.kubernetes.executor.hadoopConfigMapName"];

const sourceName = { secret: /secret "([^"]{1,253})"/i, configmap: /configmap "([^"]{1,253})"/i };

const missingKey =
  /couldn't find key ([\w.-]{1,253}) in (?:secret|configmap) [\w.-]{1,253}\/([\w.-]{1,253})/i;

const missingSource =
  (kind: "secret" | "configmap"): Find =>
  ({ told }, { namespace, conf }) => {
    const [, key, holder] = missingKey.exec(told ?? "") ?? [];
    if (key !== undefined) {
      const keys = keysNaming(conf, `${holder}:${key}`);
      const command = describeSource(
        kind,
        safeName(holder, "<name>"),
        safeName(namespace, "<namespace>"),
      );
      return [...keys.map(openRemedy), text(msg("List the keys"), command), ...unsetAll(keys)];
    }
    const found = nameIn(told, sourceName[kind]);
    const name = safeName(found, "<name>");
    const command = createSource(kind, name, safeName(namespace, "<namespace>"));
    return [
      ...keysNaming(conf, found).map(openRemedy),
      text(kind === "secret" ? msg("Create the Secret") : msg("Create the ConfigMap"), command),
      ...unsetAll(keysNaming(conf, found)),
    ];
  };

const pullSecret: Find = (_, { namespace }) => [
  text(msg("Create a pull secret"), createPullSecret(safeName(namespace, "<namespace>"))),
  openRemedy("spark.kubernetes.container.image.pullSecrets"),
];

const tolerate: Find = ({ told, keys }, { role, node }) => {
  // A diagnosis without keys is about taints of node problems, which a toleration would not solve.
  if (keys.length === 0) return [];
  const [, key, value = "", effect = ""] =
    /taint \{([\w./-]{1,253})(?:=([\w.-]{0,63}))?: ?(\w{0,20})\}/.exec(told ?? "") ?? [];
  const taints = key === undefined ? (node?.taints ?? []) : [{ key, value, effect }];
  const tolerations = taints.map((taint) => ({
    key: taint.key,
    ...(taint.value === "" ? { operator: "Exists" } : { operator: "Equal", value: taint.value }),
    ...(taint.effect === "" ? {} : { effect: taint.effect }),
  }));
  const unknown = [{ key: "<key>", operator: "Exists" }];
  const template = {
    ...{ apiVersion: "v1", kind: "Pod" },
    spec: { tolerations: tolerations.length === 0 ? unknown : tolerations },
  };
  return [
    text(msg`Add the toleration to the pod template of the ${role}`, printYaml(template)),
    openRemedy(`spark.kubernetes.${role}.podTemplateFile`),
  ];
};

const serviceAccountKey = "spark.kubernetes.authenticate.driver.serviceAccountName";

const forbidden: Find = ({ told }, { namespace, conf, ableAccounts }) => {
  const present = deniedRequestIn(told ?? "")?.serviceAccount ?? conf?.get(serviceAccountKey);
  const able = ableAccounts?.find((account) => account !== present);
  const account = safeName(present, "default");
  const role = roleManifest(defaultDriverRights, namespace, `${account}-driver`, {
    kind: "ServiceAccount",
    name: account,
  });
  return [
    ...(able === undefined ? [] : [setRemedy(serviceAccountKey, able)]),
    text(msg("Role for an administrator to apply"), role),
  ];
};

/**
 * Returns a fix that sets the missing CPU limits of driver and executors. The limit is the larger of the role's cores
 * and its CPU request, so that a pod can use all its cores.
 */
function cpuLimits(conf: RunConf | undefined): readonly Remedy[] {
  const edits = (["executor", "driver"] as const).flatMap((role): readonly SetEdit[] => {
    const key = `spark.kubernetes.${role}.limit.cores`;
    if (conf?.has(key) === true) return [];
    const cores = conf?.get(`spark.${role}.cores`) ?? "1";
    const request = conf?.get(`spark.kubernetes.${role}.request.cores`) ?? cores;
    const isMore = (parseQuantity(request) ?? 0) > Number(cores);
    return [{ kind: "set", key, value: isMore ? request : cores }];
  });
  const [first, ...others] = edits;
  return first === undefined ? [] : [setRemedy(first.key, first.value, others)];
}

type SetEdit = Extract<DefinitionEdit, { readonly kind: "set" }>;

const quota: Find = ({ told }, { namespace, conf }) => {
  const name = safeName(nameIn(told, /quota:? "?([\w.-]{1,253})/), "<name>");
  const place = safeName(namespace, "<namespace>");
  const instances = Number(conf?.get("spark.executor.instances") ?? 2);
  const asksForLimits = /must specify/.test(told ?? "") && /limits\.cpu/.test(told ?? "");
  return [
    ...(asksForLimits
      ? cpuLimits(conf)
      : instances > 1
        ? [setRemedy("spark.executor.instances", `${Math.floor(instances / 2)}`)]
        : []),
    text(msg("View and raise the quota as an administrator"), editQuota(name, place)),
  ];
};

const sendPackages: Find = () => [
  {
    kind: "edit",
    title: msg("Send the missing packages with the run"),
    edits: [{ kind: "member", name: "pythonPackages", value: "send" }],
  },
];

const largerResults: Find = ({ told }, { conf }) => {
  const [, amount, unit] = /\(([\d.]{1,12}) (B|KiB|MiB|GiB)\) is bigger/.exec(told ?? "") ?? [];
  const factor = { B: 2 ** -20, KiB: 2 ** -10, MiB: 1, GiB: 1024 }[unit ?? ""] ?? NaN;
  const seen = Number(amount ?? NaN) * factor;
  const present = mebibytesOf(conf?.get("spark.driver.maxResultSize") ?? "1g") ?? 1024;
  const next = Math.ceil(2 * Math.max(Number.isNaN(seen) ? 0 : seen, present, 64));
  return [setRemedy("spark.driver.maxResultSize", sizeText(next))];
};

const slowerBroadcast: Find = (_, { conf }) => {
  // Spark's default is 300 s.
  const present = parseTime(conf?.get("spark.sql.broadcastTimeout") ?? "300", 1_000) ?? 0;
  const next = Math.max(1200, 4 * Math.ceil(present / 1_000));
  // Offers both fixes, because the threshold does not affect a join with a broadcast hint.
  return [
    setRemedy("spark.sql.broadcastTimeout", `${next}`),
    setRemedy("spark.sql.autoBroadcastJoinThreshold", "-1"),
  ];
};

// The Hadoop versions in Spark's own distributions, from the name of the `hadoop-client-api` jar.
const hadoopOfSpark: Partial<Record<SparkMinor, string>> = { "3.5": "3.3.4", "4.3": "3.5.0" };

const loadFileSystem: Find = ({ told }, { minor, conf }) => {
  const hadoop = hadoopOfSpark[minor];
  if (hadoop === undefined || !/s3a/i.test(told ?? "")) return [];
  const packages = conf?.get("spark.jars.packages");
  const library = `org.apache.hadoop:hadoop-aws:${hadoop}`;
  return [setRemedy("spark.jars.packages", packages ? `${packages},${library}` : library)];
};

/** Returns a fix that removes the key that causes the failure. Empty if the run does not set it. */
const onlyIn =
  ({ id, logKind }: Diagnosis): Find =>
  (_, { conf }) => {
    const key = removedKeys[logKind ?? id];
    return key !== undefined && conf?.has(key) === true ? [unset(key)] : [];
  };

/** The keys to remove, by rule id or by log cause kind. */
const removedKeys: Readonly<Record<string, string>> = {
  D12: "spark.kubernetes.executor.container.image",
  D18: "spark.driver.timeout",
  D52: "spark.kubernetes.scheduler.name",
  claimWait: "spark.kubernetes.driver.waitToReusePersistentVolumeClaim",
  sparkVersion: "spark.kubernetes.executor.container.image",
  podLimit: "spark.kubernetes.allocation.maximum",
};

const withoutHeartbeat: Find = ({ keys }, { conf }) =>
  unsetAll(keys.filter((key) => conf?.has(key) === true));

/**
 * Returns a fix that lowers the cores of a task to those of an executor, so that each executor can run a task. Empty if
 * the run does not set the cores of a task.
 */
const lowerTaskCores: Find = (_, { conf }) => {
  const key = "spark.task.cpus";
  return conf?.has(key) === true ? [setRemedy(key, conf.get("spark.executor.cores") ?? "1")] : [];
};

const lookAtService: Find = ({ told }, { namespace }) => {
  const [, name, place] = serviceOfDriver.exec(told ?? "") ?? [];
  const command = describeService(
    safeName(name, "<name>"),
    safeName(place ?? namespace, "<namespace>"),
  );
  return [text(msg("Compare the Service with the driver pod"), command)];
};

/**
 * Returns a fix after which the driver and the executors use the same Python. It removes the executors' own image, or
 * else the conf keys that select a Python interpreter.
 */
const useOnePython: Find = (_, { conf }) => {
  const image = "spark.kubernetes.executor.container.image";
  const own = ["spark.pyspark.python", "spark.pyspark.driver.python"];
  if (conf?.has(image) === true) return [unset(image)];
  return unsetAll(own.filter((key) => conf?.has(key) === true));
};

/**
 * Returns fixes that replace Scala 2.11 and 2.12 in artifact names. Empty before Spark 4, which has Scala 2.13 only.
 */
const useScala213: Find = (_, { conf, minor }) =>
  minor.startsWith("3.")
    ? []
    : ["spark.jars.packages", "spark.jars"].flatMap((key) => {
        const present = conf?.get(key) ?? "";
        const next = present.replace(/_2\.1[12](?=[-:])/g, "_2.13");
        return next === present ? [] : [setRemedy(key, next)];
      });

const useOffered: Find = ({ told }) => {
  const [, key, value] = offeredSetting.exec(told ?? "") ?? [];
  return key === undefined || value === undefined ? [] : [setRemedy(key, value)];
};

const openOrUnset = (keys: readonly string[]): readonly Remedy[] => [
  ...keys.map(openRemedy),
  ...unsetAll(keys),
];

/** Returns fixes that open or remove the conf keys whose value lists the program or class that the error names. */
const withoutNamed =
  (pattern: RegExp): Find =>
  ({ told }, { conf }) => {
    const name = nameIn(told, pattern);
    const keys = [...(conf ?? [])]
      .filter(([, value]) => name !== undefined && value.split(",").includes(name))
      .map(([key]) => key);
    return openOrUnset(keys);
  };

const always =
  (key: string, value: string): Find =>
  () => [setRemedy(key, value)];

const checkedContainers = "spark.kubernetes.executor.checkAllContainers";

/** Returns a fix that stops Spark from checking sidecars. Empty unless a sidecar ended the executor. */
const checkOwnContainer: Find = ({ keys }) =>
  keys.includes(checkedContainers) ? [setRemedy(checkedContainers, "false")] : [];

const longerGrace: Find = (_, { conf, role }) => {
  const key = `spark.kubernetes.${role}.terminationGracePeriodSeconds`;
  // Spark's default is 30 s.
  const present = parseTime(conf?.get(key) ?? "30", 1_000) ?? 0;
  return [setRemedy(key, `${Math.max(120, 2 * Math.ceil(present / 1_000))}`)];
};

const longerApiTimeouts: Find = (_, { conf }) => {
  // Spark's default is 10 s.
  const next = (key: string): string =>
    `${Math.max(60_000, 2 * (parseTime(conf?.get(key) ?? "10000", 1) ?? 0))}`;
  const [connection, request] = [
    "spark.kubernetes.driver.connectionTimeout",
    "spark.kubernetes.driver.requestTimeout",
  ] as const;
  return [
    setRemedy(connection, next(connection), [{ kind: "set", key: request, value: next(request) }]),
  ];
};

const largerEmptyDir: Find = (_, { conf, role }) => {
  const limitsOf = (each: PodRole) =>
    [...(conf ?? [])].filter(
      ([key]) =>
        key.startsWith(`spark.kubernetes.${each}.volumes.emptyDir.`) &&
        key.endsWith(".options.sizeLimit"),
    );
  const own = limitsOf(role);
  // The driver's log also contains errors of its executors' tasks, so the full volume may be an executor's.
  const limits = own.length > 0 || role === "executor" ? own : limitsOf("executor");
  // A size limit reserves no space, so a large increase costs nothing.
  return limits.flatMap(([key, value]) => {
    const [, digits, unit = ""] = /^(\d{1,9})([KMGT]i?)?$/.exec(value) ?? [];
    return digits === undefined
      ? [openRemedy(key)]
      : [setRemedy(key, `${4 * Number(digits)}${unit}`)];
  });
};

const claimName = /persistentvolumeclaim "([^"]{1,253})" not found/i;

/**
 * Returns fixes that open the conf keys of a missing volume claim, and the YAML to create it. With `ReadWriteOnce`,
 * several executors can mount the claim on one node. The size is an example for the user to change.
 */
const missingClaim: Find = ({ told }, { namespace, conf }) => {
  const found = nameIn(told, claimName);
  const name = safeName(found, "<name>");
  const claim = {
    ...{ apiVersion: "v1", kind: "PersistentVolumeClaim" },
    metadata: { name, namespace: safeName(namespace, "<namespace>") },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "10Gi" } } },
  };
  return [
    ...keysNaming(conf, found).map(openRemedy),
    text(msg("Create the volume claim"), printYaml(claim)),
  ];
};

const openStorageClass: Find = (_, { conf, role }) =>
  [...(conf?.keys() ?? [])]
    .filter(
      (key) =>
        key.startsWith(`spark.kubernetes.${role}.volumes.persistentVolumeClaim.`) &&
        key.endsWith(".options.storageClass"),
    )
    .map(openRemedy);

const withoutShuffleService: Find = () => [
  setRemedy("spark.shuffle.service.enabled", "false", [
    { kind: "set", key: "spark.dynamicAllocation.shuffleTracking.enabled", value: "true" },
  ]),
];

/** Returns the fixes for the kind of error that an event's message describes. */
const ofMessage: Find = (diagnosis, facts) => {
  const kind = kindOfError(diagnosis.told ?? "");
  return isFixableKind(kind) ? byLog[kind](diagnosis, facts) : [];
};

/**
 * Wraps a fix for the image of Spark's container. If the problem is in another container, opens the pod template
 * instead, because no conf key sets the image of that container.
 */
const ofSparkImage =
  (find: Find): Find =>
  (diagnosis, facts) => {
    const template = `spark.kubernetes.${facts.role}.podTemplateFile`;
    return diagnosis.keys.includes(template) ? [openRemedy(template)] : find(diagnosis, facts);
  };

const openImage = ofSparkImage((_, { conf, role }) => {
  const own = `spark.kubernetes.${role}.container.image`;
  return [openRemedy(conf?.has(own) === true ? own : "spark.kubernetes.container.image")];
});

/**
 * Returns a fix that opens the image's conf key. If the pull policy is `Always`, also returns a fix that uses the image
 * on the node if there is one, because the repeated pull may be the problem.
 */
const openPulledImage: Find = (diagnosis, facts) => {
  const policy = "spark.kubernetes.container.image.pullPolicy";
  const isPulled = facts.conf?.get(policy) === "Always";
  const opened = openImage(diagnosis, facts);
  return isPulled ? [...opened, setRemedy(policy, "IfNotPresent")] : opened;
};

/**
 * Returns fixes that open the conf keys of a volume, or the pod template if the conf has none. For a `hostPath` volume
 * of type `Directory`, also returns a fix that sets `DirectoryOrCreate`, so that the node creates a missing directory.
 */
const settingsOfVolume: Find = ({ keys }, { conf, role }) => {
  const present = keys.filter((key) => conf?.has(key) === true);
  const type = present.find((key) => key.endsWith(".options.type"));
  if (present.length === 0) return [openRemedy(`spark.kubernetes.${role}.podTemplateFile`)];
  const paths = present.filter((key) => key !== type).map(openRemedy);
  const isDirectory = type !== undefined && conf?.get(type) === "Directory";
  return [...paths, ...(isDirectory ? [setRemedy(type, "DirectoryOrCreate")] : [])];
};

/** Returns fixes that open the conf keys whose value is the missing file or directory. */
const missingPath: Find = ({ told }, { conf, mainClass }) => {
  const path = nameIn(told, /(?:[': ]|file:)(\/[^\s'"]{1,500})/);
  if (path === undefined || conf === undefined) return [];
  const keys = [...conf].filter(([, value]) => pathOf(value) === pathOf(path)).map(([key]) => key);
  const isEventLog = keys.includes("spark.eventLog.dir");
  // If the path is the whole value of `spark.jars`, it is the jar of a JVM application.
  const isOwnJar = (key: string): boolean =>
    key === "spark.jars" && mainClass !== runnerClass.python;
  return [
    ...(/can't open file/.test(told ?? "") ? [openApplication] : []),
    ...keys.map((key) => (isOwnJar(key) ? openApplication : openRemedy(key))),
    ...(isEventLog ? [setRemedy("spark.eventLog.enabled", "false")] : []),
  ];
};

/** Returns the path of a URI, without the scheme and without a slash at the end. */
const pathOf = (uri: string): string =>
  uri.replace(/^[a-z]{1,10}:(?:\/\/)?(?=\/)/, "").replace(/\/$/, "");

/**
 * Returns a fix that lowers the heap so that the container's memory is within the maximum of a LimitRange. The pod name
 * in the message shows whether driver or executor pods are rejected.
 */
const withinLimitRange: Find = ({ told }, { conf, role, minor }) => {
  const [, , resource, bound = ""] = limitRange.exec(told ?? "") ?? [];
  const memoryBytes = parseQuantity(bound);
  const isUpper = /maximum memory/.test(told ?? "") && resource === "memory";
  if (!isUpper || conf === undefined || memoryBytes === undefined) return [];
  const rejected = /-exec-\d{1,9}"/.test(told ?? "") ? "executor" : role;
  const heap = heapWithin(conf, rejected, minor, memoryBytes / 2 ** 20);
  return heap === undefined ? [] : [setRemedy(`spark.${rejected}.memory`, sizeText(heap))];
};

const byRule: Readonly<Record<FixableRule, Find>> = {
  D01: raiseOverheadOrUseDisk,
  D02: raiseOverheadOrUseDisk,
  D03: raiseOverheadOrUseDisk,
  D04: checkOwnContainer,
  D104: checkOwnContainer,
  D05: longerGrace,
  D08: raiseHeap,
  D10: (diagnosis, facts) => (facts.role === "executor" ? decommission(diagnosis, facts) : []),
  D19: () => [openMainClass],
  D22: largerEmptyDir,
  D25: decommission,
  D26: decommission,
  D27: decommission,
  D29: decommission,
  D32: decommission,
  D38: lowerCores,
  D39: lowerMemory,
  D42: tolerate,
  D43: removeSelectors,
  D47: missingClaim,
  D49: always("spark.kubernetes.legacy.useReadWriteOnceAccessMode", "true"),
  D54: openPulledImage,
  D55: pullSecret,
  D57: openPulledImage,
  D58: openImage,
  D59: ofSparkImage(always("spark.kubernetes.container.image.pullPolicy", "IfNotPresent")),
  D60: openImage,
  D62: missingSource("secret"),
  D63: missingSource("configmap"),
  D70: (diagnosis, facts) =>
    missingSource(sourceName.secret.test(diagnosis.told ?? "") ? "secret" : "configmap")(
      diagnosis,
      facts,
    ),
  D72: settingsOfVolume,
  D74: openStorageClass,
  D78: ofMessage,
  D101: decommission,
  D107: openPulledImage,
  D114: (diagnosis, facts) => (facts.role === "executor" ? decommission(diagnosis, facts) : []),
};

const byLog: Readonly<Record<FixableKind, Find>> = {
  architecture: openImage,
  entrypoint: openImage,
  apiServer: longerApiTimeouts,
  heap: raiseHeap,
  taskHeap: (diagnosis, facts) => raiseHeap(diagnosis, { ...facts, role: "executor" }),
  driverService: lookAtService,
  ivyHome: always("spark.jars.ivy", "/tmp/.ivy2"),
  pythonModule: sendPackages,
  pythonVersion: useOnePython,
  pythonWorker: executorOverhead,
  pythonMemory: raisePython,
  pythonProgram: withoutNamed(/Cannot run program "([^"]{1,300})"/),
  mainClass: (diagnosis, facts) =>
    facts.mainClass !== undefined && classIn(diagnosis.told ?? "") === facts.mainClass
      ? [openMainClass]
      : withoutNamed(/ClassNotFoundException: ([\w$.]{1,300})/)(diagnosis, facts),
  minimumMemory: raiseToMinimum,
  heartbeat: withoutHeartbeat,
  taskCores: lowerTaskCores,
  offeredSetting: useOffered,
  confValue: ({ keys }, { conf }) => openOrUnset(keys.filter((key) => conf?.has(key) === true)),
  ansi: always("spark.sql.ansi.enabled", "false"),
  executorLost: ({ told, ...rest }, facts) =>
    /137|OOM/.test(told ?? "") ? executorOverhead({ told, ...rest }, facts) : [],
  forbidden,
  quota,
  limitRange: withinLimitRange,
  file: missingPath,
  shuffleService: withoutShuffleService,
  scalaVersion: useScala213,
  shuffleTracking: always("spark.dynamicAllocation.shuffleTracking.enabled", "true"),
  fileSystem: loadFileSystem,
  resultSize: largerResults,
  broadcastTimeout: slowerBroadcast,
  broadcastSize: always("spark.sql.autoBroadcastJoinThreshold", "-1"),
  fetchFailed: decommission,
  diskFull: largerEmptyDir,
};
