import { msg } from "../../../../base/message.ts";
import { at, atKeys } from "./violations.ts";
import type { RuleConf } from "./conf.ts";
import type { Violation, ConfRule } from "./confRule.ts";

const key = (name: string): string => `spark.kubernetes.${name}`;
const allocator = key("allocation.pods.allocator");
const batchSize = key("allocation.batch.size");
const batchDelay = key("allocation.batch.delay");
const maxPending = key("allocation.maxPendingPods");
const maxPendingEach = key("allocation.maxPendingPodsPerRp");
const maximum = key("allocation.maximum");
const timeout = key("allocation.executor.timeout");
const cost = key("executor.podDeletionCost");
const polling = key("executor.enableApiPolling");
const watching = key("executor.enableApiWatcher");
const pollInterval = key("executor.apiPollingInterval");
const keepsPods = key("executor.deleteOnTermination");
const template = key("executor.podTemplateFile");
const containerName = key("executor.podTemplateContainerName");
const dynamic = "spark.dynamicAllocation.enabled";
const streaming = "spark.streaming.dynamicAllocation.enabled";
const maxExecutors = "spark.dynamicAllocation.maxExecutors";
const instances = "spark.executor.instances";

const isDynamic = (conf: RuleConf): boolean => conf.flag(dynamic) === true;
const kind = (conf: RuleConf): string | undefined =>
  conf.lacks(allocator) ? "direct" : conf.text(allocator);
const isSet = (conf: RuleConf): boolean =>
  kind(conf) === "statefulset" || (kind(conf) === "deployment" && conf.isFrom("4.2"));
const isFalse = (conf: RuleConf, name: string): boolean =>
  !conf.lacks(name) && conf.flag(name) === false;
const isTrue = (conf: RuleConf, name: string): boolean =>
  !conf.lacks(name) && conf.flag(name) === true;
const wanted = (conf: RuleConf): number | undefined =>
  isDynamic(conf)
    ? conf.lacks(maxExecutors)
      ? undefined
      : conf.number(maxExecutors)
    : conf.lacks(instances)
      ? undefined
      : conf.number(instances);

function* claims(conf: RuleConf): Generator<Violation, void> {
  const prefix = key("executor.volumes.");
  for (const entry of conf.group(prefix)) {
    if (entry.key.startsWith(`${prefix}persistentVolumeClaim.`)) yield { at: entry, part: "key" };
  }
}

/** Rules about creating and watching executor pods. */
export const allocatorRules: readonly ConfRule[] = [
  {
    code: "R091-allocator",
    severity: "error",
    says: msg(
      "This Spark version has no such allocator. Use direct, statefulset, deployment (in Spark 4.2 and later) or a class name.",
    ),
    page: msg("Spark accepts any value for this property, but the driver then fails at startup."),
    hit: "spark.kubernetes.allocation.pods.allocator StatefulSet",
    miss: "spark.kubernetes.allocation.pods.allocator statefulset",
    *check(conf) {
      const name = conf.text(allocator);
      const known = ["direct", "statefulset", ...(conf.isFrom("4.2") ? ["deployment"] : [])];
      if (name !== undefined && !known.includes(name) && !name.includes("."))
        yield* at(conf, allocator);
    },
  },
  {
    code: "R092-direct-only",
    severity: "warning",
    says: msg("Only the direct allocator uses this setting."),
    page: msg(
      "The controller of the StatefulSet or Deployment creates the pods. Batch settings, pod limits, timeouts and the reuse of claims have no effect.",
    ),
    hit: "spark.kubernetes.allocation.pods.allocator statefulset\nspark.kubernetes.allocation.batch.size 10",
    miss: "spark.kubernetes.allocation.pods.allocator direct\nspark.kubernetes.allocation.batch.size 10",
    check: (conf) =>
      isSet(conf)
        ? atKeys(conf, [
            batchSize,
            batchDelay,
            maxPending,
            maxPendingEach,
            maximum,
            timeout,
            key("driver.reusePersistentVolumeClaim"),
            key("driver.waitToReusePersistentVolumeClaim"),
          ])
        : [],
  },
  {
    code: "R093-stateful-scale-down",
    severity: "warning",
    says: msg("A StatefulSet removes its last pods first, even if other pods are idle."),
    page: msg(
      "With dynamic allocation, use the direct allocator. In Spark 4.2 and later, you can also use `deployment` with `spark.kubernetes.executor.podDeletionCost`.",
    ),
    hit: "spark.kubernetes.allocation.pods.allocator statefulset\nspark.dynamicAllocation.enabled true",
    miss: "spark.kubernetes.allocation.pods.allocator statefulset\nspark.executor.instances 4",
    *check(conf) {
      if (kind(conf) === "statefulset" && isTrue(conf, dynamic)) yield* at(conf, allocator);
    },
  },
  {
    code: "R094-deployment-without-cost",
    severity: "error",
    from: "4.2",
    says: msg(
      "With dynamic allocation, the deployment allocator requires spark.kubernetes.executor.podDeletionCost.",
    ),
    page: msg(
      "The cost tells Kubernetes which pods to remove first. Without it, the driver fails at startup.",
    ),
    hit: "spark.kubernetes.allocation.pods.allocator deployment\nspark.dynamicAllocation.enabled true",
    miss: "spark.kubernetes.allocation.pods.allocator deployment\nspark.dynamicAllocation.enabled true\nspark.kubernetes.executor.podDeletionCost 1",
    *check(conf) {
      if (kind(conf) === "deployment" && isTrue(conf, dynamic) && conf.lacks(cost)) {
        yield* at(conf, allocator, { without: [cost] });
      }
    },
  },
  {
    code: "R095-deployment-with-claims",
    severity: "error",
    from: "4.2",
    says: msg("The deployment allocator rejects volume claims for executors."),
    page: msg(
      "All pods of a Deployment mount the same volumes. Use the direct allocator or a StatefulSet.",
    ),
    hit: "spark.kubernetes.allocation.pods.allocator deployment\nspark.kubernetes.executor.volumes.persistentVolumeClaim.d.mount.path /d",
    miss: "spark.kubernetes.allocation.pods.allocator deployment\nspark.kubernetes.executor.volumes.emptyDir.d.mount.path /d",
    check: (conf) => (kind(conf) === "deployment" ? [...claims(conf)].slice(0, 1) : []),
  },
  {
    code: "R096-cost-without-deployment",
    severity: "information",
    from: "4.2",
    says: msg("Only the deployment allocator uses this cost."),
    page: msg("Remove it, or set `spark.kubernetes.allocation.pods.allocator` to `deployment`."),
    hit: "spark.kubernetes.executor.podDeletionCost 1",
    miss: "spark.kubernetes.executor.podDeletionCost 1\nspark.kubernetes.allocation.pods.allocator deployment",
    *check(conf) {
      if (kind(conf) !== undefined && kind(conf) !== "deployment")
        yield* at(conf, cost, { part: "key", without: [allocator] });
    },
  },
  {
    code: "R097-set-without-driver-pod",
    severity: "error",
    from: "3.3",
    where: "client",
    says: msg(
      "In client mode, a StatefulSet or Deployment needs spark.kubernetes.driver.pod.name for its owner reference.",
    ),
    page: msg(
      "The driver pod owns the StatefulSet or Deployment, which is deleted with it. Set the name of the pod in which the driver runs.",
    ),
    hit: "spark.kubernetes.allocation.pods.allocator statefulset",
    miss: "spark.kubernetes.allocation.pods.allocator statefulset\nspark.kubernetes.driver.pod.name shell",
    *check(conf) {
      const name = key("driver.pod.name");
      if (isSet(conf) && conf.lacks(name)) yield* at(conf, allocator, { without: [name] });
    },
  },
  {
    code: "R100-slow-ramp",
    severity: "warning",
    says: msg("Spark creates executors in batches, so the last ones start late."),
    page: msg(
      "Spark creates at most `spark.kubernetes.allocation.batch.size` pods every `spark.kubernetes.allocation.batch.delay`. Larger batches start executors faster, but increase the load on the API server.",
    ),
    hit: "spark.executor.instances 2000\nspark.kubernetes.allocation.batch.size 5",
    miss: "spark.executor.instances 200\nspark.kubernetes.allocation.batch.size 5",
    *check(conf) {
      const count = wanted(conf);
      const size = conf.number(batchSize);
      const delay = conf.time(batchDelay);
      if (count === undefined || size === undefined || delay === undefined || size <= 0) return;
      if (!conf.lacks(allocator) && kind(conf) !== "direct") return;
      const seconds = ((count / size) * delay) / 1000;
      if (seconds <= 120 || (conf.lacks(batchSize) && conf.cluster !== "kubernetes")) return;
      const says = msg`Requesting ${count} executors in batches of ${size} takes ${Math.round(seconds)} s.`;
      yield* at(
        conf,
        conf.lacks(batchSize) ? (isDynamic(conf) ? maxExecutors : instances) : batchSize,
        { says, without: [batchSize] },
      );
    },
  },
  {
    code: "R101-pending-bounds",
    severity: "error",
    from: "4.1",
    says: msg("The pending pod limit per resource profile is above the total limit."),
    page: msg(
      "`spark.kubernetes.allocation.maxPendingPodsPerRp` must not be larger than `spark.kubernetes.allocation.maxPendingPods`.",
    ),
    hit: "spark.kubernetes.allocation.maxPendingPods 10\nspark.kubernetes.allocation.maxPendingPodsPerRp 20",
    miss: "spark.kubernetes.allocation.maxPendingPods 20\nspark.kubernetes.allocation.maxPendingPodsPerRp 10",
    *check(conf) {
      const all = conf.number(maxPending);
      const each = conf.number(maxPendingEach);
      if (
        conf.lacks(maxPending) ||
        conf.lacks(maxPendingEach) ||
        all === undefined ||
        each === undefined
      )
        return;
      if (each > all) yield* at(conf, maxPendingEach);
    },
  },
  {
    code: "R102-pending-below-batch",
    severity: "information",
    says: msg("The limit on pending pods is below the batch size, so it limits each batch."),
    page: msg(
      "At most `spark.kubernetes.allocation.maxPendingPods` pods are pending at a time, even if a batch is larger.",
    ),
    hit: "spark.kubernetes.allocation.maxPendingPods 5\nspark.kubernetes.allocation.batch.size 20",
    miss: "spark.kubernetes.allocation.maxPendingPods 50\nspark.kubernetes.allocation.batch.size 20",
    *check(conf) {
      const upper = conf.number(maxPending);
      const size = conf.number(batchSize);
      if (conf.lacks(maxPending) || upper === undefined || size === undefined || upper <= 0) return;
      if (upper < size) yield* at(conf, maxPending, { without: [batchSize] });
    },
  },
  {
    code: "R103-lifetime-budget",
    severity: "warning",
    from: "4.1",
    says: msg(
      "This limit counts all executor pods ever created, so it leaves no room for replacements.",
    ),
    page: msg(
      "After `spark.kubernetes.allocation.maximum` pods have been created, the application stops with an error. Allow for lost executors, or leave the limit unset.",
    ),
    hit: "spark.kubernetes.allocation.maximum 10\nspark.executor.instances 10",
    miss: "spark.kubernetes.allocation.maximum 100\nspark.executor.instances 10",
    *check(conf) {
      const upper = conf.number(maximum);
      const count = wanted(conf);
      if (conf.lacks(maximum) || upper === undefined || count === undefined || upper <= 0) return;
      if (upper <= count) yield* at(conf, maximum);
    },
  },
  {
    code: "R104-timeout-floor",
    severity: "information",
    says: msg("The executor timeout is less than five batch delays, so Spark does not use it."),
    page: msg(
      "`spark.kubernetes.allocation.executor.timeout` is the time that Spark waits for a new pod to appear. The minimum is five batch delays.",
    ),
    hit: "spark.kubernetes.allocation.executor.timeout 2s\nspark.kubernetes.allocation.batch.delay 1s",
    miss: "spark.kubernetes.allocation.executor.timeout 600s\nspark.kubernetes.allocation.batch.delay 1s",
    *check(conf) {
      const upper = conf.time(timeout);
      const delay = conf.time(batchDelay);
      if (upper === undefined || delay === undefined || upper >= 5 * delay) return;
      yield* at(conf, conf.lacks(timeout) ? batchDelay : timeout, {
        without: [timeout, batchDelay],
      });
    },
  },
  {
    code: "R105-polling-off",
    severity: "warning",
    from: "3.4",
    says: msg("Without polling, the driver never recovers events that the watch misses."),
    page: msg(
      "The driver then treats dead executors as alive. Keep polling enabled, and increase `spark.kubernetes.executor.apiPollingInterval` if the API server is busy.",
    ),
    hit: "spark.kubernetes.executor.enableApiPolling false",
    miss: "spark.kubernetes.executor.enableApiPolling true",
    check: (conf) => (isFalse(conf, polling) ? at(conf, polling) : []),
  },
  {
    code: "R106-watch-off",
    severity: "warning",
    from: "3.4",
    says: msg(
      "Without the watch, the driver reacts only when it polls and creates one batch of executors per poll.",
    ),
    page: msg("Keep `spark.kubernetes.executor.enableApiWatcher` enabled."),
    hit: "spark.kubernetes.executor.enableApiWatcher false",
    miss: "spark.kubernetes.executor.enableApiWatcher true",
    check: (conf) => (isFalse(conf, watching) ? at(conf, watching) : []),
  },
  {
    code: "R107-blind-driver",
    severity: "error",
    from: "3.4",
    says: msg("With both polling and the watch disabled, the driver never sees its executor pods."),
    page: msg(
      "Enable `spark.kubernetes.executor.enableApiPolling`, `spark.kubernetes.executor.enableApiWatcher` or both.",
    ),
    hit: "spark.kubernetes.executor.enableApiPolling false\nspark.kubernetes.executor.enableApiWatcher false",
    miss: "spark.kubernetes.executor.enableApiPolling false\nspark.kubernetes.executor.enableApiWatcher true",
    check: (conf) => (isFalse(conf, polling) && isFalse(conf, watching) ? at(conf, watching) : []),
  },
  {
    code: "R108-cached-listing",
    severity: "information",
    says: msg(
      "Lists from the API server's cache may be stale: a lost executor is detected late, and a new one may count as missing.",
    ),
    page: msg(
      "Use `spark.kubernetes.executor.enablePollingWithResourceVersion` only if the API server is under load.",
    ),
    hit: "spark.kubernetes.executor.enablePollingWithResourceVersion true",
    miss: "spark.kubernetes.executor.enablePollingWithResourceVersion false",
    check: (conf) => {
      const name = key("executor.enablePollingWithResourceVersion");
      return isTrue(conf, name) ? at(conf, name) : [];
    },
  },
  {
    code: "R109-fast-polling",
    severity: "warning",
    says: msg(
      "Each poll lists all executor pods, which overloads the API server at this interval.",
    ),
    page: msg("The default of 30s is enough, because the watch reports changes immediately."),
    hit: "spark.kubernetes.executor.apiPollingInterval 1s",
    miss: "spark.kubernetes.executor.apiPollingInterval 30s",
    *check(conf) {
      const time = conf.time(pollInterval);
      if (!conf.lacks(pollInterval) && time !== undefined && time < 5000)
        yield* at(conf, pollInterval);
    },
  },
  {
    code: "R110-dead-pods-kept",
    severity: "warning",
    says: msg("Pods of dead executors remain, and with this many executors they fill the quota."),
    page: msg(
      "`spark.kubernetes.executor.deleteOnTermination=false` helps to investigate failures. With dynamic allocation or many executors, delete the pods yourself.",
    ),
    hit: "spark.kubernetes.executor.deleteOnTermination false\nspark.dynamicAllocation.enabled true",
    miss: "spark.kubernetes.executor.deleteOnTermination false\nspark.executor.instances 3",
    *check(conf) {
      const isMany = isTrue(conf, dynamic) || isTrue(conf, streaming) || (wanted(conf) ?? 0) > 100;
      if (isFalse(conf, keepsPods) && isMany) yield* at(conf, keepsPods);
    },
  },
  {
    code: "R078-spark-container-unknown",
    severity: "warning",
    given: {
      executorTemplate: {
        containers: ["main"],
        overwritten: [],
        hasLivenessProbe: false,
        gracePeriodSeconds: undefined,
      },
    },
    says: msg(
      "Spark runs in a different container than the one it monitors, so it cannot interpret executor exits.",
    ),
    page: msg(
      "Spark runs in the template's first container unless `spark.kubernetes.executor.podTemplateContainerName` names another. It then looks for a container with that name, or with the name `spark-kubernetes-executor`. Set the property to the name of the container.",
    ),
    hit: "spark.kubernetes.executor.podTemplateFile executor.yaml",
    miss: "spark.kubernetes.executor.podTemplateFile executor.yaml\nspark.kubernetes.executor.podTemplateContainerName main",
    *check(conf) {
      const names = conf.application.executorTemplate?.containers;
      const [first] = names ?? [];
      if (names === undefined || first === undefined) return;
      const name = conf.lacks(containerName)
        ? "spark-kubernetes-executor"
        : conf.text(containerName);
      if (name === undefined || (conf.lacks(containerName) ? first === name : names.includes(name)))
        return;
      yield* at(conf, conf.lacks(containerName) ? template : containerName, {
        without: [containerName],
      });
    },
  },
  {
    code: "R111-sidecars-count",
    severity: "warning",
    from: "4.0",
    given: {
      executorTemplate: {
        containers: ["spark-kubernetes-executor", "proxy"],
        overwritten: [],
        hasLivenessProbe: false,
        gracePeriodSeconds: undefined,
      },
    },
    says: msg(
      "If a sidecar exits with an error, the executor fails, because Spark checks all containers of the pod.",
    ),
    page: msg(
      "In Spark 4.0 and later, `spark.kubernetes.executor.checkAllContainers` is true by default. Set it to false, or use a native sidecar, which is an init container that restarts.",
    ),
    hit: "spark.kubernetes.executor.podTemplateFile executor.yaml",
    miss: "spark.kubernetes.executor.podTemplateFile executor.yaml\nspark.kubernetes.executor.checkAllContainers false",
    *check(conf) {
      const count = conf.application.executorTemplate?.containers.length ?? 0;
      const all = key("executor.checkAllContainers");
      if (count > 1 && conf.flag(all) === true) yield* at(conf, template, { without: [all] });
    },
  },
  {
    code: "R112-template-overwritten",
    severity: "information",
    given: {
      executorTemplate: {
        containers: ["spark-kubernetes-executor"],
        overwritten: ["spec.restartPolicy"],
        hasLivenessProbe: false,
        gracePeriodSeconds: undefined,
      },
    },
    says: msg("Spark overwrites fields that this template sets."),
    page: msg(
      "The conf determines the pod's name, namespace and restart policy, and the image, pull policy, CPU, memory and arguments of the Spark container. Set them there.",
    ),
    hit: "spark.kubernetes.executor.podTemplateFile executor.yaml",
    miss: "spark.executor.memory 4g",
    *check(conf) {
      for (const role of ["driver", "executor"] as const) {
        // Skips the fields of the security context, which R209 reports.
        const fields = (conf.application[`${role}Template`]?.overwritten ?? []).filter(
          (field) => !field.startsWith("securityContext."),
        );
        const says = msg`Spark overwrites these fields of the template: ${fields.join(", ")}.`;
        if (fields.length > 0) yield* at(conf, key(`${role}.podTemplateFile`), { says });
      }
    },
  },
  {
    code: "R113-template-probe",
    severity: "warning",
    given: {
      executorTemplate: {
        containers: ["spark-kubernetes-executor"],
        overwritten: [],
        hasLivenessProbe: true,
        gracePeriodSeconds: undefined,
      },
    },
    says: msg("The liveness probe kills executors during long garbage collections."),
    page: msg("Spark monitors its executors by heartbeats. Remove the probe from the template."),
    hit: "spark.kubernetes.executor.podTemplateFile executor.yaml",
    miss: "spark.executor.memory 4g",
    *check(conf) {
      if (conf.application.executorTemplate?.hasLivenessProbe === true) yield* at(conf, template);
    },
  },
  {
    code: "R114-container-without-template",
    severity: "warning",
    says: msg("Without a pod template, no container has this name, so Spark cannot find it."),
    page: msg(
      "`podTemplateContainerName` names a container of `podTemplateFile`. Remove the name, or set the file.",
    ),
    hit: "spark.kubernetes.executor.podTemplateContainerName main",
    miss: "spark.kubernetes.executor.podTemplateContainerName main\nspark.kubernetes.executor.podTemplateFile executor.yaml",
    *check(conf) {
      for (const role of ["driver", "executor"]) {
        const file = key(`${role}.podTemplateFile`);
        if (conf.lacks(file))
          yield* at(conf, key(`${role}.podTemplateContainerName`), {
            part: "key",
            without: [file],
          });
      }
    },
  },
  {
    code: "R115-template-in-image",
    severity: "error",
    says: msg(
      "spark-submit reads the template on its own machine, but local:// refers to a file in the image.",
    ),
    page: msg(
      "Use a path or URL that spark-submit can read. In client mode, the driver reads the executor template.",
    ),
    hit: "spark.kubernetes.driver.podTemplateFile local:///opt/driver.yaml",
    miss: "spark.kubernetes.driver.podTemplateFile /etc/spark/driver.yaml",
    *check(conf) {
      for (const role of ["driver", "executor"]) {
        const file = key(`${role}.podTemplateFile`);
        if (conf.text(file)?.startsWith("local:") === true) yield* at(conf, file);
      }
    },
  },
  {
    code: "R116-shutdown-grace",
    severity: "information",
    from: "3.4",
    says: msg("Kubernetes may kill the driver pod before this period ends."),
    page: msg(
      "`executorSnapshotsSubscribersShutdownGracePeriod` must fit into the driver pod's grace period, which is 30 s unless a template sets it.",
    ),
    hit: "spark.kubernetes.executorSnapshotsSubscribersShutdownGracePeriod 60s",
    miss: "spark.kubernetes.executorSnapshotsSubscribersShutdownGracePeriod 20s",
    *check(conf) {
      const name = key("executorSnapshotsSubscribersShutdownGracePeriod");
      const grace = conf.application.driverTemplate?.gracePeriodSeconds ?? 30;
      if (!conf.lacks(name) && (conf.time(name) ?? 0) > grace * 1000) yield* at(conf, name);
    },
  },
  {
    code: "R212-prefix-of-sets",
    severity: "information",
    says: msg(
      "The prefix does not apply to pods of a StatefulSet or Deployment, only to other names.",
    ),
    page: msg(
      "With the allocators `statefulset` and `deployment`, executor pods are named `spark-s-…` and `spark-d-…`.",
    ),
    hit: "spark.kubernetes.executor.podNamePrefix etl\nspark.kubernetes.allocation.pods.allocator statefulset",
    miss: "spark.kubernetes.executor.podNamePrefix etl\nspark.kubernetes.allocation.pods.allocator direct",
    *check(conf) {
      if (isSet(conf)) yield* at(conf, key("executor.podNamePrefix"), { part: "key" });
    },
  },
];
