import { sparkContainerOf } from "../pods/sparkContainer.ts";
import { describeText } from "./amounts.ts";
import type { Patient, Rule, Words } from "./diagnosis.ts";
import { endBeside, notice, sparkEnd, words, type Ended } from "./rule.ts";

/** Memory: the container's limit, the Java heap, and the node's own. */
export const memoryRules: readonly Rule[] = [
  { id: "D01", needs: "the pod", find: (patient) => overLimit(patient, "executor", true) },
  { id: "D02", needs: "the pod", find: (patient) => overLimit(patient, "executor", false) },
  { id: "D03", needs: "the pod", find: (patient) => overLimit(patient, "driver", undefined) },
  { id: "D04", needs: "the pod", find: sidecarOverLimit },
  { id: "D06", needs: "the pod", find: lostTrack },
  { id: "D05", needs: "the pod", find: graceOver },
  { id: "D07", needs: "its events", find: killedByNode },
  { id: "D08", needs: "the pod", find: heapFull },
];

function overLimit(
  patient: Patient,
  role: Patient["role"],
  isPython: boolean | undefined,
): Words | undefined {
  const end = sparkEnd(patient);
  if (end?.reason !== "OOMKilled" || patient.role !== role) return undefined;
  if (role === "executor" && (patient.isPython ?? false) !== isPython) return undefined;
  const limit = describeText(sparkContainerOf(patient.pod)?.memoryLimit);
  const fact = limit === undefined ? "out of memory" : `out of memory, limit ${limit}`;
  const what = `The container went over its memory limit${limit === undefined ? "" : ` of ${limit}`} and was killed.`;
  if (role === "driver") {
    return words(
      fact,
      `${what} In a driver that is most often a large collect or broadcast, or the bookkeeping of very many tasks.`,
      "Raise the driver's memory or its overhead, or bound what it collects.",
      ["spark.driver.memory", "spark.driver.memoryOverhead", "spark.driver.maxResultSize"],
    );
  }
  if (isPython === true) {
    return words(
      fact,
      `${what} In a Python application the Python workers outside the Java heap are the usual cause.`,
      "Raise the memory overhead, or bound the Python workers.",
      [
        "spark.executor.memoryOverhead",
        "spark.executor.memoryOverheadFactor",
        "spark.executor.pyspark.memory",
      ],
    );
  }
  return words(
    fact,
    `${what} The Java heap has a bound of its own, so something outside of it grew: off-heap memory, threads, metaspace, or files in a tmpfs.`,
    "Raise the memory overhead; look at off-heap memory and at local directories in memory.",
    [
      "spark.executor.memoryOverhead",
      "spark.memory.offHeap.size",
      "spark.kubernetes.local.dirs.tmpfs",
    ],
  );
}

function sidecarOverLimit(patient: Patient): Words | undefined {
  const beside = endBeside(patient);
  if (beside?.end.reason !== "OOMKilled") return undefined;
  const { name, memoryLimit } = beside.container;
  const limit = describeText(memoryLimit);
  return words(
    `container "${name}" out of memory${limit === undefined ? "" : `, limit ${limit}`}`,
    `Container "${name}", which runs beside Spark, went over its memory limit. From Spark 4.0 on an executor ends with any of its containers.`,
    "Raise the container's limit in the pod template, or let Spark look at its own container only.",
    ["spark.kubernetes.executor.podTemplateFile", "spark.kubernetes.executor.checkAllContainers"],
  );
}

function lostTrack(patient: Patient): Words | undefined {
  const end = sparkEnd(patient);
  if (end?.reason !== "ContainerStatusUnknown") return undefined;
  return words(
    "its node lost track of it",
    "The node could not tell how the container ended; the exit code 137 is made up and says nothing of memory.",
    "Look at the events of the node.",
    [],
    end.message,
  );
}

function graceOver(patient: Patient): Words | undefined {
  if (!wasKilled(sparkEnd(patient)) || !livedOutItsGrace(patient)) return undefined;
  return words(
    "killed: its time to end ran out",
    "The pod was deleted and had not ended when its grace period was over, so its node killed it.",
    "Give it more time to end.",
    [`spark.kubernetes.${patient.role}.terminationGracePeriodSeconds`],
  );
}

function killedByNode(patient: Patient): Words | undefined {
  if (!wasKilled(sparkEnd(patient)) || livedOutItsGrace(patient)) return undefined;
  const told = notice(patient, "SystemOOM", "OOMKilling");
  return words(
    told === undefined ? "killed, exit code 137" : "killed: its node ran out of memory",
    "Something outside the container killed it, and not for its own limit: most often the node's memory was exhausted.",
    "Look at the events of the node, and at what else runs there; Spark's own pods ask for all that they may use.",
    [],
    told?.message,
  );
}

// Both times are whole seconds, by the clocks of two machines.
const clocksApartMs = 3_000;

/**
 * Whether Spark's container ended when the time was up that its deleted pod had: the deletion's timestamp is
 * that deadline. What was killed before may have been deleted for it.
 */
function livedOutItsGrace(patient: Patient): boolean {
  const deadline = Date.parse(patient.pod.deletionTimestamp ?? "");
  const ended = Date.parse(sparkEnd(patient)?.finishedAt ?? "");
  return ended >= deadline - clocksApartMs;
}

// By somebody who gave no reason.
const wasKilled = (end: Ended | undefined): boolean =>
  end?.exitCode === 137 && end.reason !== "OOMKilled" && end.reason !== "ContainerStatusUnknown";

function heapFull(patient: Patient): Words | undefined {
  const end = sparkEnd(patient);
  if (end?.exitCode !== 52) return undefined;
  const { role } = patient;
  return words(
    "Java heap exhausted, exit code 52",
    "The JVM found no room in its heap; the container's limit was not the matter.",
    role === "executor"
      ? "Raise the executor's memory, run fewer tasks in it at once, or cut the data into more partitions."
      : "Raise the driver's memory, or bound what it collects.",
    role === "executor"
      ? ["spark.executor.memory", "spark.executor.cores", "spark.sql.shuffle.partitions"]
      : ["spark.driver.memory", "spark.driver.maxResultSize"],
  );
}
