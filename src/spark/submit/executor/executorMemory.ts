import { msg, type Message } from "../../../base/message.ts";
import { collectFindings } from "../plan/collectFindings.ts";
import { problems } from "../plan/problems.ts";
import {
  readBoolean,
  readDouble,
  readEntry,
  readMebibytes,
  readConfText,
  type ConfReading,
} from "../conf/readConf.ts";
import { parseSize, toJavaInt } from "../conf/sparkValues.ts";
import type { Checked } from "../plan/submissionFinding.ts";
import { executorProblems } from "./executorProblems.ts";
import type { VersionTraits } from "../conf/versionTraits.ts";

interface ExecutorReading extends ConfReading {
  readonly traits: Pick<VersionTraits, "hasIecSizes" | "hasMinMemoryOverhead">;
}

interface ExecutorMemory {
  /** In mebibytes, like all sizes of this type. */
  readonly heap: bigint;
  readonly overhead: bigint;
  readonly offHeap: bigint;
  /** `spark.executor.pyspark.memory` of a Python application. */
  readonly python: bigint;
  /** The sum of heap, overhead, off-heap memory and PySpark memory. */
  readonly total: bigint;
}

const minOverhead = 384n;
const heapKey = "spark.executor.memory";
const overheadKey = "spark.executor.memoryOverhead";
const pythonKey = "spark.executor.pyspark.memory";
const generalFactorKey = "spark.kubernetes.memoryOverheadFactor";
const ownFactorKey = "spark.executor.memoryOverheadFactor";

/** Computes the memory of an executor's container in the default resource profile. */
export function executorMemory(context: ExecutorReading): Checked<ExecutorMemory> {
  const { findings, take } = collectFindings();
  const heap = take(readMebibytes(context, heapKey, 1024n));
  const general = take(readDouble(context, generalFactorKey, 0.1));
  const ownFactor = readEntry(context, ownFactorKey);
  const own = take(readDouble(context, ownFactorKey, 1));
  const check = (key: string, isGood: boolean, expected: Message): void => {
    const entry = readEntry(context, key);
    if (!isGood) findings.push(problems.badValue(key, entry?.value ?? "", expected, entry?.origin));
  };
  check(generalFactorKey, general >= 0, msg("zero or a positive number"));
  check(ownFactorKey, own > 0, msg("a positive number"));
  const minimum = context.traits.hasMinMemoryOverhead
    ? take(readMebibytes(context, "spark.executor.minMemoryOverhead", minOverhead))
    : minOverhead;
  const share = BigInt(toJavaInt((ownFactor ? own : general) * Number(heap)));
  const calculated = share > minimum ? share : minimum;
  const overhead = take(readMebibytes(context, overheadKey, calculated));
  // Reports negative sizes, which Spark accepts for the driver, but not for executors.
  check(heapKey, heap >= 0, msg("zero or a positive size"));
  check(overheadKey, overhead >= 0, msg("zero or a positive size"));
  const isPython = readConfText(context, "spark.kubernetes.resource.type") === "python";
  const python = isPython ? take(readMebibytes(context, pythonKey, 0n)) : 0n;
  check(pythonKey, python >= 0, msg("zero or a positive size"));
  const outside = take(offHeap(context));
  const total = heap + overhead + outside + python;
  return { value: { heap, overhead, offHeap: outside, python, total }, findings };
}

function offHeap(context: ExecutorReading): Checked<bigint> {
  const { findings, take } = collectFindings();
  const key = "spark.memory.offHeap.size";
  if (!take(readBoolean(context, "spark.memory.offHeap.enabled", false))) {
    return { value: 0n, findings };
  }
  const entry = readEntry(context, key);
  const bytes = parseSize(entry?.value ?? "0", 1, context.traits.hasIecSizes);
  const size = (bytes ?? 0n) / 2n ** 20n;
  if (bytes === undefined) {
    findings.push(
      problems.badValue(key, entry?.value ?? "", msg("a size such as 512m"), entry?.origin),
    );
  } else if (size < 1) findings.push(executorProblems.offHeapWithoutSize(entry?.origin));
  return { value: size, findings };
}
