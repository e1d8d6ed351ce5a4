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
const isSet = (conf: RuleConf): boolean => ["statefulset", "deployment"].includes(kind(conf) ?? "");
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
      "This version has no such allocator: take direct, statefulset, deployment (from Spark 4.2 on) or the name of a class.",
    ),
    page: msg("Spark takes any text for the key, and the driver then fails as it starts."),
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
    says: msg("Only the direct allocator looks at this."),
    page: msg(
      "The controller of the StatefulSet or Deployment creates the pods. Batch sizes, limits on pending pods, timeouts and reused claims have no effect.",
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
    says: msg("A StatefulSet removes its last pods first, whichever of them are idle."),
    page: msg(
      "With dynamic allocation take the direct allocator, or from Spark 4.2 on `deployment` with `spark.kubernetes.executor.podDeletionCost`.",
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
      "With dynamic allocation the deployment allocator needs spark.kubernetes.executor.podDeletionCost.",
    ),
    page: msg(
      "The cost tells Kubernetes which pods to remove first. Without it the driver fails as it starts.",
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
    says: msg("The deployment allocator refuses claims for executors."),
    page: msg(
      "Pods of a Deployment share all they mount. Use the direct allocator or a StatefulSet.",
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
      "In client mode a StatefulSet or Deployment needs spark.kubernetes.driver.pod.name for its owner.",
    ),
    page: msg(
      "The set is owned by the driver's pod, so that it ends with it. Set the name of the pod that the driver runs in.",
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
    says: msg("Executors are asked for in batches, and the last batch comes late."),
    page: msg(
      "Each `spark.kubernetes.allocation.batch.delay` at most `spark.kubernetes.allocation.batch.size` pods are created. Larger batches start faster, and ask more of the API server.",
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
      const says = msg`In batches of ${size}, ${count} executors take ${Math.round(seconds)} s to be asked for.`;
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
    says: msg("The bound of one resource profile is above that of all."),
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
    says: msg("The bound on pending pods is below the batch, so it limits each round."),
    page: msg(
      "At most `spark.kubernetes.allocation.maxPendingPods` pods wait at a time, even if a batch is larger.",
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
      "This counts every executor pod of the application's life: there is no room for a replacement.",
    ),
    page: msg(
      "When `spark.kubernetes.allocation.maximum` pods have been created, the application stops with an error. Leave room for executors that are lost, or leave it unset.",
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
    says: msg("Spark waits at least five times the batch delay, so this is not used."),
    page: msg(
      "`spark.kubernetes.allocation.executor.timeout` says how long a pod may take to be seen; five batch delays are the least.",
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
    says: msg("Without polling, an event that the watch loses is never made good."),
    page: msg(
      "The driver then takes dead executors for living ones. Keep polling on, and lengthen `spark.kubernetes.executor.apiPollingInterval` if the API server is busy.",
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
      "Without the watch the driver reacts at its polls only, with one batch of executors each.",
    ),
    page: msg("Keep `spark.kubernetes.executor.enableApiWatcher` on."),
    hit: "spark.kubernetes.executor.enableApiWatcher false",
    miss: "spark.kubernetes.executor.enableApiWatcher true",
    check: (conf) => (isFalse(conf, watching) ? at(conf, watching) : []),
  },
  {
    code: "R107-blind-driver",
    severity: "error",
    from: "3.4",
    says: msg("Without polling and without the watch the driver never sees its executors' pods."),
    page: msg(
      "Switch at least one of `spark.kubernetes.executor.enableApiPolling` and `spark.kubernetes.executor.enableApiWatcher` on.",
    ),
    hit: "spark.kubernetes.executor.enableApiPolling false\nspark.kubernetes.executor.enableApiWatcher false",
    miss: "spark.kubernetes.executor.enableApiPolling false\nspark.kubernetes.executor.enableApiWatcher true",
    check: (conf) => (isFalse(conf, polling) && isFalse(conf, watching) ? at(conf, watching) : []),
  },
  {
    code: "R108-cached-listing",
    severity: "information",
    says: msg(
      "Lists from the API server's cache may be old: a lost executor is found late, a new one may count as missing.",
    ),
    page: msg(
      "Use `spark.kubernetes.executor.enablePollingWithResourceVersion` only where the API server is under load.",
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
    says: msg("Each poll lists all executor pods: at this interval, it overloads the API server."),
    page: msg("The default of 30s is enough, as the watch tells changes at once."),
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
    says: msg("Dead executors stay: with so many executors they fill the quota."),
    page: msg(
      "`spark.kubernetes.executor.deleteOnTermination=false` helps to look into failures. With dynamic allocation or many executors remove the pods yourself.",
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
      "Spark would run in another container than the one it watches: exits are not understood.",
    ),
    page: msg(
      "Spark runs in the template's first container unless `spark.kubernetes.executor.podTemplateContainerName` names another, and later looks for the container by that name or by `spark-kubernetes-executor`. Set the key, and call the container so.",
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
      "A sidecar that ends with an error makes the executor fail: all containers of a pod count.",
    ),
    page: msg(
      "From Spark 4.0 on `spark.kubernetes.executor.checkAllContainers` is true. Set it to false, or make the sidecar a native one, an init container that restarts.",
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
    says: msg("Spark replaces fields that this template sets."),
    page: msg(
      "Name and namespace of the pod, its restart policy, and image, pull policy, CPU, memory and arguments of the Spark container come from the conf. Set them there.",
    ),
    hit: "spark.kubernetes.executor.podTemplateFile executor.yaml",
    miss: "spark.executor.memory 4g",
    *check(conf) {
      for (const role of ["driver", "executor"] as const) {
        // Skips the fields of the security context, which R209 reports.
        const fields = (conf.application[`${role}Template`]?.overwritten ?? []).filter(
          (field) => !field.startsWith("securityContext."),
        );
        const says = msg`Spark replaces what this template sets: ${fields.join(", ")}.`;
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
    says: msg("With a liveness probe, an executor in a long garbage collection is killed."),
    page: msg("Spark watches its executors by heartbeats. Take the probe out of the template."),
    hit: "spark.kubernetes.executor.podTemplateFile executor.yaml",
    miss: "spark.executor.memory 4g",
    *check(conf) {
      if (conf.application.executorTemplate?.hasLivenessProbe === true) yield* at(conf, template);
    },
  },
  {
    code: "R114-container-without-template",
    severity: "warning",
    says: msg(
      "Without a template there is no container of that name, and Spark looks for it in vain.",
    ),
    page: msg(
      "`podTemplateContainerName` names a container of `podTemplateFile`. Remove it, or give the file.",
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
    says: msg("The template is read where spark-submit runs: local:// names a file in the image."),
    page: msg(
      "Give a path or an address that the submitter can read; in client mode the driver reads the executors' template.",
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
    says: msg("The driver's pod may be killed before this time is over."),
    page: msg(
      "`executorSnapshotsSubscribersShutdownGracePeriod` must fit into the driver pod's grace period, 30 s unless a template says otherwise.",
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
    says: msg("Pods of a set have names of the set's own; the prefix shapes other names only."),
    page: msg(
      "With the allocators `statefulset` and `deployment` executor pods are called `spark-s-…` and `spark-d-…`.",
    ),
    hit: "spark.kubernetes.executor.podNamePrefix etl\nspark.kubernetes.allocation.pods.allocator statefulset",
    miss: "spark.kubernetes.executor.podNamePrefix etl\nspark.kubernetes.allocation.pods.allocator direct",
    *check(conf) {
      if (isSet(conf)) yield* at(conf, key("executor.podNamePrefix"), { part: "key" });
    },
  },
];
