import { msg } from "../../../../base/message.ts";
import { at, atMaster } from "./violations.ts";
import type { RuleConf } from "./conf.ts";
import type { ConfRule } from "./confRule.ts";

const da = (name: string): string => `spark.dynamicAllocation.${name}`;
const enabled = da("enabled");
const min = da("minExecutors");
const max = da("maxExecutors");
const initial = da("initialExecutors");
const tracking = da("shuffleTracking.enabled");
const instances = "spark.executor.instances";
const service = "spark.shuffle.service.enabled";
const decommission = "spark.decommission.enabled";
const migration = "spark.storage.decommission.enabled";
const shuffleBlocks = "spark.storage.decommission.shuffleBlocks.enabled";
const plugin = "spark.shuffle.sort.io.plugin.class";
const streaming = "spark.streaming.dynamicAllocation.enabled";

const isOn = (conf: RuleConf, key: string): boolean => !conf.lacks(key) && conf.flag(key) === true;
const isOff = (conf: RuleConf, key: string): boolean =>
  !conf.lacks(key) && conf.flag(key) === false;
const given = (conf: RuleConf, key: string): number | undefined =>
  conf.lacks(key) ? undefined : conf.number(key);

/** Rules about the number and the lifetime of executors. */
export const executorRules: readonly ConfRule[] = [
  {
    code: "R118-executors-unset",
    severity: "information",
    where: "kubernetes",
    isAbout: "absence",
    says: msg("The number of executors is not set, so Spark starts two."),
    page: msg("Set `spark.executor.instances`, or enable dynamic allocation."),
    hit: "spark.app.name etl",
    miss: "spark.executor.instances 2",
    check: (conf) =>
      conf.lacks(instances) && conf.flag(enabled) === false
        ? atMaster(conf, [instances, enabled])
        : [],
  },
  {
    code: "R119-executors-not-positive",
    severity: "error",
    says: msg("The number of executors must be above zero, so spark-submit rejects this value."),
    page: msg(
      "Without dynamic allocation, spark-submit checks `spark.executor.instances` before it starts anything.",
    ),
    hit: "spark.executor.instances 0",
    miss: "spark.executor.instances 0\nspark.dynamicAllocation.enabled true",
    *check(conf) {
      const count = given(conf, instances);
      if (count === undefined || count > 0 || conf.flag(enabled) !== false) return;
      // Another file may enable dynamic allocation, which may start with zero executors.
      yield* at(conf, instances, count < 0 ? {} : { without: [enabled] });
    },
  },
  {
    code: "R120-start-above-maximum",
    severity: "error",
    says: msg(
      "The initial number of executors is above the maximum, so the driver fails at startup.",
    ),
    page: msg(
      "With dynamic allocation, the larger of `spark.dynamicAllocation.initialExecutors` and `spark.executor.instances` must not exceed `spark.dynamicAllocation.maxExecutors`.",
    ),
    hit: "spark.dynamicAllocation.enabled true\nspark.dynamicAllocation.maxExecutors 5\nspark.dynamicAllocation.initialExecutors 10",
    miss: "spark.dynamicAllocation.enabled true\nspark.dynamicAllocation.maxExecutors 10\nspark.dynamicAllocation.initialExecutors 5",
    *check(conf) {
      const upper = given(conf, max);
      if (!isOn(conf, enabled) || upper === undefined) return;
      for (const key of [initial, instances])
        if ((given(conf, key) ?? 0) > upper) yield* at(conf, key);
    },
  },
  {
    code: "R121-instances-under-dynamic-allocation",
    severity: "information",
    says: msg("With dynamic allocation, this is only the initial number of executors."),
    page: msg(
      "Spark then adds and removes executors as tasks need them. Use `spark.dynamicAllocation.initialExecutors` instead to make this clear.",
    ),
    hit: "spark.dynamicAllocation.enabled true\nspark.executor.instances 5",
    miss: "spark.dynamicAllocation.enabled false\nspark.executor.instances 5",
    check: (conf) => (isOn(conf, enabled) ? at(conf, instances, { part: "key" }) : []),
  },
  {
    code: "R122-start-below-minimum",
    severity: "information",
    says: msg("The initial number of executors is below the minimum, so Spark ignores it."),
    page: msg(
      "Remove the setting, or raise it to at least `spark.dynamicAllocation.minExecutors`.",
    ),
    hit: "spark.dynamicAllocation.enabled true\nspark.dynamicAllocation.minExecutors 5\nspark.dynamicAllocation.initialExecutors 2",
    miss: "spark.dynamicAllocation.enabled true\nspark.dynamicAllocation.minExecutors 2\nspark.dynamicAllocation.initialExecutors 5",
    *check(conf) {
      const lower = given(conf, min);
      if (!isOn(conf, enabled) || lower === undefined) return;
      for (const key of [initial, instances]) {
        const count = given(conf, key);
        if (count !== undefined && count < lower) yield* at(conf, key);
      }
    },
  },
  {
    code: "R123-executor-bounds",
    severity: "error",
    says: msg(
      "The minimum or maximum number of executors is invalid, so the driver fails at startup.",
    ),
    page: msg(
      "`spark.dynamicAllocation.minExecutors` must be zero or more. `spark.dynamicAllocation.maxExecutors` must be above zero and not below the minimum.",
    ),
    hit: "spark.dynamicAllocation.enabled true\nspark.dynamicAllocation.minExecutors 10\nspark.dynamicAllocation.maxExecutors 5",
    miss: "spark.dynamicAllocation.enabled true\nspark.dynamicAllocation.minExecutors 5\nspark.dynamicAllocation.maxExecutors 10",
    *check(conf) {
      const lower = given(conf, min);
      const upper = given(conf, max);
      const without = [enabled];
      if (isOff(conf, enabled)) return;
      if (lower !== undefined && lower < 0) yield* at(conf, min, { without });
      if (upper !== undefined && upper <= 0) yield* at(conf, max, { without });
      else if (lower !== undefined && upper !== undefined && lower > upper)
        yield* at(conf, min, { without });
    },
  },
  {
    code: "R124-unbounded-executors",
    severity: "warning",
    where: "kubernetes",
    says: msg(
      "Without spark.dynamicAllocation.maxExecutors, one wide stage can request thousands of pods.",
    ),
    page: msg(
      "A maximum also enables what depends on it, such as the limit on failed executors and the wait for reusable claims.",
    ),
    hit: "spark.dynamicAllocation.enabled true",
    miss: "spark.dynamicAllocation.enabled true\nspark.dynamicAllocation.maxExecutors 50",
    *check(conf) {
      if (isOn(conf, enabled) && conf.lacks(max)) yield* at(conf, enabled, { without: [max] });
    },
  },
  {
    code: "R125-allocation-times",
    severity: "error",
    says: msg(
      "Backlog timeouts must be above 0, idle timeouts at least 0, and the ratio above 0 and at most 1.",
    ),
    page: msg("Spark checks these when dynamic allocation starts."),
    hit: "spark.dynamicAllocation.enabled true\nspark.dynamicAllocation.sustainedSchedulerBacklogTimeout 0",
    miss: "spark.dynamicAllocation.enabled true\nspark.dynamicAllocation.sustainedSchedulerBacklogTimeout 1s",
    *check(conf) {
      if (isOff(conf, enabled)) return;
      const without = [enabled];
      for (const name of ["schedulerBacklogTimeout", "sustainedSchedulerBacklogTimeout"]) {
        const time = conf.time(da(name));
        if (!conf.lacks(da(name)) && time !== undefined && time <= 0)
          yield* at(conf, da(name), { without });
      }
      for (const name of ["executorAllocationRatio"]) {
        const ratio = given(conf, da(name));
        if (ratio !== undefined && (ratio <= 0 || ratio > 1))
          yield* at(conf, da(name), { without });
      }
    },
  },
  {
    code: "R126-no-way-to-keep-shuffle",
    severity: "error",
    where: "kubernetes",
    says: msg("Dynamic allocation needs a way to keep shuffle data, but none is enabled."),
    page: msg(
      "Set `spark.dynamicAllocation.shuffleTracking.enabled` to true (the default in Spark 3.4 and later), or let decommissioned executors migrate their blocks with `spark.decommission.enabled` and `spark.storage.decommission.shuffleBlocks.enabled`.",
    ),
    hit: "spark.dynamicAllocation.enabled true\nspark.dynamicAllocation.shuffleTracking.enabled false",
    miss: "spark.dynamicAllocation.enabled true\nspark.dynamicAllocation.shuffleTracking.enabled true",
    *check(conf) {
      if (!isOn(conf, enabled) || conf.flag(tracking) !== false || conf.flag(service) !== false)
        return;
      if (!conf.lacks(plugin)) return;
      const hasMigration = conf.flag(decommission) === true && conf.flag(shuffleBlocks) === true;
      if (
        hasMigration ||
        conf.flag(decommission) === undefined ||
        conf.flag("spark.dynamicAllocation.testing") === true
      )
        return;
      yield* at(conf, enabled, {
        without: [tracking, decommission].filter((key) => key === tracking || conf.lacks(tracking)),
      });
    },
  },
  {
    code: "R128-shuffle-service",
    severity: "error",
    where: "kubernetes",
    says: msg(
      "Kubernetes has no external shuffle service, so executors look for it in their own pod and exit.",
    ),
    page: msg(
      "Set `spark.shuffle.service.enabled` to false. If it is true, shuffle tracking is also disabled.",
    ),
    hit: "spark.shuffle.service.enabled true",
    miss: "spark.shuffle.service.enabled false",
    check: (conf) => (isOn(conf, service) ? at(conf, service) : []),
  },
  {
    code: "R129-push-based-shuffle",
    severity: "information",
    where: "kubernetes",
    says: msg("Push-based shuffle works only on YARN."),
    page: msg("Remove `spark.shuffle.push.enabled`."),
    hit: "spark.shuffle.push.enabled true",
    miss: "spark.shuffle.push.enabled false",
    check: (conf) =>
      isOn(conf, "spark.shuffle.push.enabled") ? at(conf, "spark.shuffle.push.enabled") : [],
  },
  {
    code: "R130-tracking-and-migration",
    severity: "warning",
    says: msg(
      "Shuffle tracking keeps idle executors, although decommissioning could migrate their blocks and release them.",
    ),
    page: msg(
      "If every removed executor migrates its blocks, set `spark.dynamicAllocation.shuffleTracking.enabled` to false.",
    ),
    hit: "spark.dynamicAllocation.enabled true\nspark.dynamicAllocation.shuffleTracking.enabled true\nspark.decommission.enabled true\nspark.storage.decommission.enabled true\nspark.storage.decommission.shuffleBlocks.enabled true",
    miss: "spark.dynamicAllocation.enabled true\nspark.dynamicAllocation.shuffleTracking.enabled false\nspark.decommission.enabled true\nspark.storage.decommission.enabled true",
    *check(conf) {
      const migrates =
        [decommission, migration].every((key) => isOn(conf, key)) &&
        conf.flag(shuffleBlocks) === true;
      if (isOn(conf, enabled) && migrates && conf.flag(tracking) === true) {
        yield* at(conf, conf.lacks(tracking) ? decommission : tracking, { without: [tracking] });
      }
    },
  },
  {
    code: "R131-cached-for-ever",
    severity: "warning",
    given: { uses: new Set(["cachedData"]) },
    says: msg(
      "Executors with cached data are never removed unless spark.dynamicAllocation.cachedExecutorIdleTimeout is set.",
    ),
    page: msg("The default is infinite. Set a time after which cached blocks may be lost."),
    hit: "spark.dynamicAllocation.enabled true",
    miss: "spark.dynamicAllocation.enabled true\nspark.dynamicAllocation.cachedExecutorIdleTimeout 30min",
    *check(conf) {
      const key = da("cachedExecutorIdleTimeout");
      const caches = conf.application.uses?.has("cachedData") === true;
      if (caches && isOn(conf, enabled) && conf.lacks(key))
        yield* at(conf, enabled, { without: [key] });
    },
  },
  {
    code: "R132-tracking-for-ever",
    severity: "information",
    says: msg(
      "Executors with shuffle data are removed only after the driver discards the shuffle.",
    ),
    page: msg(
      "That happens during garbage collection in the driver. With `spark.dynamicAllocation.shuffleTracking.timeout`, they are removed earlier, and Spark recomputes lost shuffle data.",
    ),
    hit: "spark.dynamicAllocation.enabled true\nspark.dynamicAllocation.shuffleTracking.enabled true",
    miss: "spark.dynamicAllocation.enabled true\nspark.dynamicAllocation.shuffleTracking.enabled true\nspark.dynamicAllocation.shuffleTracking.timeout 10min",
    *check(conf) {
      const key = da("shuffleTracking.timeout");
      if (!isOn(conf, enabled) || conf.flag(tracking) !== true || !conf.lacks(key)) return;
      if (conf.lacks(tracking)) {
        yield* at(conf, enabled, { without: [tracking, key], severity: "hint" });
      } else yield* at(conf, tracking, { without: [key] });
    },
  },
  {
    code: "R133-two-dynamic-allocations",
    severity: "error",
    says: msg("Dynamic allocation of Spark and of Spark Streaming cannot both be enabled."),
    page: msg(
      "Enable only one of `spark.dynamicAllocation.enabled` and `spark.streaming.dynamicAllocation.enabled`.",
    ),
    hit: "spark.dynamicAllocation.enabled true\nspark.streaming.dynamicAllocation.enabled true",
    miss: "spark.dynamicAllocation.enabled true\nspark.streaming.dynamicAllocation.enabled false",
    check: (conf) => (isOn(conf, enabled) && isOn(conf, streaming) ? at(conf, streaming) : []),
  },
  {
    code: "R134-bounds-without-dynamic-allocation",
    severity: "warning",
    says: msg("This has no effect unless spark.dynamicAllocation.enabled is true."),
    page: msg("Enable dynamic allocation, or remove this setting."),
    hit: "spark.dynamicAllocation.enabled false\nspark.dynamicAllocation.maxExecutors 10",
    miss: "spark.dynamicAllocation.enabled true\nspark.dynamicAllocation.maxExecutors 10",
    *check(conf) {
      if (conf.flag(enabled) !== false) return;
      // If dynamic allocation is explicitly off, its bounds are probably kept on purpose: lower the severity.
      for (const key of [min, max, initial]) {
        const severity = conf.lacks(enabled) ? undefined : "information";
        yield* at(conf, key, { part: "key", without: [enabled], ...(severity && { severity }) });
      }
    },
  },
  {
    code: "R135-barrier-under-dynamic-allocation",
    severity: "error",
    given: { uses: new Set(["barrierStages"]) },
    says: msg("Spark rejects barrier stages with dynamic allocation."),
    page: msg(
      "All tasks of a barrier stage start at once, which needs a fixed number of executors. Set `spark.executor.instances` and disable dynamic allocation.",
    ),
    hit: "spark.dynamicAllocation.enabled true",
    miss: "spark.dynamicAllocation.enabled false",
    check: (conf) =>
      conf.application.uses?.has("barrierStages") === true && isOn(conf, enabled)
        ? at(conf, enabled)
        : [],
  },
  {
    code: "R136-short-idle-time",
    severity: "warning",
    where: "kubernetes",
    says: msg("This idle timeout is too short: restarting executor pods costs more than it saves."),
    page: msg("Use 60s (the default) or more."),
    hit: "spark.dynamicAllocation.executorIdleTimeout 5s",
    miss: "spark.dynamicAllocation.executorIdleTimeout 60s",
    *check(conf) {
      const key = da("executorIdleTimeout");
      const time = conf.time(key);
      if (!conf.lacks(key) && time !== undefined && time >= 0 && time < 30_000)
        yield* at(conf, key);
    },
  },
  {
    code: "R137-short-registration-wait",
    severity: "information",
    where: "kubernetes",
    says: msg(
      "With this many executors, the first job may start before most of them are registered.",
    ),
    page: msg(
      "On Kubernetes, the first job waits until 80% of the executors are registered, but no longer than `spark.scheduler.maxRegisteredResourcesWaitingTime`.",
    ),
    hit: "spark.scheduler.maxRegisteredResourcesWaitingTime 5s\nspark.executor.instances 200",
    miss: "spark.scheduler.maxRegisteredResourcesWaitingTime 120s\nspark.executor.instances 200",
    *check(conf) {
      const key = "spark.scheduler.maxRegisteredResourcesWaitingTime";
      const time = conf.time(key);
      if (
        !conf.lacks(key) &&
        time !== undefined &&
        time < 30_000 &&
        (given(conf, instances) ?? 0) >= 50
      )
        yield* at(conf, key);
    },
  },
];
