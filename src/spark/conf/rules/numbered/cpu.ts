import { msg } from "../../../../base/message.ts";
import { parseQuantity } from "../../../quantity.ts";
import { at, podRoles } from "./violations.ts";
import type { RuleConf } from "./conf.ts";
import type { ConfRule } from "./confRule.ts";

const request = (role: string): string => `spark.kubernetes.${role}.request.cores`;
const limit = (role: string): string => `spark.kubernetes.${role}.limit.cores`;
const cores = (role: string): string => `spark.${role}.cores`;
const taskCpus = "spark.task.cpus";

const quantity = (conf: RuleConf, key: string): number | undefined =>
  parseQuantity(conf.text(key) ?? "");
/** Converts to billionths, so that fractions of cores are compared exactly. */
const billionths = (value: number): number => Math.round(value * 1e9);

/** Rules about CPU requests of pods and task slots. */
export const cpuRules: readonly ConfRule[] = [
  {
    code: "R024-executor-request-above-limit",
    severity: "error",
    says: msg("The executor CPU request is above the limit."),
    page: msg(
      "Kubernetes rejects such a pod. In Spark 4.1 and later, the driver rejects it first and exits. Raise `spark.kubernetes.executor.limit.cores`, or lower the request.",
    ),
    hit: "spark.kubernetes.executor.request.cores 2\nspark.kubernetes.executor.limit.cores 1500m",
    miss: "spark.kubernetes.executor.request.cores 1500m\nspark.kubernetes.executor.limit.cores 1.5",
    *check(conf) {
      const asked = quantity(conf, request("executor"));
      const maximum = quantity(conf, limit("executor"));
      if (asked !== undefined && maximum !== undefined && asked > maximum)
        yield* at(conf, limit("executor"));
    },
  },
  {
    code: "R025-executor-cores-above-limit",
    severity: "error",
    says: msg(
      "The executor CPU request defaults to the number of cores, which is above the limit.",
    ),
    page: msg(
      "If `spark.kubernetes.executor.request.cores` is not set, Spark requests `spark.executor.cores` (1 by default). Raise the limit, or set a request that does not exceed it.",
    ),
    hit: "spark.executor.cores 4\nspark.kubernetes.executor.limit.cores 2",
    miss: "spark.executor.cores 4\nspark.kubernetes.executor.limit.cores 2\nspark.kubernetes.executor.request.cores 2",
    *check(conf) {
      const count = conf.number(cores("executor"));
      const maximum = quantity(conf, limit("executor"));
      if (!conf.lacks(request("executor")) || count === undefined || maximum === undefined) return;
      // Keeps the severity if this document sets both cores and limit, although another file may set the request.
      if (maximum < count) {
        const without = [request("executor"), cores("executor")];
        yield* at(conf, limit("executor"), {
          without,
          ...(!conf.lacks(cores("executor")) && { isTorn: true }),
        });
      }
    },
  },
  {
    code: "R026-driver-request-above-limit",
    severity: "error",
    where: "cluster",
    says: msg("The driver CPU request is above the limit, so Kubernetes rejects the pod."),
    page: msg(
      "The driver requests `spark.kubernetes.driver.request.cores`, or `spark.driver.cores` (1 by default) if that is not set. Spark itself does not compare the request with `spark.kubernetes.driver.limit.cores`.",
    ),
    hit: "spark.kubernetes.driver.request.cores 2\nspark.kubernetes.driver.limit.cores 1",
    miss: "spark.kubernetes.driver.request.cores 1\nspark.kubernetes.driver.limit.cores 1",
    *check(conf) {
      const maximum = quantity(conf, limit("driver"));
      if (maximum === undefined) return;
      const isSet = !conf.lacks(request("driver"));
      const asked = isSet ? quantity(conf, request("driver")) : conf.number(cores("driver"));
      const without = isSet ? [] : [request("driver"), cores("driver")];
      if (asked === undefined || asked <= maximum) return;
      yield* at(conf, limit("driver"), {
        without,
        ...(!conf.lacks(cores("driver")) && { isTorn: true }),
      });
    },
  },
  {
    code: "R027-cores-not-whole",
    severity: "error",
    says: msg(
      "Cores are task slots and must be a whole number above zero. Set fractions in request.cores.",
    ),
    page: msg(
      "spark-submit rejects zero and negative numbers. To request a fraction of a core, set `spark.kubernetes.executor.request.cores` or `spark.kubernetes.driver.request.cores`.",
    ),
    hit: "spark.executor.cores 0",
    miss: "spark.executor.cores 1",
    *check(conf) {
      for (const role of podRoles) {
        const text = conf.text(cores(role));
        if (text !== undefined && /^[+-]?[0-9]+$/.test(text) && Number(text) <= 0)
          yield* at(conf, cores(role));
      }
    },
  },
  {
    code: "R028-no-task-fits",
    severity: "error",
    says: msg("A task needs more cores than an executor has, so no task can run."),
    page: msg("`spark.executor.cores` must be at least `spark.task.cpus`."),
    hit: "spark.executor.cores 2\nspark.task.cpus 4",
    miss: "spark.executor.cores 4\nspark.task.cpus 4",
    *check(conf) {
      const count = conf.number(cores("executor"));
      const each = conf.number(taskCpus);
      // On other cluster managers, executors without the key use all cores of their machine.
      if (conf.lacks(cores("executor")) && conf.cluster !== "kubernetes") return;
      if (count === undefined || each === undefined || count <= 0 || each <= count) return;
      const without = [cores("executor"), taskCpus];
      yield* at(conf, conf.lacks(taskCpus) ? cores("executor") : taskCpus, { without });
    },
  },
  {
    code: "R029-uneven-slots",
    severity: "information",
    says: msg(
      "The executor cores are not a multiple of the cores per task, so some cores are never used.",
    ),
    page: msg(
      "An executor runs `spark.executor.cores` / `spark.task.cpus` tasks at once, rounded down.",
    ),
    hit: "spark.executor.cores 5\nspark.task.cpus 2",
    miss: "spark.executor.cores 4\nspark.task.cpus 2",
    *check(conf) {
      const count = conf.number(cores("executor"));
      const each = conf.number(taskCpus);
      if (conf.lacks(cores("executor")) || conf.lacks(taskCpus)) return;
      if (count === undefined || each === undefined || each <= 0 || each > count) return;
      if (billionths(count) % billionths(each) !== 0) yield* at(conf, cores("executor"));
    },
  },
  {
    code: "R030-overcommitted-cores",
    severity: "warning",
    says: msg("The CPU request is less than half of what the task slots need."),
    page: msg(
      "On a busy node, tasks get only the requested CPU and become slow. Raise `spark.kubernetes.executor.request.cores`, or use fewer cores.",
    ),
    hit: "spark.executor.cores 4\nspark.kubernetes.executor.request.cores 1",
    miss: "spark.executor.cores 4\nspark.kubernetes.executor.request.cores 2",
    *check(conf) {
      const count = conf.number(cores("executor"));
      const asked = quantity(conf, request("executor"));
      if (count === undefined || asked === undefined || asked >= count / 2) return;
      yield* at(conf, request("executor"), { without: [cores("executor")] });
    },
  },
  {
    code: "R031-throttled-cores",
    severity: "warning",
    says: msg("The CPU limit is below the number of executor cores, so tasks are throttled."),
    page: msg(
      "The JVM sees only as many processors as the limit allows, while Spark uses `spark.executor.cores` to schedule tasks. Raise `spark.kubernetes.executor.limit.cores`, or omit it.",
    ),
    hit: "spark.executor.cores 4\nspark.kubernetes.executor.request.cores 2\nspark.kubernetes.executor.limit.cores 2",
    miss: "spark.executor.cores 4\nspark.kubernetes.executor.request.cores 2\nspark.kubernetes.executor.limit.cores 4",
    *check(conf) {
      const count = conf.number(cores("executor"));
      const maximum = quantity(conf, limit("executor"));
      if (conf.lacks(cores("executor")) || conf.lacks(request("executor"))) return;
      if (count !== undefined && maximum !== undefined && maximum < count)
        yield* at(conf, limit("executor"));
    },
  },
  {
    code: "R032-cpu-quantity",
    severity: "error",
    says: msg("The value must be a Kubernetes quantity such as 1500m or 1.5."),
    page: msg(
      "Spark passes `request.cores` and `limit.cores` to Kubernetes unchanged. They are decimal numbers with an optional unit such as `m` for thousandths, without spaces.",
    ),
    hit: "spark.kubernetes.executor.request.cores 2cores",
    miss: "spark.kubernetes.executor.request.cores 1500m",
    *check(conf) {
      for (const role of podRoles) {
        for (const key of [request(role), limit(role)]) {
          const text = conf.text(key);
          if (text !== undefined && parseQuantity(text) === undefined) yield* at(conf, key);
        }
      }
    },
  },
  {
    code: "R033-profile-ignores-cores",
    severity: "warning",
    given: { uses: new Set(["resourceProfiles"]) },
    says: msg("This setting does not apply to executors of other resource profiles."),
    page: msg(
      "`spark.kubernetes.executor.request.cores` and `limit.cores` apply only to the default profile. A profile created in code uses its own cores.",
    ),
    hit: "spark.kubernetes.executor.request.cores 2",
    miss: "spark.executor.cores 2",
    *check(conf) {
      if (conf.application.uses?.has("resourceProfiles") !== true) return;
      for (const key of [request("executor"), limit("executor")]) yield* at(conf, key);
    },
  },
];
