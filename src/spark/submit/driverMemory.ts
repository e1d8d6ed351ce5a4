import { collectFindings } from "./collectFindings.ts";
import { problems } from "./problems.ts";
import { readDouble, readEntry, readMebibytes, type ConfReading } from "./readConf.ts";
import type { ResourceKind } from "./submissionArguments.ts";
import { toJavaInt } from "./sparkValues.ts";
import type { Checked, SubmissionFinding } from "./submissionFinding.ts";
import type { VersionTraits } from "./versionTraits.ts";

const jvmFactor = 0.1;
const otherFactor = 0.4;
const minOverhead = 384n;

/** What the driver's memory depends on. */
export interface DriverReading extends ConfReading {
  readonly application: ConfReading["application"] & { readonly kind: ResourceKind };
  readonly traits: Pick<VersionTraits, "hasIecSizes" | "hasMinMemoryOverhead">;
}

export interface DriverMemory {
  /** Heap and overhead, in mebibytes, as a 64-bit sum: too much comes out below zero. */
  readonly total: bigint;
  /** The factor that the executors will get: Spark's default for the kind of application, or the conf's. */
  readonly factor: number;
}

/** The memory of the driver's container: the heap, and what Python, R and the JVM itself need beside it. */
export function driverMemory(context: DriverReading): Checked<DriverMemory> {
  const { findings, take } = collectFindings();
  const generalKey = "spark.kubernetes.memoryOverheadFactor";
  const driverKey = "spark.driver.memoryOverheadFactor";
  const overheadKey = "spark.driver.memoryOverhead";

  const heap = take(readMebibytes(context, "spark.driver.memory", 1024n));
  const defaultFactor = context.application.kind === "java" ? jvmFactor : otherFactor;
  const factor = take(readDouble(context, generalKey, defaultFactor));
  if (!(factor >= 0)) findings.push(outOfRange(context, generalKey, "a number of zero or above"));
  const own = readEntry(context, driverKey);
  const ownFactor = take(readDouble(context, driverKey, 1));
  if (own && !(ownFactor > 0)) findings.push(outOfRange(context, driverKey, "a number above zero"));
  const minimum = context.traits.hasMinMemoryOverhead
    ? take(readMebibytes(context, "spark.driver.minMemoryOverhead", minOverhead))
    : minOverhead;
  const share = BigInt(toJavaInt((own ? ownFactor : factor) * Number(heap)));
  const calculated = share > minimum ? share : minimum;
  const overhead = take(readMebibytes(context, overheadKey, calculated));
  return { value: { total: BigInt.asIntN(64, heap + overhead), factor }, findings };
}

function outOfRange(context: ConfReading, key: string, expected: string): SubmissionFinding {
  const entry = readEntry(context, key);
  return problems.badValue(key, entry?.value ?? "", expected, entry?.origin);
}
