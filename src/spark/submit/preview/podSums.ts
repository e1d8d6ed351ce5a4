import type { ResolvedConf } from "../conf.ts";
import { driverMemory } from "../driverMemory.ts";
import { driverResources } from "../driverResources.ts";
import { javaDouble } from "../javaText.ts";
import type { JsonObject } from "../manifest.ts";
import { readInt } from "../readConf.ts";
import type { SparkMinor } from "../sparkVersion.ts";
import type { ResourceKind } from "../submissionArguments.ts";
import type { Checked } from "../submissionFinding.ts";
import { versionTraits } from "../versionTraits.ts";
import { executorMemory } from "./executorMemory.ts";
import { executorResources } from "./executorResources.ts";
import { executorTraits } from "./executorTraits.ts";
import { amountOf, executorCount, type Amounts, type ExecutorCount } from "./totals.ts";

export interface PodSums {
  /** Undefined where Spark would refuse what the pod is made of. */
  readonly driver: Amounts | undefined;
  /** One of them. */
  readonly executor: Amounts | undefined;
  readonly executors: ExecutorCount;
}

/**
 * What Spark's own containers ask for by the conf of an application, before there is a plan for it. In client
 * mode nobody tells the driver what kind of application it is.
 */
export function podSums(
  conf: ResolvedConf,
  kind: ResourceKind,
  mode: "cluster" | "client",
  minor: SparkMinor,
): PodSums {
  const surroundings = { environment: {} };
  const traits = versionTraits[minor];
  const driver = { application: { conf, kind }, surroundings, traits };
  const memory = driverMemory(driver);
  const resources = driverResources(driver, memory.value.total);
  const added = (value: string): { value: string; origin: { kind: "computed" } } => ({
    value,
    origin: { kind: "computed" },
  });
  const driverConf: ResolvedConf =
    mode === "client"
      ? conf
      : new Map([
          ...conf,
          ["spark.kubernetes.memoryOverheadFactor", added(javaDouble(memory.value.factor))],
          ["spark.kubernetes.resource.type", added(kind)],
        ]);
  const executor = {
    application: { conf: driverConf },
    surroundings,
    traits,
    executorTraits: executorTraits[minor],
  };
  const cores = readInt(executor, "spark.executor.cores", 1);
  const share = executorMemory(executor);
  const own = executorResources(executor, share.value.total, cores.value);
  return {
    driver: amountsOf([memory, resources], resources.value),
    executor: amountsOf([cores, share, own], own.value),
    executors: executorCount({ conf }),
  };
}

function amountsOf(
  read: readonly Checked<unknown>[],
  resources: Readonly<Record<"requests" | "limits", JsonObject>>,
): Amounts | undefined {
  const isRefused = read.some(({ findings }) =>
    findings.some(({ severity }) => severity === "error"),
  );
  const cores = amountOf({ resources }, "requests", "cpu");
  const memoryBytes = amountOf({ resources }, "requests", "memory");
  if (isRefused || cores === undefined || memoryBytes === undefined) return undefined;
  return { cores, memoryBytes };
}
