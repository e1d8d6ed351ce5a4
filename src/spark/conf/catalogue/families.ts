import { isFrom, type SparkVersion } from "./sparkVersions.ts";

/** A family of keys with variable parts, such as `spark.executorEnv.<name>`, which no list can enumerate. */
export interface Family {
  /** `<x>` matches one part without a dot; `*` at the end matches the rest of the key. */
  readonly pattern: string;
  /** The first version that reads such names. Undefined: no lower bound. */
  readonly from?: SparkVersion;
  /** The last version that reads such names. Undefined: no upper bound. */
  readonly to?: SparkVersion;
  /** True if Spark accepts only `true` and `false` as the value. */
  readonly isBoolean?: true;
}

const volumeOptions = [
  "mount.path",
  "mount.subPath",
  "options.path",
  "options.medium",
  "options.sizeLimit",
  "options.server",
  "options.claimName",
  "options.storageClass",
];
const credentials = [
  "caCertFile",
  "clientKeyFile",
  "clientCertFile",
  "oauthToken",
  "oauthTokenFile",
];
const authenticated = ["", ".driver", ".driver.mounted", ".executor", ".submission"];

const podFamilies = (role: string): readonly Family[] => [
  { pattern: `spark.kubernetes.${role}.label.*` },
  { pattern: `spark.kubernetes.${role}.annotation.*` },
  { pattern: `spark.kubernetes.${role}.secrets.*` },
  { pattern: `spark.kubernetes.${role}.secretKeyRef.*` },
  { pattern: `spark.kubernetes.${role}.node.selector.*` },
  ...volumeOptions.map((option) => ({
    pattern: `spark.kubernetes.${role}.volumes.<type>.<name>.${option}`,
  })),
  { pattern: `spark.kubernetes.${role}.volumes.<type>.<name>.mount.subPathExpr`, from: "4.0" },
  { pattern: `spark.kubernetes.${role}.volumes.<type>.<name>.options.type`, from: "4.0" },
  { pattern: `spark.kubernetes.${role}.volumes.<type>.<name>.mount.readOnly`, isBoolean: true },
  { pattern: `spark.kubernetes.${role}.volumes.<type>.<name>.label.*`, from: "4.0" },
  { pattern: `spark.kubernetes.${role}.volumes.<type>.<name>.annotation.*`, from: "4.0" },
];

const resourceFamilies = (role: string, settings: readonly string[]): readonly Family[] =>
  settings.map((setting) => ({ pattern: `spark.${role}.resource.<name>.${setting}` }));

export const keyFamilies: readonly Family[] = [
  ...podFamilies("driver"),
  ...podFamilies("executor"),
  { pattern: "spark.kubernetes.driver.service.label.*", from: "3.4" },
  { pattern: "spark.kubernetes.driver.service.annotation.*" },
  { pattern: "spark.kubernetes.node.selector.*" },
  { pattern: "spark.kubernetes.driverEnv.*" },
  ...authenticated.flatMap((whose) =>
    credentials.map((file) => ({ pattern: `spark.kubernetes.authenticate${whose}.${file}` })),
  ),
  { pattern: "spark.executorEnv.*" },
  { pattern: "spark.hadoop.*" },
  { pattern: "spark.hive.*" },
  ...resourceFamilies("driver", ["amount", "discoveryScript", "vendor"]),
  ...resourceFamilies("executor", ["amount", "discoveryScript", "vendor"]),
  ...resourceFamilies("worker", ["amount", "discoveryScript"]),
  ...resourceFamilies("task", ["amount"]),
  { pattern: "spark.sql.catalog.*" },
  { pattern: "spark.sql.streaming.stateStore.rocksdb.*" },
  { pattern: "spark.metrics.conf.*" },
  { pattern: "spark.kafka.clusters.<name>.*" },
  { pattern: "spark.ssl.*" },
  { pattern: "spark.plugins.internal.conf.*" },
  { pattern: "spark.shuffle.plugin.__config__.*" },
  { pattern: "spark.io.encryption.commons.config.*" },
  { pattern: "spark.network.crypto.config.*" },
  { pattern: "spark.shuffle.io.*" },
  { pattern: "spark.rpc.io.*" },
  { pattern: "spark.files.io.*" },
  { pattern: "spark.driver.rpc.io.*" },
  { pattern: "spark.executor.rpc.io.*" },
  { pattern: "spark.driver.shuffle.io.*" },
  { pattern: "spark.executor.shuffle.io.*" },
  { pattern: "spark.rpc.netty.dispatcher.*" },
  { pattern: "spark.driver.rpc.netty.dispatcher.*" },
  { pattern: "spark.executor.rpc.netty.dispatcher.*" },
  { pattern: "spark.scheduler.listenerbus.eventqueue.<name>.capacity" },
  { pattern: "spark.security.credentials.<name>.enabled" },
  { pattern: "spark.yarn.security.credentials.<name>.enabled" },
  { pattern: "spark.yarn.security.tokens.<name>.enabled" },
  { pattern: "spark.yarn.appMasterEnv.*" },
  { pattern: "spark.yarn.am.resource.*" },
  { pattern: "spark.yarn.driver.resource.*" },
  { pattern: "spark.yarn.executor.resource.*" },
  { pattern: "spark.mesos.driverEnv.*", to: "3.5" },
  { pattern: "spark.mesos.dispatcher.driverDefault.*", to: "3.5" },
  { pattern: "spark.mesos.dispatcher.queue.*", to: "3.5" },
];

/** True if this Spark version reads names of the family. */
export const isRead = ({ from, to }: Family, version: SparkVersion): boolean =>
  (from === undefined || isFrom(version, from)) && (to === undefined || isFrom(to, version));

/**
 * Returns a function that finds the family of a key. It looks up each prefix of the key that ends with a dot, so it
 * compares the key only with families that have the same fixed first part.
 */
export function familyFinder(): (key: string) => Family | undefined {
  const byHead = new Map<string, Family[]>();
  for (const family of keyFamilies) {
    const head = headOf(family.pattern);
    byHead.set(head, [...(byHead.get(head) ?? []), family]);
  }
  const maxHeadLength = Math.max(...[...byHead.keys()].map((head) => head.length));
  return (key) => {
    for (
      let dot = key.indexOf(".");
      dot >= 0 && dot < maxHeadLength;
      dot = key.indexOf(".", dot + 1)
    ) {
      const found = byHead.get(key.slice(0, dot + 1))?.find((family) => isMember(key, family));
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

// Returns the pattern up to the first placeholder, or else up to the last dot.
function headOf(pattern: string): string {
  const open = pattern.search(/[<*]/);
  return open >= 0 ? pattern.slice(0, open) : pattern.slice(0, pattern.lastIndexOf(".") + 1);
}

function isMember(key: string, { pattern }: Family): boolean {
  const head = headOf(pattern);
  const tail = pattern.slice(head.length);
  const rest = key.slice(head.length);
  if (tail === "*") return rest !== "";
  const wanted = tail.split(".");
  const parts = rest.split(".");
  const isOpen = wanted.at(-1) === "*";
  if (isOpen ? parts.length < wanted.length : parts.length !== wanted.length) return false;
  return wanted.every(
    (part, index) =>
      part === "*" || part === parts[index] || (part.startsWith("<") && parts[index] !== ""),
  );
}
