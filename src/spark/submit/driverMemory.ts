import { collectFindings } from "./collectFindings.ts";
import type { DriverContext } from "./driverSpec.ts";
import { problems } from "./problems.ts";
import { readDouble, readEntry, readMebibytes } from "./readConf.ts";
import type { Checked, SubmissionFinding } from "./submissionFinding.ts";

const jvmFactor = 0.1;
const otherFactor = 0.4;
const minOverhead = 384;

export interface DriverMemory {
  /** Heap and overhead, in mebibytes. */
  readonly total: number;
  /** The factor that the executors will get: Spark's default for the kind of application, or the conf's. */
  readonly factor: number;
}

/** The memory of the driver's container: the heap, and what Python, R and the JVM itself need beside it. */
export function driverMemory(context: DriverContext): Checked<DriverMemory> {
  const { findings, take } = collectFindings();
  const generalKey = "spark.kubernetes.memoryOverheadFactor";
  const driverKey = "spark.driver.memoryOverheadFactor";
  const overheadKey = "spark.driver.memoryOverhead";

  const heap = take(readMebibytes(context, "spark.driver.memory", 1024));
  const defaultFactor = context.application.kind === "java" ? jvmFactor : otherFactor;
  const factor = take(readDouble(context, generalKey, defaultFactor));
  if (factor < 0) findings.push(outOfRange(context, generalKey, "a number of zero or above"));
  const own = readEntry(context, driverKey);
  const ownFactor = take(readDouble(context, driverKey, 1));
  if (own && ownFactor <= 0) findings.push(outOfRange(context, driverKey, "a number above zero"));
  const minimum = context.traits.hasMinMemoryOverhead
    ? take(readMebibytes(context, "spark.driver.minMemoryOverhead", minOverhead))
    : minOverhead;
  const calculated = Math.max(Math.trunc((own ? ownFactor : factor) * heap), minimum);
  const overhead = take(readMebibytes(context, overheadKey, calculated));
  return { value: { total: heap + overhead, factor }, findings };
}

function outOfRange(context: DriverContext, key: string, expected: string): SubmissionFinding {
  const entry = readEntry(context, key);
  return problems.badValue(key, entry?.value ?? "", expected, entry?.origin);
}
