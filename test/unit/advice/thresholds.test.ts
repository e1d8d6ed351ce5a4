import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inEnglish } from "../../../src/base/message.ts";
import {
  fewerExecutors,
  fewerPartitions,
  lessHeap,
  morePartitions,
  morePython,
  speculate,
  splitSkew,
} from "../../../src/spark/advice/adviceRemedies.ts";
import { advise } from "../../../src/spark/advice/advise.ts";
import type { ExecutorLoad, StageLoad, Workload } from "../../../src/spark/advice/workload.ts";
import type { Remedy } from "../../../src/spark/remedy/remedy.ts";

type Conf = Readonly<Record<string, string>>;
const mib = 2 ** 20;
const gib = 2 ** 30;

const stage = (fields: Partial<StageLoad> = {}): StageLoad => ({
  ...{ stageId: 4, attemptId: 0, name: "count", isComplete: true, tasks: 200, failed: 0 },
  ...{ failureReason: undefined, wallMs: undefined, runMs: 0, inputBytes: 0 },
  ...{ shuffleReadBytes: 0, memorySpilled: 0, diskSpilled: 0 },
  ...{ duration: undefined, shuffleRead: undefined, ...fields },
});
const executor = (fields: Partial<ExecutorLoad> = {}): ExecutorLoad => ({
  ...{ id: "1", cores: 1, addedAt: 0, removedAt: undefined, taskMs: 0, gcMs: 0 },
  ...{ peakHeapBytes: 0, peakPythonBytes: 0, ...fields },
});
const workload = (
  fields: Partial<Omit<Workload, "conf">> & { readonly conf?: Conf },
): Workload => ({
  ...{ stages: [], executors: [], minor: "4.3", readAt: 0, ...fields },
  conf: new Map(Object.entries(fields.conf ?? {})),
});

const shown = (remedies: readonly Remedy[]): readonly string[] =>
  remedies.map((remedy) =>
    remedy.kind === "edit"
      ? remedy.edits
          .map((edit) => (edit.kind === "set" ? `${edit.key}=${edit.value}` : ""))
          .join(" ")
      : remedy.kind,
  );
const factsOf = (given: Workload): readonly string[] =>
  advise(given).map(({ id, fact }) => `${id} ${inEnglish(fact)}`);
const ofStage = (fields: Partial<StageLoad>, executors: readonly ExecutorLoad[] = []) =>
  factsOf(workload({ stages: [stage(fields)], executors }));
const keysOf = (given: Workload): readonly (readonly string[])[] =>
  advise(given).map(({ keys }) => keys);

describe("the advice on a stage", () => {
  test("reports skew from ten times the median, 5 s and a quarter of the stage's time on", () => {
    const skew = (median: number, max: number, fields: Partial<StageLoad> = {}) =>
      ofStage({ duration: { median, max }, ...fields });
    const found = (times: number) => [
      `A01 Stage 4: one task takes ${times} times as long as the median`,
    ];
    assert.deepEqual(skew(500, 5_000), found(10));
    assert.deepEqual(skew(500, 5_125), found(10.3));
    assert.deepEqual(skew(500, 4_999), []);
    assert.deepEqual(skew(400, 4_999), []);
    assert.deepEqual(skew(501, 5_000), []);
    assert.deepEqual(skew(0, 5_000), []);
    assert.deepEqual(skew(500, 5_000, { isComplete: false }), []);
    assert.deepEqual(skew(500, 5_000, { wallMs: 20_000 }), found(10));
    assert.deepEqual(skew(500, 5_000, { wallMs: 20_001 }), []);
    assert.deepEqual(skew(500, 5_000, { tasks: 0 }), []);
    assert.deepEqual(ofStage({}), []);
  });

  test("reports skewed data above ten times the median", () => {
    const fixes = (shuffleRead: StageLoad["shuffleRead"], executors: readonly ExecutorLoad[]) => {
      const duration = { median: 500, max: 5_000 };
      const conf = { "spark.sql.adaptive.enabled": "false" };
      const [found] = advise(
        workload({ stages: [stage({ duration, shuffleRead })], executors, conf }),
      );
      return [...shown(found?.remedies ?? []), ...(found?.keys ?? []).slice(0, 1)];
    };
    const two = [executor(), executor({ id: "2" })];
    const speculation = ["spark.speculation=true", "spark.speculation"];
    assert.deepEqual(fixes({ median: 10, max: 101 }, two), [
      ...["spark.sql.adaptive.enabled=true", "spark.sql.adaptive.skewJoin.enabled"],
    ]);
    assert.deepEqual(fixes({ median: 10, max: 100 }, two), speculation);
    assert.deepEqual(fixes(undefined, two), speculation);
    assert.deepEqual(fixes(undefined, [executor(), executor({ removedAt: 5 })]), [
      "spark.speculation",
    ]);
  });

  test("reports the three largest spills from 64 MiB on, largest first", () => {
    const spilled = [64, 63.9, 70, 65, 90].map((size, stageId) =>
      stage({ stageId, diskSpilled: size * mib }),
    );
    assert.deepEqual(factsOf(workload({ stages: spilled })), [
      "A02 Stage 4: 90 MiB spilled to disk",
      "A02 Stage 2: 70 MiB spilled to disk",
      "A02 Stage 3: 65 MiB spilled to disk",
    ]);
    assert.deepEqual(ofStage({ diskSpilled: 64 * mib }), ["A02 Stage 4: 64 MiB spilled to disk"]);
    assert.deepEqual(ofStage({ diskSpilled: 64 * mib - 1 }), []);
    const [keys] = keysOf(
      workload({ stages: [stage({ diskSpilled: 64 * mib, shuffleReadBytes: 1 })] }),
    );
    assert.deepEqual(keys, [
      ...["spark.sql.shuffle.partitions", "spark.executor.memory", "spark.executor.cores"],
    ]);
  });

  test("reports many small tasks", () => {
    const small = (tasks: number, median: number) =>
      ofStage({ tasks, duration: { median, max: median } });
    assert.deepEqual(small(5_001, 499), ["A03 Stage 4: 5001 tasks of 499 ms"]);
    assert.deepEqual(small(5_000, 499), []);
    assert.deepEqual(small(5_001, 500), []);
    assert.deepEqual(small(1_001, 199), ["A03 Stage 4: 1001 tasks of 199 ms"]);
    assert.deepEqual(small(1_000, 199), []);
    assert.deepEqual(small(1_001, 200), []);
  });

  test("reports many small inputs", () => {
    const read = (tasks: number, each: number, fields: Partial<StageLoad> = {}) =>
      ofStage({ tasks, inputBytes: tasks * each, ...fields });
    assert.deepEqual(read(101, 2 * mib), ["A04 Stage 4: 101 tasks read 2 MiB each"]);
    assert.deepEqual(read(101, 3 * mib), []);
    assert.deepEqual(read(100, 2 * mib), []);
    assert.deepEqual(read(101, 0), []);
    assert.deepEqual(read(101, 2 * mib, { isComplete: false }), []);
    const keys = (fields: Partial<StageLoad>) =>
      keysOf(
        workload({ stages: [stage({ tasks: 6_000, duration: { median: 9, max: 9 }, ...fields })] }),
      );
    const splits = ["spark.sql.files.maxPartitionBytes", "spark.sql.files.openCostInBytes"];
    assert.deepEqual(keys({ inputBytes: 1, shuffleReadBytes: 1 }), [splits]);
    assert.deepEqual(keys({ shuffleReadBytes: 1 }), [["spark.sql.shuffle.partitions"]]);
    assert.deepEqual(keys({}), [["spark.default.parallelism"]]);
  });

  test("reports tasks with more than 512 MiB, or of a minute while cores are idle", () => {
    const large = (bytes: number, fields: Partial<StageLoad> = {}) =>
      ofStage({ tasks: 2, shuffleReadBytes: bytes, inputBytes: gib, ...fields });
    const few = ["A05 Stage 4: 2 tasks are too few"];
    assert.deepEqual(large(1), few);
    assert.deepEqual(large(0), []);
    assert.deepEqual(large(1, { isComplete: false }), []);
    const narrow = (runMs: number, cores: number, tasks = 2) =>
      ofStage({ tasks, runMs }, [executor({ cores }), executor({ cores: 9, removedAt: 1 })]);
    assert.deepEqual(narrow(120_001, 3), few);
    assert.deepEqual(narrow(120_000, 3), []);
    assert.deepEqual(narrow(120_001, 2), []);
    assert.deepEqual(narrow(60_001, 2, 1), ["A05 Stage 4: one task is too few"]);
  });
});

describe("the advice on executors", () => {
  const ofExecutors = (executors: readonly ExecutorLoad[], conf: Conf = {}, readAt = 0) =>
    factsOf(workload({ executors, conf, readAt }));

  test("reports garbage collection above 10 % of at least a minute of tasks", () => {
    const collected = (gcMs: number, taskMs: number) => ofExecutors([executor({ gcMs, taskMs })]);
    assert.deepEqual(collected(6_001, 60_000), [
      "A07 Garbage collection takes 10 % of the task time",
    ]);
    assert.deepEqual(collected(6_000, 60_000), []);
    assert.deepEqual(collected(30_000, 59_999), []);
    const two = [executor({ gcMs: 9_000, taskMs: 30_000 }), executor({ gcMs: 0, taskMs: 30_000 })];
    assert.deepEqual(ofExecutors(two), ["A07 Garbage collection takes 15 % of the task time"]);
  });

  test("reports more than half of ten minutes of cores as idle", () => {
    const minute = 60_000;
    const idle = (cores: number, removedAt: number | undefined, taskMs: number, readAt = 0) =>
      ofExecutors([executor({ cores, removedAt, taskMs })], {}, readAt);
    const found = (share: number) => [`A08 ${share} % of the executors' cores were idle`];
    assert.deepEqual(idle(2, 5 * minute, 5 * minute - 1), found(50));
    assert.deepEqual(idle(2, 5 * minute, 5 * minute), []);
    assert.deepEqual(idle(2, 5 * minute - 1, 0), []);
    assert.deepEqual(idle(2, undefined, 0, 5 * minute), found(100));
    assert.deepEqual(idle(1, undefined, 3 * minute, 12 * minute), found(75));
    assert.deepEqual(ofExecutors([executor({ addedAt: Infinity })], {}, 99 * minute), []);
    const numbers = (conf: Conf) =>
      advise(
        workload({ executors: [executor({ cores: 2 })], readAt: 60 * minute, conf }),
      )[0]?.numbers.map((number) => inEnglish(number));
    const hours = [
      "2 of 2 core-hours without a task",
      "0 ms of task time in 7200000 ms of core time",
    ];
    assert.deepEqual(numbers({}), [...hours, "1 GiB-hours of heap for the idle cores"]);
    assert.deepEqual(numbers({ "spark.executor.memory": "2560m" }), [
      ...[...hours, "2.5 GiB-hours of heap for the idle cores"],
    ]);
    assert.deepEqual(numbers({ "spark.executor.memory": "x" }), hours);
  });

  test("reports a heap of at least 2 GiB of which less than 70 % is used", () => {
    const used = (memory: string | undefined, peakHeapBytes: number, taskMs = 600_000) =>
      ofExecutors(
        [executor({ peakHeapBytes: 1, taskMs: 0 }), executor({ peakHeapBytes, taskMs })],
        memory === undefined ? {} : { "spark.executor.memory": memory },
      );
    const found = (share: number) => [`A09 Executors use at most ${share} % of their heap`];
    assert.deepEqual(used("2g", gib), found(50));
    assert.deepEqual(used("10g", 7 * gib - 1), found(70));
    assert.deepEqual(used("10g", 7 * gib), []);
    assert.deepEqual(used("2047m", gib), []);
    assert.deepEqual(used("2g", gib, 599_999), []);
    assert.deepEqual(used(undefined, 100), []);
    assert.deepEqual(used("x", gib), []);
    const none = [executor({ taskMs: 600_000 })];
    assert.deepEqual(ofExecutors(none, { "spark.executor.memory": "4g" }), []);
  });

  test("reports Python processes above 95 % of their memory", () => {
    const used = (peakPythonBytes: number, conf: Conf = {}) => {
      const given = workload({ executors: [executor({ peakPythonBytes }), executor()], conf });
      return [
        ...factsOf(given),
        ...keysOf(given).flat(),
        ...advise(given).flatMap(({ remedies }) => shown(remedies)),
      ];
    };
    const limit = 0.95 * 384 * mib;
    assert.deepEqual(used(Math.floor(limit) + 1), [
      "A10 Python processes use 95 % of their memory",
      "spark.executor.memoryOverhead",
      "spark.executor.memoryOverhead=896m",
    ]);
    assert.deepEqual(used(Math.floor(limit)), []);
    const conf = {
      "spark.executor.pyspark.memory": "1g",
      "spark.kubernetes.resource.type": "python",
    };
    assert.deepEqual(used(gib, conf), [
      "A10 Python processes use 100 % of their memory",
      "spark.executor.pyspark.memory",
      "spark.executor.pyspark.memory=2g",
    ]);
    assert.deepEqual(used(0.95 * gib - 1, conf), []);
  });

  test("reports dynamic allocation without shuffle tracking or migration", () => {
    const on = { "spark.dynamicAllocation.enabled": "true" };
    const tracking = (value: string) => ({
      ...on,
      "spark.dynamicAllocation.shuffleTracking.enabled": value,
    });
    const found = ["A11 Dynamic allocation removes executors that hold shuffle data"];
    assert.deepEqual(ofExecutors([], tracking("false")), found);
    for (const conf of [{}, on, tracking("true"), tracking("x")])
      assert.deepEqual(ofExecutors([], conf), []);
    const decommission = "spark.decommission.enabled";
    const migration = "spark.storage.decommission.shuffleBlocks.enabled";
    const off = tracking("false");
    assert.deepEqual(ofExecutors([], { ...off, [decommission]: "true", [migration]: "true" }), []);
    assert.deepEqual(ofExecutors([], { ...off, [decommission]: "true" }), found);
    assert.deepEqual(ofExecutors([], { ...off, [migration]: "true" }), found);
    assert.deepEqual(ofExecutors([], { ...off, "spark.dynamicAllocation.enabled": "no" }), []);
  });
});

describe("the advice on the wait for local cores", () => {
  const tasks = (count: number, everyMs: number, locality: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => ({
      ...{ launchedAt: everyMs * index, durationMs: everyMs, locality: locality(index) },
    }));
  const local = () => "NODE_LOCAL";
  const advised = (
    placed: ReturnType<typeof tasks>,
    executors: readonly ExecutorLoad[],
    conf: Conf = {},
  ) =>
    factsOf(
      workload({ placements: [{ stageId: 4, attemptId: 0, tasks: placed }], executors, conf }),
    );
  const found = ["A12 Stage 4: cores were free while tasks waited for local cores"];
  const two = [executor(), executor({ id: "2", removedAt: 10_000 })];

  test("reports free cores from 10 s on", () => {
    assert.deepEqual(advised(tasks(11, 1_000, local), two), found);
    assert.deepEqual(advised(tasks(11, 999, local), two), []);
  });

  test("counts only executors that lived during the whole stage", () => {
    const gone = [executor(), executor({ removedAt: 9_999 })];
    const late = [executor(), executor({ addedAt: 1 })];
    for (const executors of [gone, late, [executor()]])
      assert.deepEqual(advised(tasks(11, 1_000, local), executors), []);
  });

  test("reports free cores only if most tasks ran near their data", () => {
    const nearest = ["PROCESS_LOCAL", "NODE_LOCAL"];
    const near = (count: number) => (index: number) =>
      index < count ? (nearest[index % 2] ?? "") : "RACK_LOCAL";
    assert.deepEqual(advised(tasks(12, 1_000, near(7)), [executor(), executor()]), found);
    assert.deepEqual(advised(tasks(12, 1_000, near(6)), [executor(), executor()]), []);
  });

  test("reports free cores only if they were at least half as long free as busy", () => {
    const busy = [...tasks(11, 1_000, local), ...tasks(11, 1_000, local)];
    assert.deepEqual(advised(busy, [executor({ cores: 3 })]), found);
    const more = [...busy, ...tasks(11, 1_000, local)];
    assert.deepEqual(advised(more, [executor({ cores: 4 })]), []);
  });

  test("reports nothing if Spark does not wait", () => {
    for (const wait of ["0", "0s", "0ms"])
      assert.deepEqual(advised(tasks(11, 1_000, local), two, { "spark.locality.wait": wait }), []);
    for (const wait of ["1s", "01", "00", "5s0"])
      assert.deepEqual(
        advised(tasks(11, 1_000, local), two, { "spark.locality.wait": wait }),
        found,
      );
  });
});

describe("the fixes of advice", () => {
  const facts = (conf: Conf = {}) => workload({ conf });

  test("enable the handling of skew unless it is on", () => {
    const [aqe, join] = ["spark.sql.adaptive.enabled", "spark.sql.adaptive.skewJoin.enabled"];
    assert.deepEqual(splitSkew(facts()), []);
    assert.deepEqual(shown(splitSkew(facts({ [join]: "false" }))), [`${join}=true`]);
    assert.deepEqual(shown(splitSkew(facts({ [aqe]: "false", [join]: "false" }))), [
      `${aqe}=true ${join}=true`,
    ]);
  });

  test("raise the number of tasks at least twofold", () => {
    const more = (fields: Partial<StageLoad>, bytes: number, conf: Conf = {}): readonly string[] =>
      shown(morePartitions(stage(fields), bytes, mib, facts(conf)));
    const partitions = "spark.sql.shuffle.partitions";
    const shuffled = { tasks: 200, shuffleReadBytes: 1 };
    assert.deepEqual(more(shuffled, 0), [`${partitions}=400`]);
    assert.deepEqual(more(shuffled, 400 * mib), [`${partitions}=400`]);
    assert.deepEqual(more(shuffled, 400 * mib + 1), [`${partitions}=600`]);
    assert.deepEqual(more({ ...shuffled, tasks: 100 }, 0, { [partitions]: "100" }), [
      `${partitions}=200`,
    ]);
    // With fewer tasks than shuffle partitions, AQE has coalesced partitions.
    const advisory = "spark.sql.adaptive.advisoryPartitionSizeInBytes";
    assert.deepEqual(more({ ...shuffled, tasks: 199 }, 0), [`${advisory}=32m`]);
    assert.deepEqual(more({ ...shuffled, tasks: 99 }, 0, { [partitions]: "x" }), [
      `${advisory}=32m`,
    ]);
    assert.deepEqual(more({ ...shuffled, tasks: 100 }, 700 * mib), [`${advisory}=9m`]);
    assert.deepEqual(more({ ...shuffled, tasks: 100 }, 900 * mib), [`${advisory}=8m`]);
    assert.deepEqual(more({ ...shuffled, tasks: 100 }, 0, { [advisory]: "8m" }), []);
    assert.deepEqual(more({ ...shuffled, tasks: 100 }, 0, { [advisory]: "9m" }), [
      `${advisory}=8m`,
    ]);
    assert.deepEqual(
      more({ ...shuffled, tasks: 100 }, 0, { "spark.sql.adaptive.enabled": "false" }),
      [`${partitions}=200`],
    );
    const split = "spark.sql.files.maxPartitionBytes";
    assert.deepEqual(more({ inputBytes: 1 }, 0), [`${split}=64m`]);
    assert.deepEqual(more({ inputBytes: 1 }, 0, { [split]: "1048577" }), []);
    assert.deepEqual(more({ inputBytes: 1 }, 0, { [split]: "20971520b" }), [`${split}=10m`]);
    assert.deepEqual(more({}, 0), []);
  });

  test("lower the number of partitions to two for each core", () => {
    const fewer = (fields: Partial<StageLoad>, cores: number, conf: Conf = {}) =>
      shown(fewerPartitions(stage({ shuffleReadBytes: 1, ...fields }), cores, facts(conf)));
    const key = "spark.sql.shuffle.partitions";
    assert.deepEqual(fewer({}, 10), [`${key}=20`]);
    assert.deepEqual(fewer({}, 0), [`${key}=2`]);
    assert.deepEqual(fewer({}, 99), [`${key}=198`]);
    assert.deepEqual(fewer({}, 100), []);
    assert.deepEqual(fewer({ tasks: 199 }, 10), []);
    assert.deepEqual(fewer({ tasks: 300 }, 10, { [key]: "300" }), [`${key}=20`]);
    assert.deepEqual(fewer({ shuffleReadBytes: 0 }, 10), []);
  });

  test("use fewer executors", () => {
    const fewer = (share: number, conf: Conf = {}) => shown(fewerExecutors(share, facts(conf)));
    const dynamic = "spark.dynamicAllocation.enabled=true";
    const instances = "spark.executor.instances";
    assert.deepEqual(fewer(0.1), [dynamic, `${instances}=1`]);
    assert.deepEqual(fewer(0.51), [dynamic]);
    assert.deepEqual(fewer(0.5, { [instances]: "10" }), [dynamic, `${instances}=5`]);
    assert.deepEqual(fewer(0.51, { [instances]: "10" }), [dynamic, `${instances}=6`]);
    assert.deepEqual(fewer(0, { [instances]: "10" }), [dynamic, `${instances}=1`]);
    assert.deepEqual(fewer(0, { [instances]: "1" }), [dynamic]);
    assert.deepEqual(fewer(0, { [instances]: "1.5" }), [dynamic, `${instances}=1`]);
    const tracking = "spark.dynamicAllocation.shuffleTracking.enabled";
    assert.deepEqual(fewer(0.9, { [tracking]: "false" }), [`${dynamic} ${tracking}=true`]);
    const ofSpark33 = fewerExecutors(0.9, workload({ conf: {}, minor: "3.3" }));
    assert.deepEqual(shown(ofSpark33), [`${dynamic} ${tracking}=true`]);
    const timeout = "spark.dynamicAllocation.executorIdleTimeout";
    const idle = (value?: string) =>
      fewer(0.1, {
        "spark.dynamicAllocation.enabled": "true",
        ...(value === undefined ? {} : { [timeout]: value }),
      });
    const shorter = [`${timeout}=30s`];
    for (const value of [undefined, "31", "31s", "600s"]) assert.deepEqual(idle(value), shorter);
    for (const value of ["30", "30s", "5min", "x"]) assert.deepEqual(idle(value), []);
  });

  test("lower the heap by a fifth, and keep it a quarter above its peak", () => {
    const less = (heap: number, peak: number) => shown(lessHeap(heap * mib, peak * mib));
    const memory = "spark.executor.memory";
    assert.deepEqual(less(4096, 0), [`${memory}=3328m`]);
    assert.deepEqual(less(4096, 2662), [`${memory}=3328m`]);
    assert.deepEqual(less(4096, 2663), [`${memory}=3456m`]);
    assert.deepEqual(less(4096, 3174), [`${memory}=3968m`]);
    assert.deepEqual(less(4096, 3175), []);
    assert.deepEqual(less(5120, 0), [`${memory}=4g`]);
  });

  test("raise Python's memory, or the overhead without a limit of Python", () => {
    const python = {
      "spark.executor.pyspark.memory": "1g",
      "spark.kubernetes.resource.type": "python",
    };
    assert.deepEqual(shown(morePython(facts(python))), ["spark.executor.pyspark.memory=2g"]);
    assert.deepEqual(shown(morePython(facts())), ["spark.executor.memoryOverhead=896m"]);
  });

  test("run slow tasks twice if there are several executors", () => {
    assert.deepEqual(shown(speculate(facts(), 2)), ["spark.speculation=true"]);
    assert.deepEqual(speculate(facts(), 1), []);
    assert.deepEqual(speculate(facts({ "spark.speculation": "true" }), 2), []);
  });
});
