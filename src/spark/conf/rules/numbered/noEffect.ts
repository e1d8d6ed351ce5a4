import { msg } from "../../../../base/message.ts";
import { at, atGroup, atKeys } from "./violations.ts";
import type { Violation, ConfRule } from "./confRule.ts";
import type { RuleConf } from "./conf.ts";
import { driverPodGroups, driverPodKeys } from "./driverPod.ts";

/** YARN keys that Spark also reads on Kubernetes, as deprecated names of its own keys. */
const yarnReadElsewhere: ReadonlySet<string> = new Set([
  "spark.yarn.driver.memoryOverhead",
  "spark.yarn.executor.memoryOverhead",
  "spark.yarn.keytab",
  "spark.yarn.principal",
  "spark.yarn.kerberos.relogin.period",
  "spark.yarn.access.namenodes",
  "spark.yarn.access.hadoopFileSystems",
]);
const yarnReadFrom35: ReadonlySet<string> = new Set([
  "spark.yarn.max.executor.failures",
  "spark.yarn.executor.failuresValidityInterval",
]);

function* driverSide(conf: RuleConf): Generator<Violation, void> {
  for (const prefix of driverPodGroups) yield* atGroup(conf, prefix);
  yield* atKeys(conf, driverPodKeys);
}

const pythonVersion = "spark.kubernetes.pyspark.pythonVersion";
const spill = "spark.shuffle.spill";

const aliases: Readonly<Record<string, string>> = {
  "spark.driver.memoryOverhead": "spark.yarn.driver.memoryOverhead",
  "spark.executor.memoryOverhead": "spark.yarn.executor.memoryOverhead",
  "spark.kerberos.keytab": "spark.yarn.keytab",
  "spark.kerberos.principal": "spark.yarn.principal",
  "spark.executor.maxNumFailures": "spark.yarn.max.executor.failures",
};

/** Rules about settings without an effect on Kubernetes. */
export const noEffectRules: readonly ConfRule[] = [
  {
    code: "R176-yarn-key",
    severity: "information",
    where: "kubernetes",
    says: msg("YARN properties have no effect on Kubernetes."),
    page: msg(
      "Remove the property. On Kubernetes, batch schedulers such as Volcano and YuniKorn provide queues. Select a queue with labels or annotations of the pods.",
    ),
    hit: "spark.yarn.queue etl",
    miss: "spark.yarn.executor.memoryOverhead 1g",
    *check(conf) {
      for (const violation of atGroup(conf, "spark.yarn.")) {
        const { key } = violation.at;
        const isForDriver = key.startsWith("spark.yarn.appMasterEnv.");
        const isRead =
          yarnReadElsewhere.has(key) || (yarnReadFrom35.has(key) && conf.isFrom("3.5"));
        if (conf.knows(violation.at) && !isRead && !isForDriver) yield violation;
      }
    },
  },
  {
    code: "R179-standalone-key",
    severity: "information",
    where: "kubernetes",
    says: msg(
      "This property is for Spark's standalone cluster manager and has no effect on Kubernetes.",
    ),
    page: msg(
      "The number of cores is `spark.executor.instances` times `spark.executor.cores`. Use an operator or a Job to restart the driver.",
    ),
    hit: "spark.cores.max 40",
    miss: "spark.executor.instances 10",
    *check(conf) {
      yield* atKeys(conf, ["spark.cores.max", "spark.driver.supervise"]);
      yield* atGroup(conf, "spark.deploy.");
      yield* atGroup(conf, "spark.worker.");
    },
  },
  {
    code: "R180-mesos-key",
    severity: "information",
    where: "kubernetes",
    says: msg("Mesos properties have no effect on Kubernetes."),
    page: msg("Remove the property. Spark 4.0 removed Mesos support."),
    hit: "spark.mesos.coarse true",
    miss: "spark.app.name etl",
    check: (conf) => (conf.isFrom("4.0") ? [] : atGroup(conf, "spark.mesos.")),
  },
  {
    code: "R181-driver-environment",
    severity: "warning",
    where: "kubernetes",
    says: msg(
      "Set environment variables of the driver pod with spark.kubernetes.driverEnv, and of executors with spark.executorEnv.",
    ),
    page: msg(
      "`spark.yarn.appMasterEnv.…`, `spark.driverEnv.…` and `spark.kubernetes.executorEnv.…` have no effect on Kubernetes.",
    ),
    hit: "spark.driverEnv.STAGE test",
    miss: "spark.kubernetes.driverEnv.STAGE test",
    *check(conf) {
      yield* atGroup(conf, "spark.driverEnv.");
      yield* atGroup(conf, "spark.kubernetes.executorEnv.");
      for (const violation of atGroup(conf, "spark.yarn.")) {
        if (violation.at.key.startsWith("spark.yarn.appMasterEnv.")) yield violation;
      }
    },
  },
  {
    code: "R187-per-node-exclusion",
    severity: "information",
    where: "kubernetes",
    says: msg(
      "On Kubernetes, Spark treats each pod address as a node, so this limit applies to one executor.",
    ),
    page: msg("Use the per-executor limits."),
    hit: "spark.excludeOnFailure.task.maxTaskAttemptsPerNode 2",
    miss: "spark.excludeOnFailure.task.maxTaskAttemptsPerExecutor 2",
    *check(conf) {
      for (const violation of atGroup(conf, "spark.excludeOnFailure.")) {
        if (/PerNode$/.test(violation.at.key)) yield violation;
      }
    },
  },
  {
    code: "R189-dead-key",
    severity: "information",
    says: msg("Spark no longer reads this property."),
    page: msg(
      "`spark.executor.port`, `spark.rpc`, `spark.cache.class`, `spark.shuffle.service.index.cache.entries` and `spark.shuffle.spill` are no longer read. Spark 3.4 and later also ignore `spark.rpc.numRetries` and `spark.rpc.retry.wait`. Remove the property.",
    ),
    hit: "spark.cache.class org.example.Cache",
    miss: "spark.app.name etl",
    // From Spark 4.0 on, the key is deprecated, so the rule `deprecatedKey` reports it.
    check: (conf) => (conf.isFrom("4.0") ? [] : at(conf, spill, { part: "key" })),
  },
  {
    code: "R190-python-version",
    severity: "warning",
    says: msg("This property no longer selects the Python version."),
    page: msg(
      "Up to Spark 4.0, it is deprecated and accepts only `3`. Spark 4.1 and later ignore it. Use `spark.pyspark.python` and `spark.pyspark.driver.python`.",
    ),
    hit: "spark.kubernetes.pyspark.pythonVersion 3",
    miss: "spark.pyspark.python python3",
    *check(conf) {
      if (conf.isFrom("4.1") || conf.text(pythonVersion) !== "3") return;
      // Most examples of the operators set the field that corresponds to the key, so the severity is lower.
      const isField = conf.entry(pythonVersion)?.field !== undefined;
      yield* at(conf, pythonVersion, { part: "key", ...(isField && { severity: "information" }) });
    },
  },
  {
    code: "R193-driver-pod-in-client-mode",
    severity: "information",
    where: "client",
    says: msg("In client mode, Spark creates no driver pod, so it ignores this property."),
    page: msg("If the driver runs in a pod, configure that pod directly."),
    hit: "spark.kubernetes.driver.label.team etl",
    miss: "spark.kubernetes.executor.label.team etl",
    check: driverSide,
  },
  {
    code: "R195-duplicate-key",
    severity: "warning",
    says: msg(
      "The property is set under its old name and its new name. The new name takes effect.",
    ),
    page: msg(
      "If a property is set twice in a file, the last value takes effect. A property overrides its old names.",
    ),
    hit: "spark.yarn.executor.memoryOverhead 1g\nspark.executor.memoryOverhead 2g",
    miss: "spark.yarn.driver.memoryOverhead 1g\nspark.executor.memoryOverhead 2g",
    *check(conf) {
      for (const [key, alias] of Object.entries(aliases)) {
        if (conf.entry(key)?.key === key)
          for (const violation of at(conf, alias, { part: "key" }))
            if (violation.at.key === alias) yield violation;
      }
    },
  },
  {
    code: "R196-quoted-value",
    severity: "warning",
    says: msg("The quotes become part of the value."),
    page: msg(
      "Neither the properties parser nor Spark removes quotes. Outside properties files, spaces around a string are also part of the value.",
    ),
    hit: 'spark.app.name "etl"',
    miss: 'spark.driver.extraJavaOptions "-Da=b" "-Dc=d"',
    *check(conf) {
      for (const entry of conf.wrapped) {
        if (/^\s|\s$/.test(entry.value)) {
          yield { at: entry, says: msg("The surrounding spaces become part of the value.") };
        } else if (entry.key.endsWith("JavaOptions")) {
          yield {
            at: entry,
            says: msg("Quotes around all options turn them into a single option."),
          };
        } else yield { at: entry };
      }
    },
  },
];
