import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inEnglish } from "../../../src/base/message.ts";
import type { ApplicationFacts } from "../../../src/spark/conf/catalogue/applicationFacts.ts";
import { openCatalogue } from "../../../src/spark/conf/catalogue/catalogue.ts";
import type { SparkVersion } from "../../../src/spark/conf/catalogue/sparkVersions.ts";
import { diagnoserOf } from "../../../src/spark/conf/lint/diagnoseConf.ts";
import { parseProperties } from "../../../src/spark/conf/parse/properties.ts";

const diagnose = diagnoserOf(openCatalogue());
const master = "spark.master k8s://https://host:6443";

interface Case {
  readonly version?: SparkVersion;
  readonly facts?: ApplicationFacts;
}

/** Checks the findings of a rule, written as `severity at "marked text"`. */
function check(
  rule: string,
  lines: readonly string[],
  expected: readonly string[],
  { version = "4.3", facts = {} }: Case = {},
): void {
  const text = lines.join("\n");
  const found = diagnose({ ...parseProperties(text), application: facts }, version, new Map())
    .filter(({ code }) => code.startsWith(`${rule}-`))
    .map(({ severity, span }) => `${severity} at ${text.slice(span.start, span.end)}`);
  assert.deepEqual(found, expected, `${rule} in ${version}:\n${text}`);
}

const messageOf = (rule: string, text: string): string | undefined =>
  diagnose(parseProperties(text), "4.3", new Map())
    .filter(({ code }) => code.startsWith(`${rule}-`))
    .map(({ message }) => inEnglish(message))[0];

describe("the rules about volumes", () => {
  const volume = (rest: string, role = "executor") => `spark.kubernetes.${role}.volumes.${rest}`;
  const emptyDir = volume("emptyDir.a.mount.path /a");
  const sized = (size: string) => [emptyDir, `${volume("emptyDir.a.options.sizeLimit")} ${size}`];

  test("allow one type for each name", () => {
    const other = volume("hostPath.a.mount.path /b");
    check("R069", [emptyDir, other], [`error at ${volume("hostPath.a.mount.path")}`]);
    check("R069", [emptyDir, volume("hostPath.a.mount.path /b", "driver")], []);
    check(
      "R069",
      [volume("emptyDir.a.b.mount.path /b")],
      [`error at ${volume("emptyDir.a.b.mount.path")}`],
    );
  });

  test("report a type that has the name of a member of JavaScript's objects", () => {
    for (const type of ["constructor", "toString"])
      check(
        "R068",
        [volume(`${type}.a.mount.path /a`)],
        [`error at ${volume(`${type}.a.mount.path`)}`],
      );
  });

  test("report a second mount at a path, and Spark's own path", () => {
    check("R072", [volume("emptyDir.a.mount.path /opt/spark/conf")], ["error at /opt/spark/conf"]);
    check("R072", [volume("emptyDir.a.mount.path /opt/spark")], []);
    check("R072", [emptyDir, volume("emptyDir.b.mount.path /a")], ["error at /a"]);
  });

  test("report sizes below 1 KiB, and sizes in thousandths of a byte", () => {
    check("R074", sized("1023"), ["error at 1023"]);
    check("R074", sized("1023"), ["warning at 1023"], { version: "3.5" });
    check("R074", sized("1024"), []);
    check("R074", sized("9Ki"), []);
    check("R075", sized("500m"), ["warning at 500m"]);
    check("R075", sized("1.5m"), ["warning at 1.5m"]);
    check("R075", sized("10g"), ["error at 10g"]);
    for (const size of ["10Gi", "10M", "1e3", "5"]) check("R075", sized(size), []);
    assert.equal(
      messageOf("R075", sized("500m").join("\n")),
      '"500m" means thousandths of a byte. Write 500Mi.',
    );
  });

  test("report a claim that several executors mount", () => {
    const claim = [
      volume("persistentVolumeClaim.d.mount.path /d"),
      `${volume("persistentVolumeClaim.d.options.claimName")} one`,
    ];
    const instances = (count: number) => [...claim, `spark.executor.instances ${count}`];
    const dynamic = (count: number) => [
      ...claim,
      "spark.dynamicAllocation.enabled true",
      `spark.dynamicAllocation.maxExecutors ${count}`,
    ];
    check("R077", instances(2), ["warning at one"]);
    check("R077", instances(1), []);
    check("R077", dynamic(2), ["warning at one"]);
    check("R077", dynamic(1), []);
    check("R077", claim, ["information at one"]);
    const readOnly = `${volume("persistentVolumeClaim.d.mount.readOnly")} true`;
    check("R077", [...instances(2), readOnly], []);
  });

  test("report scratch volumes without the name that Spark wants", () => {
    const dir = (name: string) => [volume(`emptyDir.${name}.mount.path /x`)];
    for (const name of ["scratch", "local", "spark-local", "local-dir", "scratch-1", "local-dirs2"])
      check("R083", dir(name), [`warning at ${volume(`emptyDir.${name}.mount.path`)}`]);
    for (const name of ["data", "localdata", "my-local", "spark-local-dir-1"])
      check("R083", dir(name), []);
    const localDir = (path: string) => [...dir("data"), `spark.local.dir ${path}`];
    const found = [`information at ${volume("emptyDir.data.mount.path")}`];
    check("R083", localDir("/x"), found);
    check("R083", localDir("/y,/x/tmp"), found);
    check("R083", localDir("/xy"), []);
  });

  test("report a recovery plugin without claims two levels deep", () => {
    const plugin = "org.apache.spark.shuffle.KubernetesLocalDiskShuffleDataIO";
    const key = `spark.shuffle.sort.io.plugin.class ${plugin}`;
    const reuse = (value: string) => `spark.kubernetes.driver.reusePersistentVolumeClaim ${value}`;
    const claim = (path: string) =>
      `${volume("persistentVolumeClaim.spark-local-dir-1.mount.path")} ${path}`;
    const found = [`warning at ${plugin}`];
    check("R085", [key, reuse("true"), claim("/data/x")], []);
    check("R085", [key, reuse("true"), claim("/data")], found);
    check("R085", [key, reuse("FALSE"), claim("/data/x")], found);
    check("R085", ["spark.shuffle.sort.io.plugin.class org.example.IO", reuse("false")], []);
  });
});

describe("the rules about executors", () => {
  test("report slow batches above 120 s", () => {
    const batch = (count: number, size: number) => [
      `spark.executor.instances ${count}`,
      `spark.kubernetes.allocation.batch.size ${size}`,
    ];
    check("R100", batch(1_200, 10), []);
    check("R100", batch(1_201, 10), ["warning at 10"]);
    check(
      "R100",
      [...batch(1_201, 10), "spark.kubernetes.allocation.pods.allocator direct"],
      ["warning at 10"],
    );
    check(
      "R100",
      [...batch(1_201, 10), "spark.kubernetes.allocation.pods.allocator statefulset"],
      [],
    );
    assert.equal(
      messageOf("R100", batch(1_300, 10).join("\n")),
      "Requesting 1300 executors in batches of 10 takes 130 s.",
    );
    const dynamic = [
      "spark.dynamicAllocation.enabled true",
      "spark.dynamicAllocation.maxExecutors 9999",
    ];
    check("R100", [master, "spark.executor.instances 9999"], ["information at 9999"]);
    check("R100", [master, ...dynamic], ["information at 9999"]);
    check("R100", dynamic, []);
  });

  test("report a task that needs more cores than an executor has", () => {
    check("R028", ["spark.executor.cores 2", "spark.task.cpus 3"], ["error at 3"]);
    check("R028", ["spark.executor.cores 2", "spark.task.cpus 2"], []);
    check("R028", ["spark.task.cpus 2"], []);
    check("R028", [master, "spark.task.cpus 2"], ["information at 2"]);
    check("R028", ["spark.executor.cores 0", "spark.task.cpus 2"], []);
  });

  test("report bounds that leave no number", () => {
    const bounds = (min: number | undefined, max: number | undefined, enabled = "true") => [
      `spark.dynamicAllocation.enabled ${enabled}`,
      ...(min === undefined ? [] : [`spark.dynamicAllocation.minExecutors ${min}`]),
      ...(max === undefined ? [] : [`spark.dynamicAllocation.maxExecutors ${max}`]),
    ];
    check("R123", bounds(-1, undefined), ["error at -1"]);
    check("R123", bounds(0, 1), []);
    check("R123", bounds(undefined, 0), ["error at 0"]);
    check("R123", bounds(undefined, 1), []);
    check("R123", bounds(2, 1), ["error at 2"]);
    check("R123", bounds(2, 2), []);
    check("R123", bounds(3, 0), ["error at 0"]);
    check("R123", bounds(2, 1, "false"), []);
  });

  test("report a grace period below 60 s", () => {
    const enabled = "spark.decommission.enabled true";
    const grace = (time: string) => [
      ...[master, enabled, `spark.kubernetes.executor.terminationGracePeriodSeconds ${time}`],
    ];
    check("R141", grace("59s"), ["warning at 59s"]);
    check("R141", grace("60s"), []);
    const template = (gracePeriodSeconds: number): Case => ({
      version: "4.0",
      facts: {
        executorTemplate: {
          ...{ containers: [], overwritten: [], hasLivenessProbe: false, gracePeriodSeconds },
        },
      },
    });
    check("R141", [master, enabled], ["information at true"], template(59));
    check("R141", [master, enabled], [], template(60));
    check("R141", grace("30s"), [], { ...template(60), version: "4.3" });
  });

  test("report plugins that switch themselves off", () => {
    const name = "org.apache.spark.scheduler.cluster.k8s.ExecutorPVCResizePlugin";
    const plugin = `spark.plugins ${name}`;
    const allocator = (kind: string) => `spark.kubernetes.allocation.pods.allocator ${kind}`;
    const interval = (time: string) => `spark.kubernetes.executor.pvc.resizeInterval ${time}`;
    check("R148", [plugin, interval("5min"), allocator("statefulset")], [`warning at ${name}`]);
    check("R148", [plugin, interval("5min"), allocator("direct")], []);
    check("R148", [plugin, interval("0")], ["warning at 0"]);
    check("R148", ["spark.plugins org.example.Other", interval("0")], []);
  });

  test("report a number of failures that is negative or ignored", () => {
    const key = "spark.executor.maxNumFailures";
    const set = "spark.kubernetes.allocation.pods.allocator statefulset";
    check("R149", [`${key} -1`], ["warning at -1"]);
    check("R149", [master, `${key} -1`], ["error at -1"]);
    check("R149", [`${key} 0`], []);
    check("R149", [`${key} 3`, set], [`warning at ${key}`], { version: "3.5" });
    check("R149", [`${key} 3`, set], [], { version: "4.0" });
    const direct = "spark.kubernetes.allocation.pods.allocator direct";
    check("R149", [`${key} 3`, direct], [], { version: "3.5" });
  });

  test("report memory without a unit", () => {
    const memory = (role: string, value: string) => [`spark.${role}.memory ${value}`];
    check("R036", memory("driver", "4096"), ["error at 4096"]);
    check("R036", memory("executor", "4096"), ["warning at 4096"]);
    check("R036", memory("driver", "4294967296"), ["warning at 4294967296"]);
    check("R036", memory("driver", "4g"), []);
  });

  test("report -Xmx in all options that Spark checks", () => {
    const option = (key: string) => [`${key} -Xmx1g`];
    for (const key of ["spark.driver.extraJavaOptions", "spark.executor.extraJavaOptions"])
      for (const version of ["3.5", "4.0"] as const)
        check("R048", option(key), ["error at -Xmx1g"], { version });
    const byDefault = option("spark.executor.defaultJavaOptions");
    check("R048", byDefault, ["warning at -Xmx1g"], { version: "3.5" });
    check("R048", byDefault, ["error at -Xmx1g"], { version: "4.0" });
  });
});

describe("the rules about addresses and names", () => {
  test("report a master without https or without a port", () => {
    const at = (url: string) => [`spark.master k8s://${url}`];
    check("R002", at("http://host:80"), ["warning at k8s://http://host:80"]);
    for (const url of ["http://localhost:1", "http://127.0.0.1:1", "http://[::1]:1", "https://h:1"])
      check("R002", at(url), []);
    check("R002", at("host:1"), ["information at k8s://host:1"]);
    check("R003", at("https://host/path:1"), ["warning at k8s://https://host/path:1"]);
    check("R003", at("https://host:1/path"), []);
  });

  test("report an upload path on the submitting machine", () => {
    const upload = (path: string) => [`spark.kubernetes.file.upload.path ${path}`];
    check("R159", upload("local:///x"), ["error at local:///x"]);
    check("R159", upload("file:///x"), ["warning at file:///x"]);
    check("R159", upload("/x"), ["warning at /x"]);
    for (const path of ["s3a://b/x", "hdfs:///x", "x/y"]) check("R159", upload(path), []);
  });

  test("report images of different versions of Spark", () => {
    const images = (driver: string, executor: string | undefined, general?: string) => [
      ...(general === undefined ? [] : [`spark.kubernetes.container.image ${general}`]),
      `spark.kubernetes.driver.container.image ${driver}`,
      ...(executor === undefined ? [] : [`spark.kubernetes.executor.container.image ${executor}`]),
    ];
    check("R022", images("a:3.5.1", "b:4.0.0"), ["warning at b:4.0.0"]);
    check("R022", images("a:3.5.1", undefined, "b:4.0.0"), ["warning at a:3.5.1"]);
    check("R022", images("a:3.5.1", "b:3.5.1-java17"), []);
    check("R022", images("a:3.5.1", "b@sha256:4.0.0"), []);
    check("R022", images("a:3.5.1", "b:14.0.0"), []);
    check("R022", images("a:3.5.1", "b:5.0.0"), []);
    check("R022", images("a:3.5.1", "b:4.0.0.1"), []);
  });

  test("report names and values of labels that Kubernetes refuses", () => {
    const label = (name: string, value = "x") => [`spark.kubernetes.driver.label.${name} ${value}`];
    const key = (name: string) => [`error at spark.kubernetes.driver.label.${name}`];
    check("R011", label("-a"), key("-a"));
    check("R011", label("Example.org/a"), key("Example.org/a"));
    check("R011", label("example.org/a"), []);
    check("R011", label("a", "b c"), ["error at b c"]);
    check("R011", label("a", "-b"), ["error at -b"]);
    check("R011", label("a", "b".repeat(63)), []);
    check("R011", label("a", "b".repeat(64)), [`error at ${"b".repeat(64)}`]);
    check("R011", label("<name>"), []);
    check("R011", ["spark.kubernetes.driver.annotation.Example.org/a b c"], []);
  });

  test("report settings that have no effect on Kubernetes", () => {
    check(
      "R181",
      [master, "spark.yarn.appMasterEnv.A b"],
      ["warning at spark.yarn.appMasterEnv.A"],
    );
    check("R181", [master, "spark.yarn.queue b"], []);
    check(
      "R181",
      [master, "spark.kubernetes.executorEnv.A b"],
      ["warning at spark.kubernetes.executorEnv.A"],
    );
    const pythonVersion = (value: string) => [`spark.kubernetes.pyspark.pythonVersion ${value}`];
    const found = ["warning at spark.kubernetes.pyspark.pythonVersion"];
    check("R190", pythonVersion("3"), found, { version: "4.0" });
    check("R190", pythonVersion("3"), found, { version: "4.1" });
    check("R190", pythonVersion("2"), ["error at 2"], { version: "4.0" });
  });
});

describe("the rules about decommissioning", () => {
  test("judge the image of the executors, which overrides the common one", () => {
    const image = (common: string, own: string): readonly string[] => [
      "spark.decommission.enabled true",
      `spark.kubernetes.container.image ${common}`,
      `spark.kubernetes.executor.container.image ${own}`,
    ];
    check("R143", image("etl:1.0", "apache/spark:4.3.0"), []);
    check("R143", image("apache/spark:4.3.0", "etl:1.0"), ["hint at true"]);
  });

  test("do not judge an allocator that is known only at run time", () => {
    const allocator = "spark.kubernetes.allocation.pods.allocator";
    const plugin = "spark.plugins org.apache.spark.scheduler.cluster.k8s.ExecutorResizePlugin";
    check("R148", [plugin, `${allocator} {{ allocator }}`], []);
    check("R149", ["spark.executor.maxNumFailures 10", `${allocator} {{ allocator }}`], [], {
      version: "3.5",
    });
    check(
      "R149",
      ["spark.executor.maxNumFailures 10", `${allocator} statefulset`],
      ["warning at spark.executor.maxNumFailures"],
      { version: "3.5" },
    );
  });
});
