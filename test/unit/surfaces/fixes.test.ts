import { inEnglish } from "../../../src/base/message.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { applyEdits } from "../../../src/base/textEdit.ts";
import { openConf } from "../../../src/editor/conf/door.ts";
import type { SparkVersion } from "../../../src/spark/conf/catalogue/sparkVersions.ts";
import type { Surface } from "../../../src/spark/surfaces/surfaces.ts";

const help = openConf();
const everywhere = { start: 0, end: Number.MAX_SAFE_INTEGER };

/** Returns the text after each fix, by its title; fixes that silence a finding are omitted. */
function fixed(
  surface: Surface,
  text: string,
  version: SparkVersion = "4.3",
): Readonly<Record<string, string>> {
  const fixes = help.fixes({ text, surface, version, comment: "#" }, everywhere);
  return Object.fromEntries(
    fixes
      .filter(({ isSilence }) => !isSilence)
      .map(({ title, edits }) => [inEnglish(title), applyEdits(text, edits)]),
  );
}

function checkFix(
  surface: Surface,
  text: string,
  title: string,
  expected: string,
  version: SparkVersion = "4.3",
): void {
  assert.equal(fixed(surface, text, version)[title], expected);
}

const manifest = (conf: string): string => `apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata: { name: orders }
spec:
  type: Python
  mode: cluster
  image: app:1
  sparkVersion: 4.1.0
  mainApplicationFile: local:///app/orders.py
  sparkConf:
${conf}  driver: { serviceAccount: spark }
`;

test("renames a misspelled key on each surface", () => {
  const title = 'Rename to "spark.executor.cores"';
  checkFix("properties", "spark.excutor.cores 2\n", title, "spark.executor.cores 2\n");
  checkFix(
    "manifest",
    manifest('    spark.excutor.cores: "2"\n'),
    title,
    manifest('    spark.executor.cores: "2"\n'),
  );
  checkFix(
    "command",
    "spark-submit --conf 'spark.excutor.cores=2' a.py",
    title,
    "spark-submit --conf 'spark.executor.cores=2' a.py",
  );
  checkFix(
    "python",
    'b.config("spark.excutor.cores", "2")',
    title,
    'b.config("spark.executor.cores", "2")',
  );
  checkFix(
    "scala",
    'new SparkConf().set("spark.excutor.cores", "2")',
    title,
    'new SparkConf().set("spark.executor.cores", "2")',
  );
});

test("keeps the column of a value that spaces align", () => {
  const title = 'Rename to "spark.executor.cores"';
  const renamed = (gap: number, after: number): void => {
    const text = `spark.excutor.cores${" ".repeat(gap)}2\n`;
    checkFix("properties", text, title, `spark.executor.cores${" ".repeat(after)}2\n`);
  };
  renamed(9, 8);
  renamed(2, 1);
  checkFix("properties", "spark.excutor.cores\t2\n", title, "spark.executor.cores\t2\n");
});

test("replaces a removed key by its successor, or deletes it", () => {
  const text = "spark.blacklist.enabled true\nspark.app.name x\n";
  checkFix(
    "properties",
    text,
    'Rename to "spark.excludeOnFailure.enabled"',
    text.replace("blacklist", "excludeOnFailure"),
  );
  checkFix("properties", text, 'Remove "spark.blacklist.enabled"', "spark.app.name x\n");
});

test("a key is not renamed to one that is there already", () => {
  const text = "spark.blacklist.enabled true\nspark.excludeOnFailure.enabled false\n";
  assert.equal(fixed("properties", text)['Rename to "spark.excludeOnFailure.enabled"'], undefined);
});

test("a unit is written as that version of Spark reads it", () => {
  checkFix(
    "properties",
    "spark.executor.memory 2Gi",
    'Write "2g"',
    "spark.executor.memory 2g",
    "4.1",
  );
  checkFix(
    "properties",
    "spark.executor.memory 1.5g",
    'Write "1536m"',
    "spark.executor.memory 1536m",
  );
  checkFix("properties", "spark.network.timeout 2 min", 'Write "2m"', "spark.network.timeout 2m");
  checkFix("properties", "spark.driver.memory 4096", 'Write "4096m"', "spark.driver.memory 4096m");
  checkFix(
    "properties",
    "spark.sql.adaptive.enabled yes",
    'Write "true"',
    "spark.sql.adaptive.enabled true",
  );
  checkFix(
    "manifest",
    manifest('    spark.driver.memoryOverhead: "1Gi"\n'),
    'Write "1g"',
    manifest('    spark.driver.memoryOverhead: "1g"\n'),
  );
});

test("removes the overridden one of two settings with its lines", () => {
  const title = 'Remove "spark.a.b"';
  checkFix(
    "properties",
    "# first\nspark.a.b x \\\n  y\nspark.a.b z\n",
    title,
    "# first\nspark.a.b z\n",
  );
  checkFix(
    "command",
    "spark-submit \\\n  --conf spark.a.b=1 \\\n  --conf spark.a.b=2 \\\n  a.py\n",
    title,
    "spark-submit \\\n  --conf spark.a.b=2 \\\n  a.py\n",
  );
});

test("removes the overridden one of two settings in a program, in any notation", () => {
  const title = 'Remove "spark.a.b"';
  const own = '.config("spark.a.b", "1")';
  const builder = "s = SparkSession.builder";
  checkFix(
    "python",
    `${builder}${own}.config("spark.a.b", "2").getOrCreate()\n`,
    title,
    `${builder}.config("spark.a.b", "2").getOrCreate()\n`,
  );
  checkFix(
    "python",
    `${builder} \\\n    ${own} \\\n    .config("spark.a.b", "2") \\\n    .getOrCreate()\n`,
    title,
    `${builder} \\\n    .config("spark.a.b", "2") \\\n    .getOrCreate()\n`,
  );
  checkFix(
    "scala",
    `val s = SparkSession.builder()\n  ${own}\n  .config("spark.a.b", "2")\n  .getOrCreate()\n`,
    title,
    'val s = SparkSession.builder()\n  .config("spark.a.b", "2")\n  .getOrCreate()\n',
  );
});

test("removes a setting that is a separate statement with its line", () => {
  checkFix(
    "java",
    'SparkConf conf = new SparkConf();\nconf.set("spark.blacklist.enabled", "true");\nrun(conf);\n',
    'Remove "spark.blacklist.enabled"',
    "SparkConf conf = new SparkConf();\nrun(conf);\n",
  );
});

test("removes a setting at the end of a chain and keeps the end of the statement", () => {
  checkFix(
    "java",
    'SparkConf conf = new SparkConf()\n    .set("spark.app.name", "x")\n    .set("spark.blacklist.enabled", "true");\n',
    'Remove "spark.blacklist.enabled"',
    'SparkConf conf = new SparkConf()\n    .set("spark.app.name", "x");\n',
  );
  checkFix(
    "python",
    'conf = {\n    "spark.blacklist.enabled": "true",\n    "spark.app.name": "x",\n}\nSparkSubmitOperator(conf=conf)\n',
    'Remove "spark.blacklist.enabled"',
    'conf = {\n    "spark.app.name": "x",\n}\nSparkSubmitOperator(conf=conf)\n',
  );
});

test("a secret in plain text gives its place to a reference, for each role that reads it", () => {
  const made =
    fixed(
      "properties",
      "spark.master k8s://https://h:1\nspark.hadoop.fs.s3a.secret.key wJalrXUtnFEMI\n",
    )['Read it from the Secret "spark-secrets"'] ?? "";
  assert.equal(
    made,
    "spark.master k8s://https://h:1\nspark.kubernetes.driver.secretKeyRef.AWS_SECRET_ACCESS_KEY spark-secrets:AWS_SECRET_ACCESS_KEY\nspark.kubernetes.executor.secretKeyRef.AWS_SECRET_ACCESS_KEY spark-secrets:AWS_SECRET_ACCESS_KEY\n",
  );
});

test("the key that a rule misses is added with a value that ends the finding", () => {
  checkFix(
    "properties",
    "spark.memory.offHeap.enabled true\n",
    'Add "spark.memory.offHeap.size" as 1g',
    "spark.memory.offHeap.enabled true\nspark.memory.offHeap.size 1g\n",
  );
  checkFix(
    "manifest",
    manifest('    spark.memory.offHeap.enabled: "true"\n'),
    'Add "spark.memory.offHeap.size" as 1g',
    manifest('    spark.memory.offHeap.enabled: "true"\n    spark.memory.offHeap.size: "1g"\n'),
  );
  checkFix(
    "python",
    'b.config("spark.memory.offHeap.enabled", "true").getOrCreate()',
    'Add "spark.memory.offHeap.size" as 1g',
    'b.config("spark.memory.offHeap.enabled", "true").config("spark.memory.offHeap.size", "1g").getOrCreate()',
  );
});

test("a finding is silenced for its setting or its file by a comment that is read", () => {
  const silences = (surface: Surface, text: string, comment: "#" | "<!--"): readonly string[] =>
    help
      .fixes({ text, surface, version: "4.3", comment }, everywhere)
      .filter(({ isSilence }) => isSilence)
      .map(({ edits }) => applyEdits(text, edits));
  const conf = "spark.app.name x\nspark.executor.memory 256m\n";
  assert.deepEqual(silences("properties", conf, "#"), [
    "spark.app.name x\n# spark-k8s-next: R037=off\nspark.executor.memory 256m\n",
    `# spark-k8s: R037=off\n${conf}`,
  ]);
  const script = "#!/bin/sh\nspark-submit --executor-memory 256m a.py\n";
  assert.deepEqual(silences("command", script, "#"), [
    "#!/bin/sh\n# spark-k8s: R037=off\nspark-submit --executor-memory 256m a.py\n",
  ]);
  for (const text of [...silences("properties", conf, "#"), ...silences("command", script, "#")]) {
    const surface = text.startsWith("#!") ? "command" : "properties";
    assert.deepEqual(help.diagnose(text, surface, "4.3"), []);
  }
  const [prose = ""] = silences(
    "command",
    "Run `spark-submit --executor-memory 256m a.py`",
    "<!--",
  );
  assert.match(prose, /<!-- spark-k8s: R037=off -->/);
  assert.deepEqual(help.diagnose(prose, "command", "4.3"), []);
});

test("fix-all applies all certain fixes together", () => {
  const text =
    "spark.excutor.cores 2\nspark.executor.memory 4 g\nspark.app.name a\nspark.app.name b\nspark.sql.adaptive.enabled yes\nspark.blacklist.enabled true\n";
  const edits = help.fixAll({ text, surface: "properties", version: "4.3", comment: "#" });
  assert.equal(
    applyEdits(text, edits),
    "spark.executor.cores 2\nspark.executor.memory 4g\nspark.app.name b\nspark.sql.adaptive.enabled true\nspark.excludeOnFailure.enabled true\n",
  );
});

const keys = [
  ...[
    "spark.executor.memory",
    "spark.excutor.cores",
    "spark.driver.memory",
    "spark.executor.cores",
  ],
  ...["spark.memory.offHeap.enabled", "spark.blacklist.enabled", "spark.shuffle.service.enabled"],
  ...[
    "spark.dynamicAllocation.enabled",
    "spark.kubernetes.executor.label.a",
    "spark.network.timeout",
  ],
  ...[
    "spark.hadoop.fs.s3a.secret.key",
    "spark.kubernetes.driverEnv.PASSWORD",
    "spark.mesos.coarse",
  ],
];
const values = [
  "true",
  "yes",
  "2Gi",
  "1.5g",
  "4096",
  "256m",
  "x",
  "0",
  "2 min",
  "${X}",
  "secret-1",
  "",
];

const anySettings = fc.array(fc.tuple(fc.constantFrom(...keys), fc.constantFrom(...values)), {
  minLength: 1,
  maxLength: 6,
});

const writers: Readonly<
  Partial<Record<Surface, (all: readonly (readonly [string, string])[]) => string>>
> = {
  properties: (all) => all.map(([key, value]) => `${key} ${value}\n`).join(""),
  manifest: (all) =>
    manifest(
      all.map(([key, value], at) => `    ${key}${at === 0 ? "" : ""}: "${value}"\n`).join(""),
    ),
  command: (all) =>
    `spark-submit \\\n${all.map(([key, value]) => `  --conf "${key}=${value}" \\\n`).join("")}  a.py\n`,
  python: (all) =>
    `b = B()${all.map(([key, value]) => `.config("${key}", "${value}")`).join("")}\n`,
};

for (const [surface, write] of Object.entries(writers) as readonly (readonly [
  Surface,
  NonNullable<(typeof writers)[Surface]>,
])[]) {
  test(`a fix ends its finding and makes no new error (${surface})`, () => {
    fc.assert(
      fc.property(anySettings, fc.constantFrom("3.5" as const, "4.3" as const), (all, version) => {
        const text = write(all);
        const before = help.diagnose(text, surface, version);
        const errors = (found: typeof before): number =>
          found.filter(({ severity }) => severity === "error").length;
        for (const fix of help.fixes({ text, surface, version, comment: "#" }, everywhere)) {
          const after = help.diagnose(applyEdits(text, fix.edits), surface, version);
          const count = (found: typeof before): number =>
            found.filter(({ code }) => code === fix.code).length;
          assert.ok(count(after) < count(before), inEnglish(fix.title));
          assert.ok(errors(after) <= errors(before), inEnglish(fix.title));
        }
        const mended = applyEdits(text, help.fixAll({ text, surface, version, comment: "#" }));
        assert.ok(errors(help.diagnose(mended, surface, version)) <= errors(before));
      }),
      { numRuns: 150 },
    );
  });
}

test("removes a profile's overridden duplicate with its redundant comma", () => {
  const tasks = (conf: string): string =>
    `{ "tasks": [{ "type": "spark", "conf": {\n${conf}\n} }] }\n`;
  const [first, last] = ['  "spark.app.name": "a"', '  "spark.app.name": "b"'];
  checkFix("profiles", tasks(`${first},\n${last}`), 'Remove "spark.app.name"', tasks(last));
});

test("removes -Xmx alone from the Java options and sets the heap", () => {
  const options = "spark.executor.extraJavaOptions";
  checkFix(
    "properties",
    `${options} -Xmx4g -XX:+UseG1GC\n`,
    'Remove -Xmx4g and set "spark.executor.memory" to 4g',
    `${options} -XX:+UseG1GC\nspark.executor.memory 4g\n`,
  );
  checkFix(
    "properties",
    `${options} -XX:+UseG1GC -Xmx4g\nspark.executor.memory 2g\n`,
    "Remove -Xmx4g",
    `${options} -XX:+UseG1GC\nspark.executor.memory 2g\n`,
  );
  checkFix(
    "properties",
    "spark.driver.extraJavaOptions -Xmx2G\n",
    'Set "spark.driver.memory" to 2G instead',
    "spark.driver.memory 2G\n",
  );
});

test("swaps bounds in the wrong order", () => {
  const bounds = (min: number, max: number): string =>
    `spark.dynamicAllocation.enabled true\nspark.dynamicAllocation.minExecutors ${min}\nspark.dynamicAllocation.maxExecutors ${max}\n`;
  checkFix("properties", bounds(10, 5), "Swap the minimum and maximum", bounds(5, 10));
});

test("writes the nearest value for a misspelled switch or class", () => {
  checkFix(
    "properties",
    "spark.eventLog.enabled ture\n",
    'Write "true"',
    "spark.eventLog.enabled true\n",
  );
  const kryo = "org.apache.spark.serializer.KryoSerializer";
  for (const wrong of ["KyroSerializer", "org.apache.spark.serializer.KyroSerializer"])
    checkFix(
      "properties",
      `spark.serializer ${wrong}\n`,
      `Write "${kryo}"`,
      `spark.serializer ${kryo}\n`,
    );
});

test("renames an unknown field of a manifest", () => {
  const text = manifest("    spark.app.name: x\n").replace(
    "  driver: {",
    "  batchSchedulr: volcano\n  driver: {",
  );
  checkFix(
    "manifest",
    text,
    'Write "batchScheduler"',
    text.replace("batchSchedulr", "batchScheduler"),
  );
});
