// Maps nonexistent keys that users derive by analogy to the keys that have the intended effect.

export const mistakenKeys: ReadonlyMap<string, string> = new Map([
  ["spark.kubernetes.image", "spark.kubernetes.container.image"],
  ["spark.kubernetes.driver.image", "spark.kubernetes.driver.container.image"],
  ["spark.kubernetes.executor.image", "spark.kubernetes.executor.container.image"],
  ["spark.kubernetes.docker.image", "spark.kubernetes.container.image"],
  ["spark.kubernetes.driver.docker.image", "spark.kubernetes.driver.container.image"],
  ["spark.kubernetes.executor.docker.image", "spark.kubernetes.executor.container.image"],
  ["spark.kubernetes.docker.image.pullPolicy", "spark.kubernetes.container.image.pullPolicy"],
  ["spark.kubernetes.imagePullPolicy", "spark.kubernetes.container.image.pullPolicy"],
  ["spark.kubernetes.imagePullSecrets", "spark.kubernetes.container.image.pullSecrets"],
  [
    "spark.kubernetes.serviceAccountName",
    "spark.kubernetes.authenticate.driver.serviceAccountName",
  ],
  ["spark.kubernetes.serviceAccount", "spark.kubernetes.authenticate.driver.serviceAccountName"],
  [
    "spark.kubernetes.authenticate.serviceAccountName",
    "spark.kubernetes.authenticate.driver.serviceAccountName",
  ],
  [
    "spark.kubernetes.driver.serviceAccountName",
    "spark.kubernetes.authenticate.driver.serviceAccountName",
  ],
  ["spark.kubernetes.executor.instances", "spark.executor.instances"],
  ["spark.kubernetes.executor.cores", "spark.executor.cores"],
  ["spark.kubernetes.executor.memory", "spark.executor.memory"],
  ["spark.kubernetes.driver.cores", "spark.driver.cores"],
  ["spark.kubernetes.driver.memory", "spark.driver.memory"],
  ["spark.kubernetes.executor.request.memory", "spark.executor.memory"],
  ["spark.kubernetes.executor.limit.memory", "spark.executor.memory"],
  ["spark.kubernetes.driver.request.memory", "spark.driver.memory"],
  ["spark.kubernetes.driver.limit.memory", "spark.driver.memory"],
  ["spark.kubernetes.executor.decommmissionLabel", "spark.kubernetes.executor.decommissionLabel"],
]);

export const mistakenPrefixes: readonly (readonly [string, string])[] = [
  ["spark.driverEnv.", "spark.kubernetes.driverEnv."],
  ["spark.driver.env.", "spark.kubernetes.driverEnv."],
  ["spark.kubernetes.driver.env.", "spark.kubernetes.driverEnv."],
  ["spark.kubernetes.executorEnv.", "spark.executorEnv."],
  ["spark.kubernetes.executor.env.", "spark.executorEnv."],
  ["spark.executor.env.", "spark.executorEnv."],
];
