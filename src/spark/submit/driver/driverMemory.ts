import { msg, type Message } from "../../../base/message.ts";
import { collectFindings } from "../plan/collectFindings.ts";
import { problems } from "../plan/problems.ts";
import { readDouble, readEntry, readMebibytes, type ConfReading } from "../conf/readConf.ts";
import type { ApplicationKind } from "../arguments/fileKind.ts";
import { toJavaInt } from "../conf/sparkValues.ts";
import type { Checked, SubmissionFinding } from "../plan/submissionFinding.ts";
import type { VersionTraits } from "../conf/versionTraits.ts";

const jvmFactor = 0.1;
const otherFactor = 0.4;
const minOverhead = 384n;

interface DriverReading extends ConfReading {
  readonly application: ConfReading["application"] & { readonly kind: ApplicationKind };
  readonly traits: Pick<VersionTraits, "hasIecSizes" | "hasMinMemoryOverhead">;
}

interface DriverMemory {
  /** The JVM heap, in mebibytes. */
  readonly heap: bigint;
  /** The memory overhead, in mebibytes. */
  readonly overhead: bigint;
  /** The sum of heap and overhead in mebibytes. Like Spark's 64-bit sum, it can overflow to a negative number. */
  readonly total: bigint;
  /** `spark.kubernetes.memoryOverheadFactor`, or Spark's default for the kind of application. Executors use it, too. */
  readonly factor: number;
}

/** Computes the memory of the driver's container. */
export function driverMemory(context: DriverReading): Checked<DriverMemory> {
  const { findings, take } = collectFindings();
  const generalKey = "spark.kubernetes.memoryOverheadFactor";
  const driverKey = "spark.driver.memoryOverheadFactor";
  const overheadKey = "spark.driver.memoryOverhead";

  const heap = take(readMebibytes(context, "spark.driver.memory", 1024n));
  const defaultFactor = context.application.kind === "java" ? jvmFactor : otherFactor;
  const factor = take(readDouble(context, generalKey, defaultFactor));
  if (!(factor >= 0))
    findings.push(outOfRange(context, generalKey, msg("zero or a positive number")));
  const own = readEntry(context, driverKey);
  const ownFactor = take(readDouble(context, driverKey, 1));
  if (own && !(ownFactor > 0))
    findings.push(outOfRange(context, driverKey, msg("a positive number")));
  const minimum = context.traits.hasMinMemoryOverhead
    ? take(readMebibytes(context, "spark.driver.minMemoryOverhead", minOverhead))
    : minOverhead;
  const share = BigInt(toJavaInt((own ? ownFactor : factor) * Number(heap)));
  const calculated = share > minimum ? share : minimum;
  const overhead = take(readMebibytes(context, overheadKey, calculated));
  const total = BigInt.asIntN(64, heap + overhead);
  return { value: { heap, overhead, total, factor }, findings };
}

function outOfRange(context: ConfReading, key: string, expected: Message): SubmissionFinding {
  const entry = readEntry(context, key);
  return problems.badValue(key, entry?.value ?? "", expected, entry?.origin);
}
