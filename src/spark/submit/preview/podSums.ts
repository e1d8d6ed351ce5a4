import type { ResolvedConf } from "../conf/conf.ts";
import { driverMemory } from "../driver/driverMemory.ts";
import { driverResources } from "../driver/driverResources.ts";
import { javaDouble } from "../conf/javaText.ts";
import type { JsonObject } from "../../../base/json.ts";
import { readInt } from "../conf/readConf.ts";
import type { SparkMinor } from "../conf/sparkVersion.ts";
import type { ApplicationKind } from "../arguments/fileKind.ts";
import type { Checked } from "../plan/submissionFinding.ts";
import { versionTraits } from "../conf/versionTraits.ts";
import { executorMemory } from "../executor/executorMemory.ts";
import { executorResources } from "../executor/executorResources.ts";
import { executorTraits } from "../executor/executorTraits.ts";
import { amountOf, executorCount, type PodTotals, type ExecutorCount } from "./totals.ts";

interface PodSums {
  /** The requests of the driver. Undefined if Spark would reject its conf. */
  readonly driver: PodTotals | undefined;
  /** The requests of one executor. Undefined if Spark would reject its conf. */
  readonly executor: PodTotals | undefined;
  readonly executors: ExecutorCount;
  readonly memory: Readonly<Record<"driver" | "executor", MemoryParts>>;
}

/** The parts of a container's memory limit, in mebibytes. */
export interface MemoryParts {
  /** The maximum Java heap. */
  readonly heap: number;
  readonly overhead: number;
  /** `spark.memory.offHeap.size`, in executors only. */
  readonly offHeap: number;
  /** `spark.executor.pyspark.memory`, in executors of a Python application only. */
  readonly python: number;
}

/**
 * Computes the requests of Spark's own containers from a conf, without a plan. In client mode the executors' sums do
 * not depend on `kind`, because the driver does not know it.
 */
export function podSums(
  conf: ResolvedConf,
  kind: ApplicationKind,
  mode: "cluster" | "client",
  minor: SparkMinor,
): PodSums {
  const submissionEnvironment = { environment: {} };
  const traits = versionTraits[minor];
  const driver = { application: { conf, kind }, submissionEnvironment, traits };
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
    submissionEnvironment,
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
    memory: {
      driver: partsOf({ ...memory.value, offHeap: 0n, python: 0n }),
      executor: partsOf(share.value),
    },
  };
}

const partsOf = ({
  heap,
  overhead,
  offHeap,
  python,
}: Readonly<Record<keyof MemoryParts, bigint>>): MemoryParts => ({
  heap: Number(heap),
  overhead: Number(overhead),
  offHeap: Number(offHeap),
  python: Number(python),
});

function amountsOf(
  read: readonly Checked<unknown>[],
  resources: Readonly<Record<"requests" | "limits", JsonObject>>,
): PodTotals | undefined {
  const isRefused = read.some(({ findings }) =>
    findings.some(({ severity }) => severity === "error"),
  );
  const cores = amountOf({ resources }, "requests", "cpu");
  const memoryBytes = amountOf({ resources }, "requests", "memory");
  if (isRefused || cores === undefined || memoryBytes === undefined) return undefined;
  return { cores, memoryBytes };
}
