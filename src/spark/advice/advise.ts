import { msg, verbatim, type Message } from "../../base/message.ts";
import { describeBytes } from "../binarySize.ts";
import { parseJavaBoolean, parseSize } from "../submit/conf/sparkValues.ts";
import { memoryParts } from "../remedy/memorySizing.ts";
import type { Remedy } from "../remedy/remedy.ts";
import {
  fewerExecutors,
  fewerPartitions,
  isEnabled,
  lessHeap,
  moreHeap,
  morePartitions,
  morePython,
  speculate,
  splitSkew,
  trackShuffles,
  waitLess,
  withoutBroadcast,
} from "./adviceRemedies.ts";
import type { ExecutorLoad, StageLoad, TaskPlacement, Workload } from "./workload.ts";

/** A finding about the speed or the cost of an application, with the metrics on which it is based. */
export interface Advice {
  readonly id: string;
  readonly fact: Message;
  /** The metrics on which the finding is based, as the driver reports them. */
  readonly numbers: readonly Message[];
  readonly change: Message;
  readonly keys: readonly string[];
  /** Fixes with a concrete value. Empty if the user must choose the value. */
  readonly remedies: readonly Remedy[];
}

/** Returns all findings that the metrics support. Empty if there are none. */
export function advise(workload: Workload): readonly Advice[] {
  const stages = workload.stages.filter(({ tasks }) => tasks > 0);
  return [
    ...stages.flatMap((stage) => skew(stage, workload)),
    ...worst(stages, ({ diskSpilled }) => diskSpilled).flatMap((stage) => spill(stage, workload)),
    ...stages.flatMap((stage) => smallTasks(stage, workload)),
    ...stages.flatMap((stage) => fewPartitions(stage, workload)),
    ...stages.flatMap(failedBroadcast),
    ...collection(workload),
    ...idle(workload),
    ...oversized(workload),
    ...pythonMemory(workload),
    ...dynamicAllocation(workload),
    ...localityWait(workload),
  ];
}

/** A task is skewed if it takes at least ten times the median, as in DataFlint and MetricsReducer. */
const skewRatio = 10;
/** The minimum duration of a skewed task. The ratio alone would report stages that take milliseconds. */
const skewMs = 5_000;
/** A task that takes less than this share of its stage's wall-clock time does not delay the stage. */
const skewShare = 0.25;

function skew(
  { duration, shuffleRead, isComplete, ...stage }: StageLoad,
  workload: Workload,
): readonly Advice[] {
  if (!isComplete || duration === undefined || duration.median <= 0) return [];
  if (duration.max < skewRatio * duration.median || duration.max < skewMs) return [];
  if (stage.wallMs !== undefined && duration.max < skewShare * stage.wallMs) return [];
  // With few keys, most tasks read nothing, so the median is 0. Then any data in one task counts as skew.
  const isOfData = shuffleRead !== undefined && shuffleRead.max > skewRatio * shuffleRead.median;
  const readsShuffle = shuffleRead !== undefined && shuffleRead.max > 0;
  return [
    {
      id: "A01",
      fact: msg`Stage ${stage.stageId}: one task takes ${ratio(duration.max, duration.median)} times as long as the median`,
      numbers: [
        msg`longest task ${duration.max} ms, median ${duration.median} ms, ${stage.tasks} tasks`,
        ...(shuffleRead === undefined || !isOfData
          ? []
          : [
              msg`largest shuffle read ${shuffleRead.max} bytes, median ${shuffleRead.median} bytes`,
            ]),
      ],
      change: isOfData
        ? msg(
            "A few keys hold most of the data. AQE splits the skewed partitions of a join. For an aggregation, add a salt to the key.",
          )
        : readsShuffle
          ? msg(
              "The tasks read similar amounts of data, so the processing or the executor is slow.",
            )
          : msg("The task has a larger input, its processing is slow, or its executor is slow."),
      keys: isOfData
        ? ["spark.sql.adaptive.skewJoin.enabled", "spark.sql.adaptive.advisoryPartitionSizeInBytes"]
        : ["spark.speculation"],
      remedies: isOfData ? splitSkew(workload) : speculate(workload, liveOf(workload).length),
    },
  ];
}

const ratio = (a: number, b: number): number => Number((a / b).toFixed(1));

/** Returns the stages with the largest values, at most three, largest first. */
const worst = (
  stages: readonly StageLoad[],
  value: (stage: StageLoad) => number,
): readonly StageLoad[] => [...stages].sort((a, b) => value(b) - value(a)).slice(0, 3);

// The minimum disk spill that is reported. Also the amount of data per task that the proposed fix aims at.
const spillBytes = 64 * 2 ** 20;

function spill(stage: StageLoad, workload: Workload): readonly Advice[] {
  const { stageId, memorySpilled, diskSpilled, tasks } = stage;
  if (diskSpilled < spillBytes) return [];
  const remedies = [
    ...morePartitions(stage, memorySpilled, spillBytes, workload),
    ...moreHeap(workload),
  ];
  return [
    {
      id: "A02",
      fact: msg`Stage ${stageId}: ${describeBytes(diskSpilled)} spilled to disk`,
      numbers: [
        msg`${memorySpilled} bytes in memory, ${diskSpilled} bytes on disk, ${tasks} tasks`,
      ],
      change: msg(
        "Use more partitions so that each task has less data, or provide more memory for each task.",
      ),
      keys: [
        ...new Set([...keysOf(remedies), "spark.sql.shuffle.partitions", "spark.executor.cores"]),
      ],
      remedies,
    },
  ];
}

/** Returns the conf keys that the fixes set. A finding shows them before its other keys. */
const keysOf = (remedies: readonly Remedy[]): readonly string[] =>
  remedies.flatMap((remedy) =>
    remedy.kind === "edit"
      ? remedy.edits.flatMap((edit) => (edit.kind === "member" ? [] : [edit.key]))
      : [],
  );

/** Thresholds of DataFlint's SmallTasksAlert. */
const manyTasks = 5_000;
const smallTaskMs = 500;
/** Spark's tuning guide: tasks of 200 ms and more are efficient. */
const severalTasks = 1_000;
const tinyTaskMs = 200;
/** DataFlint reports more than 100 files below 3 MiB. A task reads at least one file. */
const smallFileBytes = 3 * 2 ** 20;
const manyFiles = 100;

function smallTasks(stage: StageLoad, workload: Workload): readonly Advice[] {
  const { stageId, tasks, duration, inputBytes } = stage;
  const mean = inputBytes / tasks;
  const isSmallInput =
    stage.isComplete && tasks > manyFiles && inputBytes > 0 && mean < smallFileBytes;
  const isManySmall =
    duration !== undefined &&
    ((tasks > manyTasks && duration.median < smallTaskMs) ||
      (tasks > severalTasks && duration.median < tinyTaskMs));
  if (!isSmallInput && !isManySmall) return [];
  return [
    {
      id: isManySmall ? "A03" : "A04",
      fact: isManySmall
        ? msg`Stage ${stageId}: ${tasks} tasks of ${duration.median} ms`
        : msg`Stage ${stageId}: ${tasks} tasks read ${describeBytes(mean)} each`,
      numbers: [
        msg`${tasks} tasks, ${inputBytes} bytes read`,
        ...(duration === undefined ? [] : [msg`median ${duration.median} ms`]),
      ],
      change:
        inputBytes > 0
          ? msg("Scheduling costs more than the work. Read larger splits, or merge small files.")
          : msg("Scheduling costs more than the work. Use fewer partitions."),
      keys: partitionKeys(stage),
      remedies: fewerPartitions(stage, coresOf(workload), workload),
    },
  ];
}

/** Returns the conf keys that determine the number of tasks in a stage. */
function partitionKeys({ inputBytes, shuffleReadBytes }: StageLoad): readonly string[] {
  if (inputBytes > 0)
    return ["spark.sql.files.maxPartitionBytes", "spark.sql.files.openCostInBytes"];
  return shuffleReadBytes > 0 ? ["spark.sql.shuffle.partitions"] : ["spark.default.parallelism"];
}

const liveOf = ({ executors }: Workload): readonly ExecutorLoad[] =>
  executors.filter(({ removedAt }) => removedAt === undefined);

const coresOf = (workload: Workload): number =>
  liveOf(workload).reduce((sum, { cores }) => sum + cores, 0);

// Bytes per task above which a stage has too few partitions. AQE's default advisory size is 64 MiB.
const largePartition = 512 * 2 ** 20;

function fewPartitions(stage: StageLoad, workload: Workload): readonly Advice[] {
  const { stageId, tasks, shuffleReadBytes, inputBytes, runMs } = stage;
  const slots = coresOf(workload);
  const data = shuffleReadBytes + inputBytes;
  const isLarge = data / tasks > largePartition;
  // Idle cores could share the work, and a task takes more than a minute on average.
  const isNarrow = slots > tasks && runMs / tasks > 60_000;
  if (!stage.isComplete || (!isLarge && !isNarrow)) return [];
  const target = isLarge ? largePartition / 4 : data / slots;
  const remedies = morePartitions(stage, data, target, workload);
  return [
    {
      id: "A05",
      fact:
        tasks === 1
          ? msg`Stage ${stageId}: one task is too few`
          : msg`Stage ${stageId}: ${tasks} tasks are too few`,
      numbers: [msg`${data} bytes read, ${runMs} ms of run time, ${slots} cores`],
      change: msg("Use two to three partitions for each core, with 64 to 256 MiB each."),
      keys: [
        ...new Set([
          ...keysOf(remedies),
          "spark.sql.shuffle.partitions",
          "spark.sql.files.maxPartitionBytes",
        ]),
      ],
      remedies,
    },
  ];
}

function failedBroadcast({ stageId, failureReason = "" }: StageLoad): readonly Advice[] {
  if (
    !/Could not execute broadcast in|Cannot broadcast the table|Not enough memory to build and broadcast/.test(
      failureReason,
    )
  ) {
    return [];
  }
  return [
    {
      id: "A06",
      fact: msg`Stage ${stageId}: a broadcast failed`,
      numbers: [verbatim(failureReason.slice(0, 200).split("\n", 1)[0] ?? "")],
      change: msg(
        "Disable broadcast joins for this query, or raise the timeout and the driver's memory.",
      ),
      keys: ["spark.sql.autoBroadcastJoinThreshold", "spark.sql.broadcastTimeout"],
      remedies: withoutBroadcast(),
    },
  ];
}

/**
 * The share of the task time above which garbage collection is reported. Kubeflow's history-server MCP
 * (`get_job_bottlenecks`) uses 10 %, Dr. Elephant 8 to 20 %.
 */
const gcShare = 0.1;
/** Below one minute of task time, the share of garbage collection is not significant. */
const enoughTaskMs = 60_000;

function collection(workload: Workload): readonly Advice[] {
  const { executors } = workload;
  const [gcMs, taskMs] = [sumOf(executors, "gcMs"), sumOf(executors, "taskMs")];
  if (taskMs < enoughTaskMs || gcMs <= gcShare * taskMs) return [];
  return [
    {
      id: "A07",
      fact: msg`Garbage collection takes ${Math.round((100 * gcMs) / taskMs)} % of the task time`,
      numbers: [msg`${gcMs} ms of ${taskMs} ms`],
      change: msg("Raise the memory of executors, run fewer tasks at once in each, or cache less."),
      keys: ["spark.executor.memory", "spark.executor.cores", "spark.memory.fraction"],
      remedies: moreHeap(workload),
    },
  ];
}

const sumOf = (executors: readonly ExecutorLoad[], name: "gcMs" | "taskMs"): number =>
  executors.reduce((sum, executor) => sum + executor[name], 0);

/** DataFlint reports executors if more than half of their core time is idle. */
const idleShare = 0.5;
const enoughCoreMs = 10 * 60_000;

function idle(workload: Workload): readonly Advice[] {
  const { executors, readAt, conf } = workload;
  const coreMs = executors.reduce(
    (sum, { cores, addedAt, removedAt }) =>
      sum + cores * Math.max(0, (removedAt ?? readAt) - addedAt),
    0,
  );
  const taskMs = sumOf(executors, "taskMs");
  const wasted = coreMs - taskMs;
  if (coreMs < enoughCoreMs || wasted <= idleShare * coreMs) return [];
  const hours = (ms: number): number => Number((ms / 3_600_000).toFixed(2));
  const heap = parseSize(conf.get("spark.executor.memory") ?? "1g", 2 ** 20, true);
  const gibibytes = heap === undefined ? undefined : Number(heap) / 1024;
  const liveMs = executors.reduce(
    (sum, { addedAt, removedAt }) => sum + Math.max(0, (removedAt ?? readAt) - addedAt),
    0,
  );
  return [
    {
      id: "A08",
      fact: msg`${Math.round((100 * wasted) / coreMs)} % of the executors' cores were idle`,
      numbers: [
        msg`${hours(wasted)} of ${hours(coreMs)} core-hours without a task`,
        msg`${taskMs} ms of task time in ${coreMs} ms of core time`,
        ...(gibibytes === undefined
          ? []
          : [
              msg`${Number((hours(liveMs) * gibibytes * (wasted / coreMs)).toFixed(2))} GiB-hours of heap for the idle cores`,
            ]),
      ],
      change: msg("Run fewer executors, or let dynamic allocation remove idle ones."),
      keys: [
        "spark.executor.instances",
        "spark.dynamicAllocation.enabled",
        "spark.dynamicAllocation.executorIdleTimeout",
      ],
      remedies: fewerExecutors(taskMs / coreMs, workload),
    },
  ];
}

/** DataFlint reports executors that use less than 70 % of their memory. */
const lowMemory = 0.7;

function oversized({ executors, conf }: Workload): readonly Advice[] {
  const heap = parseSize(conf.get("spark.executor.memory") ?? "1g", 1, true);
  const peaks = executors.map(({ peakHeapBytes }) => peakHeapBytes).filter((peak) => peak > 0);
  const peak = Math.max(0, ...peaks);
  // A short run may not have reached its peak heap usage yet. A heap below 2 GiB is not worth the change.
  const isLong = sumOf(executors, "taskMs") >= enoughCoreMs;
  if (heap === undefined || peak === 0 || !isLong || Number(heap) < 2 * 2 ** 30) return [];
  if (peak >= lowMemory * Number(heap)) return [];
  return [
    {
      id: "A09",
      fact: msg`Executors use at most ${Math.round((100 * peak) / Number(heap))} % of their heap`,
      numbers: [msg`peak heap usage ${peak} bytes of ${Number(heap)} bytes`],
      change: msg(
        "Lower the memory of executors in steps of 20 %, or run more tasks at once in each.",
      ),
      keys: ["spark.executor.memory", "spark.executor.cores"],
      remedies: lessHeap(Number(heap), peak),
    },
  ];
}

/**
 * DataFlint's threshold for high memory usage. Python's limit is the memory overhead, unless
 * `spark.executor.pyspark.memory` is set.
 */
const highMemory = 0.95;

function pythonMemory(workload: Workload): readonly Advice[] {
  const { executors, conf, minor } = workload;
  const peak = Math.max(0, ...executors.map(({ peakPythonBytes }) => peakPythonBytes));
  if (peak === 0) return [];
  const { python, overhead } = memoryParts(conf, "executor", minor);
  const bytes = (python > 0 ? python : overhead) * 2 ** 20;
  if (peak <= highMemory * bytes) return [];
  return [
    {
      id: "A10",
      fact: msg`Python processes use ${Math.round((100 * peak) / bytes)} % of their memory`,
      numbers: [msg`peak resident memory ${peak} bytes of ${bytes} bytes`],
      change: msg("Raise the memory overhead, or the memory of PySpark."),
      keys: [python > 0 ? "spark.executor.pyspark.memory" : "spark.executor.memoryOverhead"],
      remedies: morePython(workload),
    },
  ];
}

/**
 * Reports dynamic allocation with disabled shuffle tracking and without the migration of shuffle blocks. Kubernetes has
 * no shuffle service, so Spark refuses to start or loses shuffle data.
 */
function dynamicAllocation({ conf }: Workload): readonly Advice[] {
  const isOn = (key: string): boolean => isEnabled(conf, key, false);
  if (!isOn("spark.dynamicAllocation.enabled")) return [];
  // Spark 3.4 and later enable the tracking by default.
  const tracking = conf.get("spark.dynamicAllocation.shuffleTracking.enabled");
  if (tracking === undefined || parseJavaBoolean(tracking) !== false) return [];
  if (
    isOn("spark.decommission.enabled") &&
    isOn("spark.storage.decommission.shuffleBlocks.enabled")
  ) {
    return [];
  }
  return [
    {
      id: "A11",
      fact: msg("Dynamic allocation removes executors that hold shuffle data"),
      numbers: [msg`spark.dynamicAllocation.shuffleTracking.enabled is ${tracking}`],
      change: msg("Enable shuffle tracking to keep executors whose shuffle data is still needed."),
      keys: ["spark.dynamicAllocation.shuffleTracking.enabled"],
      remedies: trackShuffles(),
    },
  ];
}

// The minimum idle core time that is reported. Spark's default locality wait is 3 s for each locality level.
const enoughFreeMs = 10_000;

/** Reports stages in which cores were free while tasks waited for a core near their data. */
function localityWait(workload: Workload): readonly Advice[] {
  const { placements = [], executors, conf } = workload;
  const wait = conf.get("spark.locality.wait");
  if (wait !== undefined && /^0\D*$/.test(wait)) return [];
  return placements.flatMap(({ stageId, tasks }) => {
    const isLocal = ({ locality }: TaskPlacement): boolean =>
      locality === "PROCESS_LOCAL" || locality === "NODE_LOCAL";
    const launches = tasks.map(({ launchedAt }) => launchedAt);
    const [first, last] = [Math.min(...launches), Math.max(...launches)];
    const slots = executors
      .filter(({ addedAt, removedAt }) => addedAt <= first && (removedAt ?? Infinity) >= last)
      .reduce((sum, { cores }) => sum + cores, 0);
    const busyMs = tasks.reduce(
      (sum, { launchedAt, durationMs }) => sum + Math.min(durationMs, last - launchedAt),
      0,
    );
    const freeMs = slots * (last - first) - busyMs;
    const local = tasks.filter(isLocal).length;
    if (freeMs < enoughFreeMs || freeMs < busyMs / 2 || local <= tasks.length / 2) return [];
    return [
      {
        id: "A12",
        fact: msg`Stage ${stageId}: cores were free while tasks waited for local cores`,
        numbers: [
          msg`${freeMs} ms of free core time from the first to the last task launch, ${slots} cores`,
          msg`${local} of ${tasks.length} tasks ran on the executor or node with their data`,
        ],
        change: msg(
          "Spark waits for a core near the data before it uses another one. Lower the wait, or distribute the data across the executors.",
        ),
        keys: ["spark.locality.wait"],
        remedies: waitLess(workload),
      },
    ];
  });
}
