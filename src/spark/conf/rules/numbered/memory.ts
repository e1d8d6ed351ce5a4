import { msg } from "../../../../base/message.ts";
import { at, podRoles } from "./violations.ts";
import type { RuleConf } from "./conf.ts";
import type { ConfRule } from "./confRule.ts";

const mebibyte = 2 ** 20;
const heapKey = (role: string): string => `spark.${role}.memory`;
const overheadKey = (role: string): string => `spark.${role}.memoryOverhead`;
const factorKey = (role: string): string => `spark.${role}.memoryOverheadFactor`;
const oldFactor = "spark.kubernetes.memoryOverheadFactor";
const offHeap = "spark.memory.offHeap.enabled";
const offHeapSize = "spark.memory.offHeap.size";
const pythonMemory = "spark.executor.pyspark.memory";
const executorOptions = ["spark.executor.extraJavaOptions", "spark.executor.defaultJavaOptions"];
const driverOptions = ["spark.driver.extraJavaOptions", "spark.driver.defaultJavaOptions"];

/** The minimum heap in bytes (450 MiB): Spark requires 1.5 times the 300 MiB that its memory manager reserves. */
const leastHeap = 471_859_200;

const raisesOverhead = (conf: RuleConf, role: string): boolean =>
  [overheadKey(role), factorKey(role), oldFactor].some((key) => !conf.lacks(key));
const isPython = (conf: RuleConf): boolean => conf.application.language === "python";
const isBare = (text: string | undefined): text is string => /^[0-9]+$/.test(text ?? "");

/** Rules about heap, overhead and off-heap memory. */
export const memoryConfRules: readonly ConfRule[] = [
  {
    code: "R036-memory-without-unit",
    severity: "error",
    says: msg("Add a unit: parts of Spark read a number without one as MiB, others as bytes."),
    page: msg(
      "Without a unit, the JVM and the minimum heap check read the heap size as bytes, but the pod size is calculated in MiB. Add `m` or `g`.",
    ),
    hit: "spark.driver.memory 4096",
    miss: "spark.driver.memory 4096m",
    *check(conf) {
      for (const role of podRoles) {
        const text = conf.text(heapKey(role));
        if (!isBare(text)) continue;
        // A large number was probably meant as bytes, so it is only a warning.
        const says = msg`"${text}" has no unit: the JVM reads it as bytes. Write ${text}m.`;
        const isTaken = Number(text) >= leastHeap;
        yield* at(
          conf,
          heapKey(role),
          isTaken
            ? { severity: "warning" }
            : role === "driver"
              ? { says }
              : { says, severity: "warning" },
        );
      }
    },
  },
  {
    code: "R037-small-heap",
    severity: "error",
    says: msg("Spark does not start with a heap below 450 MiB. Use 512m or more."),
    page: msg(
      "Spark reserves 300 MiB of each heap and requires a heap of at least 1.5 times that size. With less, the SparkContext does not start.",
    ),
    hit: "spark.executor.memory 256m",
    miss: "spark.executor.memory 512m",
    *check(conf) {
      for (const role of podRoles) {
        const text = conf.text(heapKey(role));
        const size = conf.size(heapKey(role));
        if (text !== undefined && !isBare(text) && size !== undefined && size < leastHeap) {
          yield* at(conf, heapKey(role));
        }
      }
    },
  },
  {
    code: "R038-overhead-wins",
    severity: "information",
    says: msg("The factor has no effect if the overhead itself is set."),
    page: msg(
      "If `memoryOverhead` is set for a role, Spark ignores its `memoryOverheadFactor`. Keep one of them.",
    ),
    hit: "spark.executor.memoryOverhead 1g\nspark.executor.memoryOverheadFactor 0.2",
    miss: "spark.driver.memoryOverhead 1g\nspark.executor.memoryOverheadFactor 0.2",
    *check(conf) {
      for (const role of podRoles) {
        if (!conf.lacks(overheadKey(role))) yield* at(conf, factorKey(role), { part: "key" });
      }
    },
  },
  {
    code: "R039-old-overhead-factor",
    severity: "warning",
    says: msg("The factors of the driver and the executors override this setting."),
    page: msg("Set `spark.driver.memoryOverheadFactor` and `spark.executor.memoryOverheadFactor`."),
    hit: "spark.kubernetes.memoryOverheadFactor 0.2",
    miss: "spark.executor.memoryOverheadFactor 0.2",
    check: (conf) => at(conf, oldFactor, { part: "key" }),
  },
  {
    code: "R041-small-overhead",
    severity: "warning",
    given: { language: "python" },
    says: msg(
      "This overhead is too small: if the pod exceeds it, the pod is killed with exit code 137.",
    ),
    page: msg(
      "The overhead covers memory outside the heap: the JVM itself, network buffers, Python workers. For a heap of 1 GiB or more, less than 384 MiB is rarely enough.",
    ),
    hit: "spark.executor.memory 4g\nspark.executor.memoryOverhead 200m",
    miss: "spark.executor.memory 4g\nspark.executor.memoryOverhead 400m",
    *check(conf) {
      for (const role of podRoles) {
        const overhead = conf.lacks(overheadKey(role)) ? undefined : conf.size(overheadKey(role));
        const heap = conf.size(heapKey(role));
        if (overhead === undefined || heap === undefined || overhead < 0) continue;
        if (overhead < 384 * mebibyte && heap >= 1024 * mebibyte) {
          const severity = isPython(conf) ? "warning" : "information";
          yield* at(conf, overheadKey(role), { severity });
        }
      }
    },
  },
  {
    code: "R042-python-in-client-mode",
    severity: "warning",
    where: "client",
    given: { language: "python", isWhole: true },
    isAbout: "absence",
    says: msg("In client mode, the overhead factor of Python executors is only 0.1, not 0.4."),
    page: msg(
      "Only submissions in cluster mode set the larger factor for Python applications. In client mode, set `spark.executor.memoryOverheadFactor` to 0.4.",
    ),
    hit: "spark.executor.memory 4g",
    miss: "spark.executor.memory 4g\nspark.executor.memoryOverheadFactor 0.4",
    *check(conf) {
      if (isPython(conf) && !raisesOverhead(conf, "executor")) {
        yield* at(conf, "spark.master", { without: [factorKey("executor")] });
      }
    },
  },
  {
    code: "R043-python-memory-without-python",
    severity: "information",
    given: { language: "java" },
    says: msg("Without Python workers, this memory is neither counted nor used."),
    page: msg(
      "`spark.executor.pyspark.memory` is added to executor pods of Python applications only.",
    ),
    hit: "spark.executor.pyspark.memory 2g",
    miss: "spark.executor.memoryOverhead 2g",
    *check(conf) {
      const { language } = conf.application;
      if (language !== undefined && language !== "python")
        yield* at(conf, pythonMemory, { part: "key" });
    },
  },
  {
    code: "R044-python-memory-unset",
    severity: "information",
    where: "kubernetes",
    given: { language: "python", isWhole: true },
    isAbout: "absence",
    says: msg("No memory is set for Python workers: they share the overhead."),
    page: msg(
      "Set `spark.executor.pyspark.memory`, which is added to the pod's memory and enforced as a limit, or increase the overhead.",
    ),
    hit: "spark.executor.memory 4g",
    miss: "spark.executor.memory 4g\nspark.executor.pyspark.memory 2g",
    *check(conf) {
      if (!isPython(conf) || raisesOverhead(conf, "executor")) return;
      if (conf.lacks(pythonMemory)) yield* at(conf, "spark.master", { without: [pythonMemory] });
    },
  },
  {
    code: "R045-off-heap-without-size",
    severity: "error",
    says: msg("Off-heap memory is enabled but has no size."),
    page: msg(
      "Set `spark.memory.offHeap.size` to more than 0, and in Spark 4.3 and later to at least 1 MiB. Otherwise, Spark cannot create executors.",
    ),
    hit: "spark.memory.offHeap.enabled true\nspark.memory.offHeap.size 0",
    miss: "spark.memory.offHeap.enabled true\nspark.memory.offHeap.size 1g",
    *check(conf) {
      const size = conf.size(offHeapSize);
      const least = conf.isFrom("4.3") ? mebibyte : 1;
      if (conf.lacks(offHeap) || conf.flag(offHeap) !== true || size === undefined || size >= least)
        return;
      yield* at(conf, conf.lacks(offHeapSize) ? offHeap : offHeapSize, { without: [offHeapSize] });
    },
  },
  {
    code: "R046-off-heap-size-alone",
    severity: "warning",
    says: msg("The size has no effect while spark.memory.offHeap.enabled is not true."),
    page: msg(
      "Spark does not add the size to the pod's memory either. Enable off-heap memory, or remove the size.",
    ),
    hit: "spark.memory.offHeap.size 1g\nspark.memory.offHeap.enabled false",
    miss: "spark.memory.offHeap.size 1g\nspark.memory.offHeap.enabled true",
    *check(conf) {
      const size = conf.size(offHeapSize);
      if (
        conf.lacks(offHeapSize) ||
        size === undefined ||
        size <= 0 ||
        conf.flag(offHeap) !== false
      )
        return;
      yield* at(conf, offHeapSize, { without: [offHeap] });
    },
  },
  {
    code: "R048-heap-in-java-options",
    severity: "error",
    says: msg(
      "Spark rejects -Xmx here: set the heap with spark.driver.memory and spark.executor.memory.",
    ),
    page: msg(
      "Spark sets `-Xmx` itself and fails if the options contain another one. It checks `spark.executor.defaultJavaOptions` in Spark 4.0 and later.",
    ),
    hit: "spark.executor.extraJavaOptions -XX:+UseG1GC -Xmx4g",
    miss: "spark.executor.extraJavaOptions -XX:+UseG1GC -Xms4g",
    *check(conf) {
      for (const key of [...executorOptions, ...driverOptions]) {
        if (!(conf.entry(key)?.value ?? "").includes("-Xmx")) continue;
        // Before Spark 4.0, Spark checks these options for -Xmx, except `spark.executor.defaultJavaOptions`.
        const isRefused = key !== executorOptions[1] || conf.isFrom("4.0");
        yield* at(conf, key, isRefused ? {} : { severity: "warning" });
      }
    },
  },
  {
    code: "R049-conf-in-java-options",
    severity: "error",
    says: msg("Spark rejects -Dspark… here: set it as a separate Spark property."),
    page: msg(
      "The executor's Java options must not set Spark properties. In Spark 4.0 and later, this also applies to `spark.executor.defaultJavaOptions`.",
    ),
    hit: "spark.executor.extraJavaOptions -Dspark.ui.enabled=false",
    miss: "spark.driver.extraJavaOptions -Dlog4j.debug=true",
    *check(conf) {
      for (const key of executorOptions) {
        if (key === executorOptions[1] && !conf.isFrom("4.0")) continue;
        if ((conf.entry(key)?.value ?? "").includes("-Dspark")) yield* at(conf, key);
      }
    },
  },
  {
    code: "R050-scratch-in-memory",
    severity: "warning",
    says: msg(
      "Scratch files in memory count towards the pod's memory limit: increase the overhead.",
    ),
    page: msg(
      "With `spark.kubernetes.local.dirs.tmpfs`, shuffle and spill files are kept in memory outside the heap. Increase `spark.executor.memoryOverhead` by their size.",
    ),
    hit: "spark.kubernetes.local.dirs.tmpfs true",
    miss: "spark.kubernetes.local.dirs.tmpfs true\nspark.executor.memoryOverheadFactor 0.6",
    *check(conf) {
      const key = "spark.kubernetes.local.dirs.tmpfs";
      if (conf.lacks(key) || conf.flag(key) !== true || raisesOverhead(conf, "executor")) return;
      yield* at(conf, key, { without: [overheadKey("executor")] });
    },
  },
  {
    code: "R051-memory-fractions",
    severity: "error",
    says: msg("Memory fractions must be between 0 and 1."),
    page: msg(
      "`spark.memory.fraction` must be from 0 to 1, and `spark.memory.storageFraction` from 0 to less than 1.",
    ),
    hit: "spark.memory.fraction 1.5",
    miss: "spark.memory.fraction 1",
    *check(conf) {
      // The conf entry accepts any number, but SparkContext does not start with a fraction outside 0 to 1.
      const key = "spark.memory.fraction";
      const fraction = conf.lacks(key) ? undefined : conf.number(key);
      if (fraction !== undefined && (fraction < 0 || fraction > 1)) yield* at(conf, key);
    },
  },
  {
    code: "R052-exit-on-out-of-memory",
    severity: "information",
    says: msg(
      "With this option, an executor that runs out of memory does not exit with Spark's exit code 52.",
    ),
    page: msg(
      "Spark stops such an executor itself and reports the cause with exit code 52. With the JVM options, the exit code is 3 or that of a script.",
    ),
    hit: "spark.executor.extraJavaOptions -XX:+ExitOnOutOfMemoryError",
    miss: "spark.executor.extraJavaOptions -XX:+HeapDumpOnOutOfMemoryError",
    *check(conf) {
      for (const key of executorOptions) {
        if (/(?:\+Exit|[:+]On|\+Crash)(?:On)?OutOfMemoryError/.test(conf.entry(key)?.value ?? ""))
          yield* at(conf, key);
      }
    },
  },
];
