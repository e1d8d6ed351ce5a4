import { inEnglish } from "../../../src/base/message.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { openConf } from "../../../src/editor/conf/door.ts";
import type { ConfDiagnostic } from "../../../src/spark/conf/lint/diagnoseConf.ts";
import { podTotals } from "../../../src/spark/surfaces/podTotals.ts";
import { withFiles } from "../../../src/spark/surfaces/namedFiles.ts";
import { readSurface } from "../../../src/spark/surfaces/surfaces.ts";
import type { Surface } from "../../../src/spark/surfaces/surfaces.ts";

const help = openConf();

/** Returns the codes of the findings and the texts that they mark. */
function found(surface: Surface, text: string, files: Readonly<Record<string, string>> = {}) {
  const given = new Map(Object.entries(files));
  return help
    .diagnose(text, surface, "4.3", new Map(), given)
    .map(({ code, span }) => `${code} ${text.slice(span.start, span.end)}`);
}

const totals = (surface: Surface, text: string): readonly string[] =>
  podTotals(text, readSurface(text, surface), "4.3").map(
    ({ offset, label }) =>
      `${text.slice(0, offset).split("\n").at(-1)?.trim() ?? ""} | ${inEnglish(label)}`,
  );

const manifest = (spec: string): string => `apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata: { name: orders, namespace: etl }
spec:
  type: Python
  sparkVersion: 4.3.0
  image: app:1
  mainApplicationFile: local:///app/orders.py
${spec}`;

test("a manifest is complete, so missing keys are certain", () => {
  const text = manifest(`  sparkConf:
    spark.memory.offHeap.enabled: "true"
  driver: { serviceAccount: spark }
  executor: { memory: 1g }
`);
  assert.ok(found("manifest", text).includes("R045-off-heap-without-size true"));
  const errors = help
    .diagnose(text, "manifest", "4.3")
    .filter(({ severity }: ConfDiagnostic) => severity === "error");
  assert.deepEqual(
    errors.map(({ code }) => code),
    ["R045-off-heap-without-size"],
  );
});

test("an operator starts one executor by default, in cluster mode and on Kubernetes", () => {
  const text = manifest(`  executor:
    memory: 4g
`);
  const codes = found("manifest", text).map((line) => line.slice(0, 4));
  for (const code of ["R004", "R007", "R118"]) assert.ok(!codes.includes(code), code);
});

test("distinguishes a field of a manifest from the same key in sparkConf", () => {
  const text = manifest(`  sparkConf:
    spark.executor.memory: 2g
  executor:
    memory: 4g
`);
  assert.ok(found("manifest", text).includes("R210-operator-overlap spark.executor.memory"));
});

test("reports fields of dynamic allocation and labels at their positions", () => {
  const two = (conf: string, fields: string): readonly string[] =>
    found("manifest", manifest(`  sparkConf: { ${conf} }\n  ${fields}\n`)).filter((line) =>
      /^R(?:124|195|21)/.test(line),
    );
  const bound = 'spark.dynamicAllocation.maxExecutors: "9"';
  assert.deepEqual(two(bound, "dynamicAllocation: { enabled: true, maxExecutors: 5 }"), [
    "R211-operator-allocation-twice spark.dynamicAllocation.maxExecutors",
  ]);
  assert.deepEqual(two(bound, "dynamicAllocation: { enabled: true, maxExecutors: 9 }"), [
    "R210-operator-overlap spark.dynamicAllocation.maxExecutors",
  ]);
  assert.deepEqual(two("", "dynamicAllocation: { enabled: true }"), [
    "R124-unbounded-executors true",
  ]);
  const old = manifest("  dynamicAllocation: { enabled: true, maxExecutors: 9 }\n");
  const ofOld = found("manifest", old.replace("sparkVersion: 4.3.0", "sparkVersion: 3.2.1"));
  assert.ok(!ofOld.some((line) => line.startsWith("R126")));
  const label = "spark.kubernetes.executor.label.team: a";
  assert.deepEqual(two(label, "executor: { labels: { team: b } }"), [
    "R210-operator-overlap spark.kubernetes.executor.label.team",
  ]);
});

test("a command's options count more than --conf", () => {
  const text = `spark-submit --master k8s://https://host:6443 --deploy-mode cluster \\
  --conf spark.kubernetes.container.image=app:1 --executor-memory 4g \\
  --conf spark.executor.memory=2g --conf spark.memory.offHeap.enabled=true local:///app/job.py`;
  const diagnostics = help.diagnose(text, "command", "4.3");
  const lost = diagnostics.find(({ code }) => code === "R195-duplicate-key");
  assert.equal(text.slice(lost?.span.start, lost?.span.end), "spark.executor.memory");
  assert.match(inEnglish(lost?.message) ?? "", /option of the command/);
  // spark-defaults.conf may contain more settings, so the finding is only information.
  const offHeap = diagnostics.find(({ code }) => code.startsWith("R045"));
  assert.equal(offHeap?.severity, "information");
});

test("a command that is not written out whole is no whole", () => {
  for (const command of [
    "spark-submit $OPTIONS --conf spark.memory.offHeap.enabled=true job.py",
    "spark-submit --conf spark.memory.offHeap.enabled=true ...",
    "spark-submit --properties-file a.conf --conf spark.memory.offHeap.enabled=true job.py",
  ]) {
    const [one] = help.diagnose(command, "command", "4.3");
    assert.equal(one?.severity, "information", command);
  }
});

test("a command is judged by options that other programs have too, and by its resource", () => {
  const command = (rest: string): readonly string[] =>
    found("command", `spark-submit --master k8s://tcp://host:1 --deploy-mode cluster ${rest}`);
  assert.ok(command("local:///a.py").includes("R001-master-scheme k8s://tcp://host:1"));
  assert.ok(command("/a.py").some((line) => line.startsWith("R155")));
  assert.ok(!command("$APP/a.py").some((line) => line.startsWith("R155")));
  assert.ok(command("--queue etl a.py").includes("R176-yarn-key --queue"));
  assert.ok(command("--supervise a.py").includes("R179-standalone-key --supervise"));
  assert.ok(command("pyspark-shell").includes("R005-interactive-in-cluster-mode cluster"));
  const server = "--class org.apache.spark.sql.connect.service.SparkConnectServer spark-internal";
  assert.ok(command(server).includes("R005-interactive-in-cluster-mode cluster"));
  assert.deepEqual(found("command", "spark-submit --version\nspark-submit a.py\n"), []);
});

test("a directive before a command applies to its first setting", () => {
  const severities = (options: string): readonly string[] =>
    help
      .diagnose(`# spark-k8s-next: R037=off\nspark-submit ${options} a.py`, "command", "4.3")
      .map(({ code }) => code);
  assert.deepEqual(severities("--executor-memory 256m --driver-memory 2g"), []);
  assert.deepEqual(severities("--executor-memory 2g --driver-memory 256m"), ["R037-small-heap"]);
});

test("blanks around a text count where nothing takes them away", () => {
  const text = `spark-submit --conf "spark.app.name= etl" --conf "spark.executor.cores= 4" a.py`;
  assert.deepEqual(found("command", text), ["R196-quoted-value  etl"]);
  const folded = manifest("  driver:\n    javaOptions: >\n      -Da=b\n");
  assert.ok(!found("manifest", folded).some((line) => line.startsWith("R196")));
});

test("ignores a command in a comment", () => {
  assert.equal(help.wholeCommands("# spark-submit a.py\nspark-submit b.py\n").length, 1);
});

test("the properties file that a command names counts below it", () => {
  const command =
    "spark-submit --properties-file a.conf --conf spark.memory.offHeap.enabled=true job.py";
  assert.deepEqual(found("command", command, { "a.conf": "spark.memory.offHeap.size 1g" }), []);
  const text = command.replace("offHeap.enabled", "fraction");
  assert.ok(
    !found("command", text, { "a.conf": "spark.executor.cores x" }).join().includes("R027"),
  );
});

test("is certain about missing keys if the properties file replaces the defaults", () => {
  const severities = (command: string, files: Readonly<Record<string, string>>) =>
    help
      .diagnose(command, "command", "4.3", new Map(), new Map(Object.entries(files)))
      .filter(({ code }) => code.startsWith("R045"))
      .map(({ severity }) => severity);
  const command =
    "spark-submit --properties-file a.conf --conf spark.memory.offHeap.enabled=true job.py";
  assert.deepEqual(severities(command, { "a.conf": "" }), ["error"]);
  assert.deepEqual(severities(command, {}), ["information"]);
  const both = command.replace("--conf", "--load-spark-defaults --conf");
  assert.deepEqual(severities(both, { "a.conf": "" }), ["information"]);
});

test("a patch for a manifest and a template of one are no wholes", () => {
  const conf = '  sparkConf: { spark.memory.offHeap.enabled: "true" }\n';
  const severities = (text: string): readonly string[] =>
    help.diagnose(text, "manifest", "4.3").map(({ severity }) => severity);
  const patch = `apiVersion: sparkoperator.k8s.io/v1beta2\nkind: SparkApplication\nspec:\n${conf}`;
  assert.ok(!severities(patch).includes("error"));
  assert.ok(!severities(manifest(`${conf}  {{- include "more" . }}\n`)).includes("error"));
});

test("uses the APIs that a program uses as facts for its settings", () => {
  const text = `spark = SparkSession.builder.config("spark.dynamicAllocation.enabled", "true").getOrCreate()
rdd.barrier().mapPartitions(f)
`;
  assert.ok(found("python", text).some((line) => line.startsWith("R135")));
});

test("shows totals after the memory settings, on each surface", () => {
  assert.deepEqual(
    totals(
      "properties",
      "spark.master k8s://https://h:6443\nspark.executor.memory 10g\nspark.executor.instances 20\nspark.driver.memory 512m\n",
    ),
    [
      "spark.driver.memory 512m | pod 896 MiB",
      "spark.executor.memory 10g | pod 11.0 GiB × 20 = 220 GiB",
    ],
  );
  assert.deepEqual(
    totals("manifest", manifest('  executor: { memory: "10g", instances: 3, cores: 2 }\n')),
    ['executor: { memory: "10g" | pod 14.0 GiB × 3 = 42.0 GiB'],
  );
  assert.deepEqual(
    totals(
      "command",
      "spark-submit --master k8s://https://h:1 --executor-memory 4g --num-executors 2 a.jar",
    ),
    ["spark-submit --master k8s://https://h:1 --executor-memory 4g | pod 4.4 GiB × 2 = 8.8 GiB"],
  );
  const profile = (application: string): string =>
    `{ "tasks": [{ "type": "spark", "application": "${application}", "conf": { "spark.kubernetes.namespace": "a", "spark.driver.memory": "10g" } }] }`;
  assert.match(totals("profiles", profile("local:///a.jar")).join(), /pod 11\.0 GiB/);
  assert.match(totals("profiles", profile("jobs/orders.py")).join(), /pod 14\.0 GiB/);
});

test("shows totals for the limits of dynamic allocation, and none for unknown values", () => {
  const file = (lines: string): readonly string[] =>
    totals("properties", `spark.master k8s://h:1\nspark.executor.memory 4g\n${lines}`).map(
      (line) => line.split(" | ")[1] ?? "",
    );
  const dynamic = "spark.dynamicAllocation.enabled true\nspark.dynamicAllocation.minExecutors 2\n";
  assert.deepEqual(file(dynamic), ["pod 4.4 GiB × 2 or more"]);
  assert.deepEqual(file(`${dynamic}spark.dynamicAllocation.maxExecutors 10`), [
    "pod 4.4 GiB × 2 to 10 = at most 44.0 GiB",
  ]);
  assert.deepEqual(file("spark.executor.instances ${N}"), ["pod 4.4 GiB"]);
  assert.deepEqual(file("spark.executor.memoryOverhead {{ overhead }}"), []);
  assert.deepEqual(totals("properties", "spark.master yarn\nspark.executor.memory 4g"), []);
});

test("reads each named file once", () => {
  const documents = readSurface(
    "spark-submit --properties-file x.conf --conf spark.a=1 a.py",
    "command",
  );
  const [document] = documents;
  assert.ok(document);
  assert.deepEqual(document.propertiesFiles, ["x.conf"]);
  assert.deepEqual(withFiles(documents, new Map()), [
    {
      ...document,
      application: { ...document.application, isWhole: false },
      elsewhere: [],
    },
  ]);
});

test("a command with a placeholder for more options is not read whole", () => {
  const wholes = (resource: string): number =>
    help.wholeCommands(`spark-submit --queue q ${resource}`).length;
  assert.deepEqual(["a.py", "... a.py", "… a.py", "[options] a.py"].map(wholes), [1, 0, 0, 0]);
});
