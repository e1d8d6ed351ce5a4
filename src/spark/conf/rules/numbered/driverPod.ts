// Keys that Spark reads only if it creates the driver pod: in cluster mode.
const role = "spark.kubernetes.driver.";
const kinds = ["label", "annotation", "volumes", "secrets", "secretKeyRef", "node.selector"];
const names = ["limit.cores", "request.cores", "podTemplateFile", "container.image"];

export const driverPodGroups: readonly string[] = kinds.map((kind) => `${role}${kind}.`);
export const driverPodKeys: readonly string[] = names.map((name) => role + name);

export const isOfDriverPod = (key: string): boolean =>
  key.startsWith(role) &&
  (driverPodKeys.includes(key) || driverPodGroups.some((prefix) => key.startsWith(prefix)));
