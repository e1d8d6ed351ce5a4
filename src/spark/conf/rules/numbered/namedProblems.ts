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
    says: msg("The prefix of executor pods is too long."),
    page: msg(
      "Behind `spark.kubernetes.executor.podNamePrefix` Spark puts `-exec-` and a number; the whole must fit into 253 characters, so that 237 are left.",
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
    says: msg("The prefix of executor pods must be a DNS name."),
    page: msg(
      "Small letters, digits, dashes and dots, each part beginning and ending with a letter or digit. Spark refuses anything else.",
    ),
    hit: "spark.kubernetes.executor.podNamePrefix My_App",
    miss: "spark.kubernetes.executor.podNamePrefix my-app",
    names: valueOf("spark.kubernetes.executor.podNamePrefix"),
  },
  {
    code: "R020-pull-policy",
    severity: "error",
    says: msg("The pull policy is Always, IfNotPresent or Never, spelled so."),
    page: msg("Spark compares the value exactly, capitals and blanks included."),
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
    says: msg("Spark does not read a size like this."),
    page: msg(
      "A size is a whole number with a unit behind it and no blank between them: `4g`, `1536m`. Fractions are refused by all versions; `Ki`, `Mi`, `Gi` and `Ti` come with Spark 4.2.",
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
      "`spark.driver.memoryOverheadFactor` and `spark.executor.memoryOverheadFactor` must be above zero, `spark.kubernetes.memoryOverheadFactor` not below it.",
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
      "It must be above zero, and above 100 ms from Spark 4.0 on. The default is `1s`; a bare number is milliseconds.",
    ),
    hit: "spark.kubernetes.allocation.batch.delay 100ms",
    miss: "spark.kubernetes.allocation.batch.delay 1s",
    names: valueOf(allocation("batch.delay")),
  },
  {
    code: "R099-batch-size",
    severity: "error",
    says: msg("A batch holds at least one executor."),
    page: msg("`spark.kubernetes.allocation.batch.size` must be above zero."),
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
    says: msg("The fallback's path must end with a slash."),
    page: msg(
      "Spark puts names of files directly behind `spark.storage.decommission.fallbackStorage.path`, and refuses a path without the slash.",
    ),
    hit: "spark.storage.decommission.fallbackStorage.path s3a://bucket/blocks",
    miss: "spark.storage.decommission.fallbackStorage.path s3a://bucket/blocks/",
    names: valueOf("spark.storage.decommission.fallbackStorage.path"),
  },
  {
    code: "R147-roll-policy",
    severity: "error",
    says: msg("This version has no such policy of rolling executors."),
    page: msg(
      "Case does not matter. Spark 3.4 added PEAK_JVM_ONHEAP_MEMORY, PEAK_JVM_OFFHEAP_MEMORY, TOTAL_SHUFFLE_WRITE and DISK_USED.",
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
    says: msg("A ConfigMap holds at most 1 MiB."),
    page: msg(
      "`spark.kubernetes.configMap.maxSize` must not be above 1048576, the limit of the Kubernetes API.",
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
    says: msg("Spark has no such key: the memory of a pod follows from heap and overhead."),
    page: msg(
      "Request and limit are both `spark.executor.memory` plus `spark.executor.memoryOverhead` (and likewise for the driver). Set those.",
    ),
    hit: "spark.kubernetes.executor.limit.memory 8g",
    miss: "spark.executor.memory 8g",
    names: unknown(/^spark\.kubernetes\.(?:driver|executor)\.(?:request|limit)\.memory$/),
  },
  {
    code: "R184-fork-key",
    severity: "warning",
    says: msg(
      "This is a key of the fork from which Spark on Kubernetes came, and never was one of Spark's.",
    ),
    page: msg(
      "Images are set with `spark.kubernetes.container.image` and `spark.kubernetes.driver.container.image` or `spark.kubernetes.executor.container.image`; the rest of that fork has no counterpart.",
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
    says: msg("Spark has had no init container since 2.4, and ignores this."),
    page: msg("Dependencies are uploaded, or put into the image. Remove the key."),
    hit: "spark.kubernetes.initContainer.image init:1",
    miss: "spark.kubernetes.container.image app:1",
    names: unknown(/^spark\.kubernetes\.(?:initContainer|mountDependencies)\./),
  },
  {
    code: "R191-lost-check",
    severity: "information",
    says: msg("The way in which Spark watches executors now never asks for this."),
    page: msg("Remove `spark.kubernetes.executor.lostCheck.maxAttempts`."),
    hit: "spark.kubernetes.executor.lostCheck.maxAttempts 3",
    miss: "spark.kubernetes.executor.missingPodDetectDelta 30s",
    names: unknown(/^spark\.kubernetes\.executor\.lostCheck/),
  },
  {
    code: "R194-misspelled-decommission-label",
    severity: "warning",
    says: msg("It is decommissionLabel, with two m."),
    page: msg("The spelling with three existed in development builds only."),
    hit: "spark.kubernetes.executor.decommmissionLabel leaving",
    miss: "spark.kubernetes.executor.decommissionLabel leaving",
    names: unknown(/decommmission/),
  },
  {
    code: "R186-excluded-names",
    severity: "warning",
    says: msg("An old name of the settings that exclude failing executors."),
    page: msg(
      "Write `spark.excludeOnFailure.…` and `spark.scheduler.excludeOnFailure.…`. The old names are read up to Spark 4.0, and ignored from 4.1 on.",
    ),
    hit: "spark.blacklist.enabled true",
    miss: "spark.excludeOnFailure.enabled true",
    names: aged(/^spark\.(?:scheduler\.)?blacklist\./),
  },
  {
    code: "R188-executor-plugins",
    severity: "warning",
    says: msg("Spark no longer has this way of plugging into executors."),
    page: msg("Write a plugin for `spark.plugins`, which serves driver and executors."),
    hit: "spark.executor.plugins org.example.Plugin",
    miss: "spark.plugins org.example.Plugin",
    names: aged(/^spark\.executor\.plugins$/),
  },
  {
    code: "R192-renamed-buffer",
    severity: "information",
    from: "4.0",
    says: msg("Renamed in Spark 4.0."),
    page: msg("Write `spark.shuffle.localDisk.file.output.buffer`."),
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
    says: msg("An old name that Spark still reads on Kubernetes."),
    page: msg(
      "Write the key that took its place, such as `spark.executor.memoryOverhead` or `spark.kerberos.keytab`.",
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
    says: msg("The key comes with a later version of Spark; this one ignores it."),
    page: msg("Use a newer Spark, or remove the key."),
    hit: "spark.kubernetes.driver.service.publishNotReadyAddresses true",
    miss: "spark.kubernetes.driver.service.annotation.a b",
    names: (finding) => finding.code === "future-key",
  },
  {
    code: "R182-invented-key",
    severity: "warning",
    says: msg("Spark has no such setting for Kubernetes."),
    page: msg(
      "The names below `spark.kubernetes.` are Spark's own. Fields without a key, such as tolerations and affinity, are set by a pod template.",
    ),
    hit: "spark.kubernetes.image app:1",
    miss: "spark.kubernetes.container.image app:1",
    names: (finding) =>
      finding.code === "unknown-key" && finding.key.startsWith("spark.kubernetes."),
  },
  {
    code: "R211-operator-allocation-twice",
    severity: "warning",
    says: msg("The manifest says the same of dynamic allocation in two places."),
    page: msg(
      "A field of the SparkApplication and `sparkConf` both set it, and the operator's field normally wins. Keep one.",
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
    says: msg("A field of the manifest sets this as well."),
    page: msg(
      "A field of the SparkApplication and `sparkConf` both set it, and the operator's field normally wins. Keep one.",
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
