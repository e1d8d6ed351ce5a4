import { msg } from "../../../../base/message.ts";
import { at } from "./violations.ts";
import type { RuleConf } from "./conf.ts";
import type { ConfRule } from "./confRule.ts";

const key = (name: string): string => `spark.kubernetes.${name}`;
const enabled = "spark.decommission.enabled";
const storage = "spark.storage.decommission.enabled";
const rdd = "spark.storage.decommission.rddBlocks.enabled";
const shuffle = "spark.storage.decommission.shuffleBlocks.enabled";
const grace = key("executor.terminationGracePeriodSeconds");
const plugins = "spark.plugins";
const rollPlugin = "org.apache.spark.scheduler.cluster.k8s.ExecutorRollPlugin";
const timeoutPlugin = "org.apache.spark.deploy.DriverTimeoutPlugin";
const rollInterval = key("executor.rollInterval");
const allocator = key("allocation.pods.allocator");
const failures = "spark.executor.maxNumFailures";
// The keys of the executors' image, in order of precedence.
const image = [key("executor.container.image"), key("container.image")];

const isOn = (conf: RuleConf, name: string): boolean =>
  !conf.lacks(name) && conf.flag(name) === true;
const isOtherAllocator = (conf: RuleConf): boolean =>
  !conf.lacks(allocator) && (conf.text(allocator) ?? "direct") !== "direct";
const isBare = (conf: RuleConf, name: string): boolean => /^[0-9]+$/.test(conf.text(name) ?? "");

/** Keys whose values without a unit are in milliseconds, although users often mean seconds. */
const millisecondKeys = [
  key("allocation.batch.delay"),
  key("allocation.executor.timeout"),
  key("executor.apiPollingInterval"),
  key("executor.eventProcessingInterval"),
  key("executor.missingPodDetectDelta"),
  key("dynamicAllocation.deleteGracePeriod"),
  key("report.interval"),
  "spark.executor.heartbeatInterval",
];

/** Rules about decommissioning, rolling, resizing and failing executors. */
export const decommissionRules: readonly ConfRule[] = [
  {
    code: "R138-decommission-without-storage",
    severity: "warning",
    says: msg(
      "Decommissioned executors migrate no blocks unless spark.storage.decommission.enabled is true.",
    ),
    page: msg(
      "Dynamic allocation relies on the migration, so shuffle data would be lost. Set the property to true.",
    ),
    hit: "spark.decommission.enabled true\nspark.storage.decommission.enabled false",
    miss: "spark.decommission.enabled true\nspark.storage.decommission.enabled true",
    *check(conf) {
      if (isOn(conf, enabled) && conf.flag(storage) === false) {
        yield* at(conf, conf.lacks(storage) ? enabled : storage, { without: [storage] });
      }
    },
  },
  {
    code: "R139-block-migration-unset",
    severity: "warning",
    to: "3.3",
    says: msg("Before Spark 3.4, the migration of RDD and shuffle blocks is disabled by default."),
    page: msg(
      "Set `spark.storage.decommission.rddBlocks.enabled` and `spark.storage.decommission.shuffleBlocks.enabled` to true.",
    ),
    hit: "spark.decommission.enabled true\nspark.storage.decommission.enabled true",
    miss: "spark.storage.decommission.enabled true\nspark.storage.decommission.rddBlocks.enabled true\nspark.storage.decommission.shuffleBlocks.enabled true",
    *check(conf) {
      const without = [rdd, shuffle].filter((name) => conf.lacks(name));
      if (isOn(conf, storage) && without.length > 0) yield* at(conf, storage, { without });
    },
  },
  {
    code: "R140-storage-without-decommission",
    severity: "warning",
    says: msg("Blocks are migrated only if spark.decommission.enabled is true."),
    page: msg("Enable decommissioning, or remove the storage decommissioning settings."),
    hit: "spark.storage.decommission.enabled true\nspark.decommission.enabled false",
    miss: "spark.storage.decommission.enabled true\nspark.decommission.enabled true",
    *check(conf) {
      if (conf.flag(enabled) !== false) return;
      for (const name of [storage, rdd, shuffle])
        if (isOn(conf, name)) yield* at(conf, name, { without: [enabled] });
    },
  },
  {
    code: "R141-short-grace",
    severity: "warning",
    where: "kubernetes",
    says: msg("The grace period is too short for block migration."),
    page: msg(
      "A decommissioned executor must migrate its blocks within the pod's grace period, 30 s by default. Set 120 s or more in `spark.kubernetes.executor.terminationGracePeriodSeconds` (in Spark 4.1 and later) or in a pod template.",
    ),
    hit: "spark.decommission.enabled true\nspark.kubernetes.executor.terminationGracePeriodSeconds 30s",
    miss: "spark.decommission.enabled true\nspark.kubernetes.executor.terminationGracePeriodSeconds 120s",
    *check(conf) {
      if (!isOn(conf, enabled)) return;
      const template = conf.application.executorTemplate?.gracePeriodSeconds;
      const time = conf.isFrom("4.1") ? conf.time(grace) : (template ?? 30) * 1000;
      if (time === undefined || time >= 60_000 || (template ?? 0) >= 60) return;
      yield* at(conf, conf.lacks(grace) ? enabled : grace, { without: [grace] });
    },
  },
  {
    code: "R142-decommission-signal",
    severity: "warning",
    says: msg("The decommission script in Spark's images ignores this setting and sends SIGPWR."),
    page: msg(
      "SIGPWR terminates an executor that has no handler for it. Leave `spark.executor.decommission.signal` at `PWR`, or use your own script.",
    ),
    hit: "spark.executor.decommission.signal TERM",
    miss: "spark.executor.decommission.signal PWR",
    *check(conf) {
      const name = "spark.executor.decommission.signal";
      const signal = conf.text(name);
      if (signal === undefined || signal === "PWR" || !conf.lacks(key("decommission.script")))
        return;
      yield* at(conf, name, { without: [key("decommission.script")] });
    },
  },
  {
    code: "R143-script-in-own-image",
    severity: "warning",
    where: "kubernetes",
    says: msg(
      "The image needs the decommission script and the commands that it runs: bash, ps and tail.",
    ),
    page: msg(
      "Kubernetes runs `/opt/decom.sh` before it stops an executor. In an image that is not based on Spark's, the hook fails and the executor stops immediately. Set the path of the script in `spark.kubernetes.decommission.script`.",
    ),
    hit: "spark.decommission.enabled true\nspark.kubernetes.container.image etl:1.0",
    miss: "spark.decommission.enabled true\nspark.kubernetes.container.image apache/spark:4.0.0",
    *check(conf) {
      if (!isOn(conf, enabled) || !conf.lacks(key("decommission.script"))) return;
      const own = image.map((name) => conf.text(name)).find((name) => name !== undefined);
      if (own?.slice(own.lastIndexOf("/") + 1).startsWith("spark") !== false) return;
      yield* at(conf, enabled, { severity: "hint" });
    },
  },
  {
    code: "R144-label-value-alone",
    severity: "warning",
    says: msg("This value has no effect without spark.kubernetes.executor.decommissionLabel."),
    page: msg(
      "The two properties form one label that Spark adds to an executor pod on decommissioning. Set both.",
    ),
    hit: "spark.kubernetes.executor.decommissionLabelValue yes",
    miss: "spark.kubernetes.executor.decommissionLabelValue yes\nspark.kubernetes.executor.decommissionLabel leaving",
    *check(conf) {
      const label = key("executor.decommissionLabel");
      if (conf.lacks(label))
        yield* at(conf, key("executor.decommissionLabelValue"), { part: "key", without: [label] });
    },
  },
  {
    code: "R146-roll-without-plugin",
    severity: "warning",
    says: msg(
      "Executor rolling requires its plugin in spark.plugins and spark.decommission.enabled.",
    ),
    page: msg`Add \`${rollPlugin}\` to \`spark.plugins\` and enable decommissioning.`,
    hit: "spark.kubernetes.executor.rollInterval 1h\nspark.decommission.enabled false",
    miss: `spark.kubernetes.executor.rollInterval 1h\nspark.plugins ${rollPlugin}\nspark.decommission.enabled true`,
    *check(conf) {
      if (conf.lacks(rollInterval) || (conf.time(rollInterval) ?? 0) <= 0) return;
      const hasPlugin = conf.list(plugins).includes(rollPlugin);
      if (hasPlugin && conf.flag(enabled) !== false) return;
      const isOff = !conf.lacks(enabled) && conf.flag(enabled) === false;
      const isUnplugged = !conf.lacks(plugins) && conf.text(plugins) !== undefined && !hasPlugin;
      const without =
        isOff || isUnplugged ? [] : [plugins, enabled].filter((name) => conf.lacks(name));
      if (isOff || isUnplugged || without.length > 0) yield* at(conf, rollInterval, { without });
    },
  },
  {
    code: "R148-resize-plugin-off",
    severity: "warning",
    from: "4.2",
    says: msg(
      "The plugin is inactive, because its interval is zero or the allocator is not direct.",
    ),
    page: msg(
      "The plugins that resize executors and their volume claims require an interval above zero, the direct allocator and the cluster's metrics API.",
    ),
    hit: "spark.plugins org.apache.spark.scheduler.cluster.k8s.ExecutorResizePlugin\nspark.kubernetes.executor.resizeInterval 0",
    miss: "spark.plugins org.apache.spark.scheduler.cluster.k8s.ExecutorResizePlugin\nspark.kubernetes.executor.resizeInterval 1min",
    *check(conf) {
      for (const [name, interval] of [
        ["ExecutorResizePlugin", key("executor.resizeInterval")],
        ["ExecutorPVCResizePlugin", key("executor.pvc.resizeInterval")],
      ] as const) {
        if (!conf.list(plugins).some((one) => one.endsWith(`.${name}`))) continue;
        if (isOtherAllocator(conf)) yield* at(conf, plugins);
        else if (conf.time(interval) === 0)
          yield* at(conf, conf.lacks(interval) ? plugins : interval, { without: [interval] });
      }
    },
  },
  {
    code: "R149-failure-budget",
    severity: "warning",
    says: msg("A negative limit on failures stops the driver immediately."),
    page: msg(
      "`spark.executor.maxNumFailures` limits failed executors, in Spark 3.5 and later also on Kubernetes (in 3.5 only with the direct allocator). Failures count forever unless `spark.executor.failuresValidityInterval` is set.",
    ),
    hit: "spark.executor.maxNumFailures -1",
    miss: "spark.executor.maxNumFailures 10",
    *check(conf) {
      const count = conf.lacks(failures) ? undefined : conf.number(failures);
      if (count === undefined) return;
      const isIgnored = conf.version === "3.5" && isOtherAllocator(conf);
      if (count < 0)
        yield* at(conf, failures, {
          severity: conf.cluster === "kubernetes" ? "error" : "warning",
        });
      else if (isIgnored)
        yield* at(conf, failures, {
          part: "key",
          says: msg("Only the direct allocator counts failures in Spark 3.5."),
        });
    },
  },
  {
    code: "R150-milliseconds",
    severity: "warning",
    says: msg("Without a unit, this number is in milliseconds."),
    page: msg("A small number here is probably meant in seconds. Add the unit: `30s`."),
    hit: "spark.kubernetes.executor.apiPollingInterval 30",
    miss: "spark.kubernetes.executor.apiPollingInterval 30000",
    *check(conf) {
      for (const name of millisecondKeys) {
        const count = Number(conf.text(name));
        if (isBare(conf, name) && count > 0 && count < 1000)
          yield* at(conf, name, {
            says: msg`"${count}" means ${count} milliseconds. For seconds, write ${count}s.`,
          });
      }
    },
  },
  {
    code: "R151-detect-delta",
    severity: "warning",
    says: msg("New executors may count as missing before the driver sees their pods."),
    page: msg(
      "`spark.kubernetes.executor.missingPodDetectDelta` must exceed the time until the pod of a registered executor appears. The default is 30s.",
    ),
    hit: "spark.kubernetes.executor.missingPodDetectDelta 1s",
    miss: "spark.kubernetes.executor.missingPodDetectDelta 30s",
    *check(conf) {
      const name = key("executor.missingPodDetectDelta");
      const time = conf.time(name);
      if (!conf.lacks(name) && time !== undefined && time < 5000) yield* at(conf, name);
    },
  },
  {
    code: "R152-delete-grace",
    severity: "information",
    says: msg("This grace period deletes pods that are still shutting down."),
    page: msg(
      "For large heaps, set `spark.kubernetes.dynamicAllocation.deleteGracePeriod` to 5s or more.",
    ),
    hit: "spark.kubernetes.dynamicAllocation.deleteGracePeriod 1s",
    miss: "spark.kubernetes.dynamicAllocation.deleteGracePeriod 5s",
    *check(conf) {
      const name = key("dynamicAllocation.deleteGracePeriod");
      const time = conf.time(name);
      if (!conf.lacks(name) && time !== undefined && time < 2000) yield* at(conf, name);
    },
  },
  {
    code: "R153-driver-timeout",
    severity: "warning",
    from: "4.0",
    says: msg("The timeout has no effect unless spark.plugins contains its plugin."),
    page: msg`Add \`${timeoutPlugin}\` to \`spark.plugins\`. The timeout is rounded down to minutes: \`90s\` is one minute.`,
    hit: "spark.driver.timeout 60min\nspark.plugins org.example.Plugin",
    miss: `spark.driver.timeout 60min\nspark.plugins ${timeoutPlugin}`,
    *check(conf) {
      const name = "spark.driver.timeout";
      if (conf.lacks(name) || (conf.time(name) ?? 0) <= 0) return;
      if (
        conf.lacks(plugins) ||
        (conf.text(plugins) !== undefined && !conf.list(plugins).includes(timeoutPlugin))
      ) {
        yield* at(conf, name, { without: [plugins] });
      }
    },
  },
  {
    code: "R154-exit-annotation",
    severity: "information",
    from: "4.1",
    says: msg("The driver's service account needs permission to patch pods."),
    page: msg("Without it, Spark does not write the driver's exception to its pod."),
    hit: "spark.kubernetes.driver.annotateExitException true",
    miss: "spark.kubernetes.driver.annotateExitException false",
    check: (conf) => {
      const name = key("driver.annotateExitException");
      return isOn(conf, name) ? at(conf, name) : [];
    },
  },
];
