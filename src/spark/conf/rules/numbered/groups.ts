// Prefixes of keys that rules evaluate together.
const roles = ["driver", "executor"];
const prefixes: ReadonlySet<string> = new Set([
  ...roles.flatMap((role) => [
    `spark.kubernetes.${role}.label.`,
    `spark.kubernetes.${role}.annotation.`,
    `spark.kubernetes.${role}.node.selector.`,
    `spark.kubernetes.${role}.secretKeyRef.`,
    `spark.kubernetes.${role}.secrets.`,
    `spark.kubernetes.${role}.volumes.`,
    `spark.${role}.resource.`,
  ]),
  "spark.kubernetes.driver.service.label.",
  "spark.kubernetes.driver.service.annotation.",
  "spark.kubernetes.node.selector.",
  "spark.kubernetes.authenticate.",
  "spark.kubernetes.allocation.",
  "spark.task.resource.",
  "spark.executorEnv.",
  "spark.driverEnv.",
  "spark.kubernetes.executorEnv.",
  "spark.dynamicAllocation.",
  "spark.yarn.",
  "spark.mesos.",
  "spark.deploy.",
  "spark.worker.",
  "spark.excludeOnFailure.",
  "spark.hadoop.",
  "spark.metrics.conf.",
]);

const maxPrefixLength = Math.max(...[...prefixes].map((prefix) => prefix.length));

/** Returns the group prefix with which a key begins. Undefined if there is none. */
export function groupOf(key: string): string | undefined {
  let dot = key.indexOf(".", 6);
  while (dot >= 0 && dot < maxPrefixLength) {
    const prefix = key.slice(0, dot + 1);
    if (prefixes.has(prefix)) return prefix;
    dot = key.indexOf(".", dot + 1);
  }
  return undefined;
}
