import { msg, sentences } from "../../base/message.ts";
import { sparkContainerOf } from "../pods/sparkContainer.ts";
import { describeText } from "./amounts.ts";
import type { DiagnosedPod, DiagnosisRule, DiagnosisText } from "./diagnosis.ts";
import {
  sidecarFailure,
  eventWith,
  probeEvent,
  sparkEnd,
  words,
  type TerminatedContainer,
} from "./rule.ts";

/** Rules for exhausted memory of the container, the Java heap, or the node. */
export const memoryDiagnoses: readonly DiagnosisRule[] = [
  { id: "D01", needs: "the pod", find: (diagnosed) => overLimit(diagnosed, "executor", true) },
  { id: "D02", needs: "the pod", find: (diagnosed) => overLimit(diagnosed, "executor", false) },
  { id: "D03", needs: "the pod", find: (diagnosed) => overLimit(diagnosed, "driver", undefined) },
  { id: "D04", needs: "the pod", find: sidecarOverLimit },
  { id: "D06", needs: "the pod", find: lostTrack },
  { id: "D05", needs: "the pod", find: graceOver },
  { id: "D07", needs: "its events", find: killedByNode },
  { id: "D08", needs: "the pod", find: heapFull },
];

function overLimit(
  diagnosed: DiagnosedPod,
  role: DiagnosedPod["role"],
  isPython: boolean | undefined,
): DiagnosisText | undefined {
  const end = sparkEnd(diagnosed);
  if (end?.reason !== "OOMKilled" || diagnosed.role !== role) return undefined;
  if (role === "executor" && (diagnosed.isPython ?? false) !== isPython) return undefined;
  const limit = describeText(sparkContainerOf(diagnosed.pod)?.memoryLimit);
  const fact = limit === undefined ? msg("out of memory") : msg`out of memory, limit ${limit}`;
  const what =
    limit === undefined
      ? msg("The container exceeded its memory limit and was killed.")
      : msg`The container exceeded its memory limit of ${limit} and was killed.`;
  if (role === "driver") {
    const keys = ["spark.driver.memoryOverhead", "spark.driver.memoryOverheadFactor"];
    if (diagnosed.isPython === true) {
      return words(
        fact,
        sentences([
          what,
          msg(
            "In a Python application, the driver's Python process runs outside the Java heap. toPandas, collect and local data use its memory.",
          ),
        ]),
        msg("Raise the memory overhead of the driver, or load less data into its Python process."),
        [...keys, "spark.driver.maxResultSize"],
      );
    }
    return words(
      fact,
      sentences([
        what,
        msg(
          "The Java heap has a separate limit, so memory outside the heap grew: buffers of large results or broadcasts, threads, or metaspace.",
        ),
      ]),
      msg("Raise the memory overhead of the driver, or limit the size of its results."),
      [...keys, "spark.driver.maxResultSize"],
    );
  }
  if (isPython === true) {
    return words(
      fact,
      sentences([
        what,
        msg(
          "In a Python application, the usual cause is the memory of the Python workers, which run outside the Java heap.",
        ),
      ]),
      msg("Raise the memory overhead, or limit the memory of the Python workers."),
      [
        "spark.executor.memoryOverhead",
        "spark.executor.memoryOverheadFactor",
        "spark.executor.pyspark.memory",
      ],
    );
  }
  return words(
    fact,
    sentences([
      what,
      msg(
        "The Java heap has a separate limit, so memory outside the heap grew: off-heap memory, threads, metaspace, or files in a tmpfs.",
      ),
    ]),
    msg("Raise the memory overhead. Check the off-heap memory and local directories in a tmpfs."),
    [
      "spark.executor.memoryOverhead",
      "spark.memory.offHeap.size",
      "spark.kubernetes.local.dirs.tmpfs",
    ],
  );
}

function sidecarOverLimit(diagnosed: DiagnosedPod): DiagnosisText | undefined {
  const beside = sidecarFailure(diagnosed);
  if (beside?.end.reason !== "OOMKilled") return undefined;
  const { name, memoryLimit } = beside.container;
  const limit = describeText(memoryLimit);
  const fact =
    limit === undefined
      ? msg`container "${name}" out of memory`
      : msg`container "${name}" out of memory, limit ${limit}`;
  if (diagnosed.state.kind !== "failed") {
    return words(
      fact,
      msg`The sidecar container "${name}" exceeded its memory limit. Spark's own container keeps running.`,
      msg("Raise the limit of the container in the pod template."),
      [`spark.kubernetes.${diagnosed.role}.podTemplateFile`],
    );
  }
  return words(
    fact,
    msg`The sidecar container "${name}" exceeded its memory limit. Spark checks all containers, so it removed the executor.`,
    msg(
      "Raise the limit of the container in the pod template, or let Spark check its own container only.",
    ),
    ["spark.kubernetes.executor.podTemplateFile", "spark.kubernetes.executor.checkAllContainers"],
  );
}

function lostTrack(diagnosed: DiagnosedPod): DiagnosisText | undefined {
  const end = sparkEnd(diagnosed);
  if (end?.reason !== "ContainerStatusUnknown") return undefined;
  return words(
    msg("container status unknown"),
    msg(
      "The node does not know how the container ended. Kubernetes then reports exit code 137, which does not mean out of memory here.",
    ),
    msg("Check the events of the node."),
    [],
    end.message,
  );
}

function graceOver(diagnosed: DiagnosedPod): DiagnosisText | undefined {
  if (!wasKilled(sparkEnd(diagnosed)) || !usedItsGrace(diagnosed)) return undefined;
  return words(
    msg("killed after its grace period"),
    msg("The pod was deleted but did not stop within its grace period, so its node killed it."),
    msg("Raise the grace period."),
    [`spark.kubernetes.${diagnosed.role}.terminationGracePeriodSeconds`],
  );
}

function killedByNode(diagnosed: DiagnosedPod): DiagnosisText | undefined {
  if (!wasKilled(sparkEnd(diagnosed)) || usedItsGrace(diagnosed)) return undefined;
  // The kubelet kills the containers of a pod that it evicts.
  if (diagnosed.pod.reason === "Evicted" || probeEvent(diagnosed) !== undefined) return undefined;
  const told = eventWith(diagnosed, "SystemOOM", "OOMKilling");
  return words(
    told === undefined ? msg("killed, exit code 137") : msg("killed: its node ran out of memory"),
    msg(
      "The container was killed from outside, not because of its memory limit. The usual cause is a node without free memory.",
    ),
    msg(
      "Check the events of the node and its other pods. Spark's pods request all the memory that they may use.",
    ),
    [],
    told?.message,
  );
}

// `finishedAt` and `deletionTimestamp` are whole seconds, from the clocks of two machines.
const maxClockSkewMs = 3_000;

/**
 * True if Spark's container ran until the deletion timestamp, which is the end of the pod's grace period. If a
 * container was killed earlier, its end may be the reason for the deletion.
 */
function usedItsGrace(diagnosed: DiagnosedPod): boolean {
  const deadline = Date.parse(diagnosed.pod.deletionTimestamp ?? "");
  const ended = Date.parse(sparkEnd(diagnosed)?.finishedAt ?? "");
  return ended >= deadline - maxClockSkewMs;
}

// True if SIGKILL ended the container and Kubernetes names no reason.
const wasKilled = (end: TerminatedContainer | undefined): boolean =>
  end?.exitCode === 137 && end.reason !== "OOMKilled" && end.reason !== "ContainerStatusUnknown";

function heapFull(diagnosed: DiagnosedPod): DiagnosisText | undefined {
  const end = sparkEnd(diagnosed);
  if (end?.exitCode !== 52) return undefined;
  const { role } = diagnosed;
  return words(
    msg("Java heap exhausted, exit code 52"),
    msg("The Java heap is full. The memory limit of the container was not exceeded."),
    role === "executor"
      ? msg(
          "Raise the executor's memory, run fewer concurrent tasks in it, or use more partitions.",
        )
      : msg("Raise the driver's memory, or limit the size of its results."),
    role === "executor"
      ? ["spark.executor.memory", "spark.executor.cores", "spark.sql.shuffle.partitions"]
      : ["spark.driver.memory", "spark.driver.maxResultSize"],
  );
}
