import { msg } from "../../../../base/message.ts";
import { at, atMaster } from "./violations.ts";
import type { RuleConf } from "./conf.ts";
import type { Violation, ConfRule } from "./confRule.ts";

const key = (name: string): string => `spark.kubernetes.${name}`;
const volcanoStep = "org.apache.spark.deploy.k8s.features.VolcanoFeatureStep";
const driverSteps = key("driver.pod.featureSteps");
const executorSteps = key("executor.pod.featureSteps");
const podGroup = key("scheduler.volcano.podGroupTemplateFile");
const logEnabled = "spark.eventLog.enabled";
const logDir = "spark.eventLog.dir";
const metricsNamespace = "spark.metrics.namespace";

interface Resource {
  readonly role: string;
  readonly name: string;
  readonly amountKey: string;
}

function resourcesOf(conf: RuleConf, role: string): readonly Resource[] {
  const prefix = `spark.${role}.resource.`;
  return conf
    .group(prefix)
    .filter((entry) => entry.key.endsWith(".amount"))
    .map(({ key: amountKey }) => ({
      role,
      amountKey,
      name: amountKey.slice(prefix.length, -".amount".length),
    }))
    .filter(({ amountKey }) => conf.text(amountKey) !== "0");
}

function* lacking(
  conf: RuleConf,
  roles: readonly string[],
  what: string,
): Generator<Violation, void> {
  for (const { role, name, amountKey } of roles.flatMap((role) => resourcesOf(conf, role))) {
    const wanted = `spark.${role}.resource.${name}.${what}`;
    if (!conf.lacks(wanted)) continue;
    const isTorn = what === "vendor";
    yield* at(conf, amountKey, { part: "key", without: [wanted], ...(isTorn && { isTorn }) });
  }
}

const schedulers = ["scheduler.name", "driver.scheduler.name", "executor.scheduler.name"].map(key);

/** Rules about scheduling, accelerators, logs and metrics. */
export const operationRules: readonly ConfRule[] = [
  {
    code: "R197-volcano-half-set",
    severity: "warning",
    says: msg(
      "Without its feature step for both the driver and the executors, Volcano does not create a pod group.",
    ),
    page: msg`Add \`${volcanoStep}\` to both \`spark.kubernetes.driver.pod.featureSteps\` and \`spark.kubernetes.executor.pod.featureSteps\`. The Spark distribution contains it in Spark 4.2 and later.`,
    hit: `spark.kubernetes.scheduler.name volcano\nspark.kubernetes.driver.pod.featureSteps ${volcanoStep}\nspark.kubernetes.executor.pod.featureSteps org.example.Step`,
    miss: `spark.kubernetes.scheduler.name volcano\nspark.kubernetes.driver.pod.featureSteps ${volcanoStep}\nspark.kubernetes.executor.pod.featureSteps ${volcanoStep}`,
    *check(conf) {
      const scheduler = schedulers.find((name) => conf.text(name) === "volcano");
      const trigger = scheduler ?? (conf.lacks(podGroup) ? undefined : podGroup);
      if (trigger === undefined) return;
      const steps = [driverSteps, executorSteps].filter(
        (name) => !conf.list(name).includes(volcanoStep),
      );
      if (
        steps.length === 0 ||
        steps.some((name) => !conf.lacks(name) && conf.text(name) === undefined)
      )
        return;
      const isCertain = steps.some((name) => !conf.lacks(name));
      yield* at(conf, trigger, { without: isCertain ? [] : steps });
    },
  },
  {
    code: "R199-resource-vendor",
    severity: "error",
    where: "kubernetes",
    says: msg("Kubernetes requests devices by vendor: set the vendor of this resource."),
    page: msg(
      "Spark adds `vendor/resource` to the pod, such as `nvidia.com/gpu`, and rejects a resource without `vendor`.",
    ),
    hit: "spark.executor.resource.gpu.amount 1",
    miss: "spark.executor.resource.gpu.amount 1\nspark.executor.resource.gpu.vendor nvidia.com",
    check: (conf) => lacking(conf, ["driver", "executor"], "vendor"),
  },
  {
    code: "R200-discovery-script",
    severity: "error",
    where: "kubernetes",
    says: msg("Without a discovery script, the executor cannot find its devices and exits."),
    page: msg(
      "Set `spark.executor.resource.….discoveryScript` to a script in the image that prints the device addresses.",
    ),
    hit: "spark.executor.resource.gpu.amount 1",
    miss: "spark.executor.resource.gpu.amount 1\nspark.executor.resource.gpu.discoveryScript /opt/gpus.sh",
    *check(conf) {
      // A custom plugin may discover the accelerators instead.
      if (conf.lacks("spark.resources.discoveryPlugin"))
        yield* lacking(conf, ["executor"], "discoveryScript");
    },
  },
  {
    code: "R201-task-resource",
    severity: "warning",
    says: msg("The device is reserved, but no task requests it."),
    page: msg("Set `spark.task.resource.….amount`. Use a fraction if tasks share a device."),
    hit: "spark.executor.resource.gpu.amount 1",
    miss: "spark.executor.resource.gpu.amount 1\nspark.task.resource.gpu.amount 0.5",
    *check(conf) {
      for (const { name, amountKey } of resourcesOf(conf, "executor")) {
        const wanted = `spark.task.resource.${name}.amount`;
        if (conf.lacks(wanted)) yield* at(conf, amountKey, { part: "key", without: [wanted] });
      }
    },
  },
  {
    code: "R202-event-log-gone",
    severity: "warning",
    where: "cluster",
    says: msg("The event log is stored in the driver pod and is deleted with it."),
    page: msg(
      "Set `spark.eventLog.enabled`, and set `spark.eventLog.dir` to persistent storage such as a bucket. A local directory must exist, or the driver fails.",
    ),
    hit: "spark.eventLog.enabled true\nspark.eventLog.dir file:///tmp/spark-events",
    miss: "spark.eventLog.enabled true\nspark.eventLog.dir s3a://logs/spark-events",
    *check(conf) {
      const isOn = !conf.lacks(logEnabled) && conf.flag(logEnabled) === true;
      const dir = conf.text(logDir) ?? "";
      const isMounted = conf
        .group(key("driver.volumes."))
        .some(
          ({ key: name, value }) =>
            name.endsWith(".mount.path") && dir.replace(/^file:(?:\/\/)?/, "").startsWith(value),
        );
      if (isOn && conf.lacks(logDir)) yield* at(conf, logEnabled, { without: [logDir] });
      else if (isOn && /^(?:file:|\/)/.test(dir)) {
        yield* at(conf, logDir, isMounted ? { severity: "hint" } : {});
      }
      const says = msg(
        "No event log is written: the application leaves no history when its driver ends.",
      );
      if (conf.lacks(logEnabled)) {
        for (const violation of atMaster(conf, [logEnabled]))
          yield { ...violation, says, severity: "hint" };
      } else if (conf.flag(logEnabled) === false) {
        // Lower the severity, because an explicit `false` is intended.
        yield* at(conf, logEnabled, { says, severity: "information" });
      }
    },
  },
  {
    code: "R203-prometheus-default",
    severity: "information",
    to: "3.5",
    says: msg(
      "Before Spark 4.0, the driver's Prometheus endpoint for executors is disabled by default.",
    ),
    page: msg(
      "Set `spark.ui.prometheus.enabled` to true to enable `/metrics/executors/prometheus`.",
    ),
    hit: "spark.kubernetes.driver.annotation.prometheus.io/path /metrics/executors/prometheus",
    miss: "spark.kubernetes.driver.annotation.prometheus.io/path /metrics/executors/prometheus\nspark.ui.prometheus.enabled true",
    *check(conf) {
      if (!conf.lacks("spark.ui.prometheus.enabled")) return;
      for (const prefix of [key("driver.annotation."), key("driver.service.annotation.")]) {
        for (const entry of conf.group(prefix)) {
          if (entry.value.includes("/metrics/executors/prometheus"))
            yield { at: entry, without: ["spark.ui.prometheus.enabled"] };
        }
      }
    },
  },
  {
    code: "R204-metrics-namespace",
    severity: "information",
    says: msg("Metric names contain the application ID, so each run creates new time series."),
    page: msg("Set `spark.metrics.namespace` to a stable name, such as `${spark.app.name}`."),
    hit: "spark.metrics.conf.*.sink.graphite.class org.apache.spark.metrics.sink.GraphiteSink",
    miss: "spark.metrics.conf.*.sink.graphite.class org.apache.spark.metrics.sink.GraphiteSink\nspark.metrics.namespace etl",
    *check(conf) {
      if (!conf.lacks(metricsNamespace)) return;
      for (const entry of conf.group("spark.metrics.conf.")) {
        const sink = entry.value.slice(entry.value.lastIndexOf(".") + 1);
        if (/Prometheus|Graphite/.test(sink) && entry.key.endsWith(".class")) {
          yield { at: entry, without: [metricsNamespace] };
        }
      }
    },
  },
  {
    code: "R205-no-wait",
    severity: "information",
    says: msg("spark-submit returns as soon as the driver pod is created."),
    page: msg(
      "The exit code of spark-submit does not show whether the application succeeds. Check the driver pod.",
    ),
    hit: "spark.kubernetes.submission.waitAppCompletion false",
    miss: "spark.kubernetes.submission.waitAppCompletion true",
    *check(conf) {
      const name = key("submission.waitAppCompletion");
      if (!conf.lacks(name) && conf.flag(name) === false) yield* at(conf, name);
    },
  },
  {
    code: "R206-kill-grace",
    severity: "information",
    says: msg("Only spark-submit --kill uses this grace period."),
    page: msg(
      "Set the grace period of the pods in a pod template. For executors, Spark 4.1 and later also support `spark.kubernetes.executor.terminationGracePeriodSeconds`.",
    ),
    hit: "spark.kubernetes.appKillPodDeletionGracePeriod 30s",
    miss: "spark.kubernetes.submission.waitAppCompletion true",
    check: (conf) => at(conf, key("appKillPodDeletionGracePeriod"), { part: "key" }),
  },
  {
    code: "R207-context-in-pod",
    severity: "information",
    says: msg("Inside the cluster, there is no kubeconfig, so a context has no effect."),
    page: msg(
      "The master is the address of the API server inside the cluster. `spark.kubernetes.context` applies only to submissions from outside the cluster.",
    ),
    hit: "spark.master k8s://https://kubernetes.default.svc:443\nspark.kubernetes.context prod",
    miss: "spark.master k8s://https://api.example.com:6443\nspark.kubernetes.context prod",
    *check(conf) {
      if (/\/\/kubernetes\.default(?:\.svc|:|$)/.test(conf.text("spark.master") ?? ""))
        yield* at(conf, key("context"), { part: "key" });
    },
  },
  {
    code: "R208-recovery-mode",
    severity: "information",
    from: "4.2",
    says: msg(
      "After one executor loss that looks like an out-of-memory failure, new executors run one task at a time.",
    ),
    page: msg(
      "Spark 4.2 and later do this until the application ends. Increase the executor memory to what the tasks need.",
    ),
    hit: "spark.kubernetes.allocation.recoveryMode.enabled true",
    miss: "spark.kubernetes.allocation.recoveryMode.enabled false",
    *check(conf) {
      const name = key("allocation.recoveryMode.enabled");
      if (!conf.lacks(name) && conf.flag(name) === true) yield* at(conf, name);
    },
  },
  {
    code: "R209-privilege-escalation",
    severity: "information",
    from: "4.3",
    given: {
      driverTemplate: {
        containers: ["spark-kubernetes-driver"],
        overwritten: ["securityContext.allowPrivilegeEscalation"],
        hasLivenessProbe: false,
        gracePeriodSeconds: undefined,
      },
    },
    says: msg(
      "Spark 4.3 and later forbid privilege escalation in their containers: an image that needs it fails.",
    ),
    page: msg(
      "Spark sets `allowPrivilegeEscalation: false` for its containers. Change images that use `sudo` or similar tools.",
    ),
    hit: "spark.kubernetes.driver.podTemplateFile driver.yaml",
    miss: "spark.app.name etl",
    *check(conf) {
      for (const role of ["driver", "executor"] as const) {
        const fields = conf.application[`${role}Template`]?.overwritten ?? [];
        if (fields.some((field) => field.endsWith("allowPrivilegeEscalation")))
          yield* at(conf, key(`${role}.podTemplateFile`));
      }
    },
  },
];
