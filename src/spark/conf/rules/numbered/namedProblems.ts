import { msg } from "../../../../base/message.ts";
import type { Finding } from "../../lint/finding.ts";
import type { NamedProblem } from "./confRule.ts";

type Keyed = Finding & { readonly key: string };

const isValue = (finding: Keyed): boolean => "value" in finding;
const valueOf =
  (...keys: readonly string[]) =>
  (finding: Keyed): boolean =>
    isValue(finding) && keys.includes(finding.key);
const unknown =
  (keys: RegExp) =>
  (finding: Keyed): boolean =>
    (finding.code === "unknown-key" || finding.code === "removed-key") && keys.test(finding.key);
const aged =
  (keys: RegExp) =>
  (finding: Keyed): boolean =>
    (finding.code === "deprecated-key" ||
      finding.code === "removed-key" ||
      finding.code === "old-name") &&
    keys.test(finding.key);
const allocation = (name: string): string => `spark.kubernetes.allocation.${name}`;
const da = (name: string): string => `spark.dynamicAllocation.${name}`;

/**
 * Rules that give findings about single keys and values a number and a page. The first matching
 * rule applies.
 */
export const namedProblems: readonly NamedProblem[] = [
  {
    code: "R013-executor-prefix-length",
    severity: "error",
    says: msg("The name prefix of executor pods is too long."),
    page: msg(
      "Spark appends `-exec-` and a number to `spark.kubernetes.executor.podNamePrefix`. A pod name has at most 253 characters, so the prefix can have at most 237.",
    ),
    hit: `spark.kubernetes.executor.podNamePrefix ${"long-".repeat(48)}name`,
    miss: "spark.kubernetes.executor.podNamePrefix long-name",
    names: (finding) =>
      valueOf("spark.kubernetes.executor.podNamePrefix")(finding) &&
      "value" in finding &&
      finding.value.length > 237,
  },
  {
    code: "R014-executor-prefix-syntax",
    severity: "error",
    says: msg("The name prefix of executor pods must be a DNS name."),
    page: msg(
      "Use lowercase letters, digits, dashes and dots. Each part must begin and end with a letter or digit. Spark rejects any other prefix.",
    ),
    hit: "spark.kubernetes.executor.podNamePrefix My_App",
    miss: "spark.kubernetes.executor.podNamePrefix my-app",
    names: valueOf("spark.kubernetes.executor.podNamePrefix"),
  },
  {
    code: "R020-pull-policy",
    severity: "error",
    says: msg("The pull policy must be Always, IfNotPresent or Never, spelled exactly."),
    page: msg("The value is case-sensitive and must not contain extra spaces."),
    hit: "spark.kubernetes.container.image.pullPolicy always",
    miss: "spark.kubernetes.container.image.pullPolicy Always",
    names: valueOf("spark.kubernetes.container.image.pullPolicy"),
  },
  {
    code: "R027-cores-not-whole",
    severity: "error",
    hit: "spark.executor.cores 500m",
    miss: "spark.kubernetes.executor.request.cores 500m",
    names: valueOf("spark.executor.cores", "spark.driver.cores"),
  },
  {
    code: "R035-size-unit",
    severity: "error",
    says: msg("Spark cannot parse this size."),
    page: msg(
      "A size is an integer followed by a unit, without a space: `4g`, `1536m`. All versions reject fractions. Spark 4.2 and later accept `Ki`, `Mi`, `Gi` and `Ti`.",
    ),
    hit: "spark.executor.memory 1.5g",
    miss: "spark.executor.memory 1536m",
    names: (finding) =>
      finding.code === "bad-size" && ["binaryUnit", "fraction", "space"].includes(finding.why),
  },
  {
    code: "R040-overhead-factor-range",
    severity: "error",
    says: msg("The factor is outside the range that Spark accepts."),
    page: msg(
      "`spark.driver.memoryOverheadFactor` and `spark.executor.memoryOverheadFactor` must be more than 0. `spark.kubernetes.memoryOverheadFactor` must be 0 or more.",
    ),
    hit: "spark.executor.memoryOverheadFactor 0",
    miss: "spark.kubernetes.memoryOverheadFactor 0",
    names: valueOf(
      "spark.driver.memoryOverheadFactor",
      "spark.executor.memoryOverheadFactor",
      "spark.kubernetes.memoryOverheadFactor",
    ),
  },
  {
    code: "R045-off-heap-without-size",
    severity: "error",
    hit: "spark.memory.offHeap.size -1",
    miss: "spark.memory.offHeap.size 1g",
    names: (finding) =>
      finding.code === "out-of-range" && finding.key === "spark.memory.offHeap.size",
  },
  {
    code: "R051-memory-fractions",
    severity: "error",
    hit: "spark.memory.storageFraction 1",
    miss: "spark.memory.fraction 1",
    names: valueOf("spark.memory.fraction", "spark.memory.storageFraction"),
  },
  {
    code: "R063-ip-families",
    severity: "error",
    from: "3.4",
    hit: "spark.kubernetes.driver.service.ipFamilies IPv4, IPv6",
    miss: "spark.kubernetes.driver.service.ipFamilies IPv4",
    names: valueOf(
      "spark.kubernetes.driver.service.ipFamilies",
      "spark.kubernetes.driver.service.ipFamilyPolicy",
    ),
  },
  {
    code: "R098-batch-delay",
    severity: "error",
    says: msg("The delay between batches is too short for this version."),
    page: msg(
      "It must be more than 0, and in Spark 4.0 and later more than 100 ms. The default is `1s`. A number without a unit is in milliseconds.",
    ),
    hit: "spark.kubernetes.allocation.batch.delay 100ms",
    miss: "spark.kubernetes.allocation.batch.delay 1s",
    names: valueOf(allocation("batch.delay")),
  },
  {
    code: "R099-batch-size",
    severity: "error",
    says: msg("A batch must contain at least one executor."),
    page: msg("Set `spark.kubernetes.allocation.batch.size` to 1 or more."),
    hit: "spark.kubernetes.allocation.batch.size 0",
    miss: "spark.kubernetes.allocation.batch.size 1",
    names: valueOf(allocation("batch.size")),
  },
  {
    code: "R101-pending-bounds",
    severity: "error",
    hit: "spark.kubernetes.allocation.maxPendingPods 0",
    miss: "spark.kubernetes.allocation.maxPendingPods 1",
    names: valueOf(allocation("maxPendingPods"), allocation("maxPendingPodsPerRp")),
  },
  {
    code: "R119-executors-not-positive",
    severity: "error",
    hit: "spark.executor.instances two",
    miss: "spark.executor.instances 2",
    names: valueOf("spark.executor.instances"),
  },
  {
    code: "R123-executor-bounds",
    severity: "error",
    hit: "spark.dynamicAllocation.maxExecutors many",
    miss: "spark.dynamicAllocation.maxExecutors 10",
    names: valueOf(da("minExecutors"), da("maxExecutors"), da("initialExecutors")),
  },
  {
    code: "R125-allocation-times",
    severity: "error",
    hit: "spark.dynamicAllocation.executorIdleTimeout -1s",
    miss: "spark.dynamicAllocation.executorIdleTimeout 60s",
    names: valueOf(
      da("executorIdleTimeout"),
      da("cachedExecutorIdleTimeout"),
      da("shuffleTracking.timeout"),
      da("schedulerBacklogTimeout"),
      da("sustainedSchedulerBacklogTimeout"),
      da("executorAllocationRatio"),
    ),
  },
  {
    code: "R145-fallback-path",
    severity: "error",
    says: msg("The path of the fallback storage must end with a slash."),
    page: msg(
      "Spark appends file names directly to `spark.storage.decommission.fallbackStorage.path` and rejects a path without a trailing slash.",
    ),
    hit: "spark.storage.decommission.fallbackStorage.path s3a://bucket/blocks",
    miss: "spark.storage.decommission.fallbackStorage.path s3a://bucket/blocks/",
    names: valueOf("spark.storage.decommission.fallbackStorage.path"),
  },
  {
    code: "R147-roll-policy",
    severity: "error",
    says: msg("This Spark version does not support this executor roll policy."),
    page: msg(
      "The value is not case-sensitive. Spark 3.4 added PEAK_JVM_ONHEAP_MEMORY, PEAK_JVM_OFFHEAP_MEMORY, TOTAL_SHUFFLE_WRITE and DISK_USED.",
    ),
    hit: "spark.kubernetes.executor.rollPolicy OLDEST",
    miss: "spark.kubernetes.executor.rollPolicy outlier",
    names: valueOf("spark.kubernetes.executor.rollPolicy"),
  },
  {
    code: "R148-resize-plugin-off",
    severity: "error",
    from: "4.2",
    hit: "spark.kubernetes.executor.resizeThreshold 1",
    miss: "spark.kubernetes.executor.resizeThreshold 0.9",
    names: (finding) =>
      isValue(finding) && /^spark\.kubernetes\.executor\.(?:pvc\.)?resize/.test(finding.key),
  },
  {
    code: "R161-config-map-size",
    severity: "error",
    says: msg("A ConfigMap can contain at most 1 MiB."),
    page: msg(
      "`spark.kubernetes.configMap.maxSize` must be at most 1048576, the limit of the Kubernetes API.",
    ),
    hit: "spark.kubernetes.configMap.maxSize 2097152",
    miss: "spark.kubernetes.configMap.maxSize 1048576",
    names: valueOf("spark.kubernetes.configMap.maxSize"),
  },
  {
    code: "R190-python-version",
    severity: "warning",
    hit: "spark.kubernetes.pyspark.pythonVersion 3",
    miss: "spark.pyspark.python python3",
    names: ({ key }) => key === "spark.kubernetes.pyspark.pythonVersion",
  },
  {
    code: "R053-pod-memory-key",
    severity: "warning",
    says: msg(
      "Spark has no such property: it calculates the memory of a pod from heap and overhead.",
    ),
    page: msg(
      "The memory request and limit are both `spark.executor.memory` plus `spark.executor.memoryOverhead` (similarly for the driver). Set these properties instead.",
    ),
    hit: "spark.kubernetes.executor.limit.memory 8g",
    miss: "spark.executor.memory 8g",
    names: unknown(/^spark\.kubernetes\.(?:driver|executor)\.(?:request|limit)\.memory$/),
  },
  {
    code: "R184-fork-key",
    severity: "warning",
    says: msg(
      "This property exists only in the fork from which Spark on Kubernetes originated, not in Spark.",
    ),
    page: msg(
      "Set images with `spark.kubernetes.container.image`, `spark.kubernetes.driver.container.image` or `spark.kubernetes.executor.container.image`. The other properties of the fork have no equivalent.",
    ),
    hit: "spark.kubernetes.driver.docker.image app:1",
    miss: "spark.kubernetes.driver.container.image app:1",
    names: unknown(
      /^spark\.kubernetes\.(?:(?:driver|executor|initcontainer)\.docker\.|shuffle\.|resourceStagingServer\.|initcontainer\.)/,
    ),
  },
  {
    code: "R185-init-container",
    severity: "warning",
    says: msg("Spark 2.4 and later have no init container and ignore this property."),
    page: msg("Upload dependencies, or add them to the image. Remove the property."),
    hit: "spark.kubernetes.initContainer.image init:1",
    miss: "spark.kubernetes.container.image app:1",
    names: unknown(/^spark\.kubernetes\.(?:initContainer|mountDependencies)\./),
  },
  {
    code: "R191-lost-check",
    severity: "information",
    says: msg("Spark no longer uses this property to monitor executors."),
    page: msg("Remove `spark.kubernetes.executor.lostCheck.maxAttempts`."),
    hit: "spark.kubernetes.executor.lostCheck.maxAttempts 3",
    miss: "spark.kubernetes.executor.missingPodDetectDelta 30s",
    names: unknown(/^spark\.kubernetes\.executor\.lostCheck/),
  },
  {
    code: "R194-misspelled-decommission-label",
    severity: "warning",
    says: msg("Misspelled: use decommissionLabel, with two m."),
    page: msg("The spelling with three m existed in development builds only."),
    hit: "spark.kubernetes.executor.decommmissionLabel leaving",
    miss: "spark.kubernetes.executor.decommissionLabel leaving",
    names: unknown(/decommmission/),
  },
  {
    code: "R186-excluded-names",
    severity: "warning",
    says: msg("This is an old name of the properties that exclude failing executors."),
    page: msg(
      "Use `spark.excludeOnFailure.…` and `spark.scheduler.excludeOnFailure.…`. Spark 4.1 and later ignore the old names.",
    ),
    hit: "spark.blacklist.enabled true",
    miss: "spark.excludeOnFailure.enabled true",
    names: aged(/^spark\.(?:scheduler\.)?blacklist\./),
  },
  {
    code: "R188-executor-plugins",
    severity: "warning",
    says: msg("Spark no longer supports this type of executor plugin."),
    page: msg("Write a plugin for `spark.plugins`, which supports the driver and executors."),
    hit: "spark.executor.plugins org.example.Plugin",
    miss: "spark.plugins org.example.Plugin",
    names: aged(/^spark\.executor\.plugins$/),
  },
  {
    code: "R192-renamed-buffer",
    severity: "information",
    from: "4.0",
    says: msg("This property was renamed in Spark 4.0."),
    page: msg("Use `spark.shuffle.localDisk.file.output.buffer`."),
    hit: "spark.shuffle.unsafe.file.output.buffer 32k",
    miss: "spark.shuffle.localDisk.file.output.buffer 32k",
    names: aged(/^spark\.shuffle\.unsafe\.file\.output\.buffer$/),
  },
  {
    code: "R189-dead-key",
    severity: "information",
    hit: "spark.cache.class org.example.Cache",
    miss: "spark.app.name etl",
    names: (finding) =>
      /^spark\.(?:executor\.port|rpc|cache\.class|shuffle\.service\.index\.cache\.entries|shuffle\.spill|rpc\.numRetries|rpc\.retry\.wait)$/.test(
        finding.key,
      ) &&
      !isValue(finding) &&
      finding.code !== "duplicate-key",
  },
  {
    code: "R180-mesos-key",
    severity: "information",
    from: "4.0",
    hit: "spark.mesos.coarse true",
    miss: "spark.app.name etl",
    names: aged(/^spark\.mesos\./),
  },
  {
    code: "R177-yarn-alias",
    severity: "warning",
    says: msg("This is an old name that Spark still reads on Kubernetes."),
    page: msg(
      "Use the property that replaced it, such as `spark.executor.memoryOverhead` or `spark.kerberos.keytab`.",
    ),
    hit: "spark.yarn.executor.memoryOverhead 1g",
    miss: "spark.executor.memoryOverhead 1g",
    names: aged(
      /^spark\.yarn\.(?:(?:driver|executor)\.memoryOverhead|keytab|principal|kerberos\.relogin\.period|access\.(?:namenodes|hadoopFileSystems)|max\.executor\.failures|executor\.failuresValidityInterval)$/,
    ),
  },
  {
    code: "R073-two-sub-paths",
    severity: "warning",
    to: "3.5",
    hit: "spark.kubernetes.driver.volumes.emptyDir.a.mount.subPathExpr x",
    miss: "spark.kubernetes.driver.volumes.emptyDir.a.mount.subPath x",
    names: ({ code, key }) => code === "future-key" && key.endsWith(".mount.subPathExpr"),
  },
  {
    code: "R149-failure-budget",
    severity: "warning",
    to: "3.4",
    hit: "spark.executor.maxNumFailures 5",
    miss: "spark.executor.instances 5",
    names: ({ code, key }) => code === "future-key" && key === "spark.executor.maxNumFailures",
  },
  {
    code: "R183-too-new",
    severity: "warning",
    to: "4.2",
    says: msg("This property requires a later version of Spark. The selected version ignores it."),
    page: msg("Use a later version of Spark, or remove the property."),
    hit: "spark.kubernetes.driver.service.publishNotReadyAddresses true",
    miss: "spark.kubernetes.driver.service.annotation.a b",
    names: (finding) => finding.code === "future-key",
  },
  {
    code: "R182-invented-key",
    severity: "warning",
    says: msg("Spark has no such property for Kubernetes."),
    page: msg(
      "Spark reserves the prefix `spark.kubernetes.`. Use a pod template for fields without a Spark property, such as tolerations and affinity.",
    ),
    hit: "spark.kubernetes.image app:1",
    miss: "spark.kubernetes.container.image app:1",
    names: (finding) =>
      finding.code === "unknown-key" && finding.key.startsWith("spark.kubernetes."),
  },
  {
    code: "R211-operator-allocation-twice",
    severity: "warning",
    says: msg("The manifest configures dynamic allocation in two places."),
    page: msg(
      "A field of the SparkApplication and `sparkConf` both set this property, and the field normally overrides `sparkConf`. Keep one of them.",
    ),
    hit: "spark.dynamicAllocation.maxExecutors 5\nspark.dynamicAllocation.maxExecutors 9",
    miss: "spark.dynamicAllocation.maxExecutors 5",
    names: (finding) =>
      finding.code === "duplicate-key" &&
      finding.isField === true &&
      finding.isSame !== true &&
      finding.key.startsWith("spark.dynamicAllocation."),
  },
  {
    code: "R210-operator-overlap",
    severity: "warning",
    says: msg("A field of the manifest also sets this property."),
    page: msg(
      "A field of the SparkApplication and `sparkConf` both set this property, and the field normally overrides `sparkConf`. Keep one of them.",
    ),
    hit: "spark.executor.cores 1\nspark.executor.cores 2",
    miss: "spark.executor.cores 1",
    names: (finding) => finding.code === "duplicate-key" && finding.isField === true,
  },
  {
    code: "R195-duplicate-key",
    severity: "warning",
    hit: "spark.executor.cores 1\nspark.executor.cores 2",
    miss: "spark.executor.cores 1\nspark.driver.cores 1",
    names: (finding) => finding.code === "duplicate-key",
  },
];
