import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { openConf } from "../../../src/editor/conf/door.ts";
import type { Surface } from "../../../src/spark/surfaces/surfaces.ts";

const lines: Readonly<Record<Exclude<Surface, "profiles" | "java">, readonly string[]>> = {
  properties: [
    "spark.executor.memory 1Gi",
    "spark.executor.memory 2g",
    "spark.exeutor.cores = two",
    "x.y z",
    "# spark-k8s-next: all=off",
    "# comment \\",
    "spark.driver.memory \\",
    "  4 gigs",
    "",
    "spark.app.name \\u00",
  ],
  manifest: [
    "---",
    "apiVersion: sparkoperator.k8s.io/v1beta2",
    "kind: SparkApplication",
    "spec:",
    "  driver:",
    "    cores: x",
    "    memory: 512Mi",
    "  sparkConf:",
    '    "spark.executor.memory": "1Gi"',
    "    spark.exeutor.cores: '2'",
    "    spark.executor.cores: two # comment",
    "    spark.driver.memory: >-",
    "      4 gigs",
    "    <<: { spark.executor.cores: 0 }",
    "    # comment",
    "  arguments: [--conf, spark.executor.memory=x]",
  ],
  command: [
    "spark-submit \\",
    "  --conf spark.executor.memory=1Gi \\",
    '  --conf "spark.exeutor.cores=2" \\',
    "  --executor-memory 2gigs \\",
    "  --conf \\",
    "  spark.executor.cores=two \\",
    "  local:///app.jar",
    "# --conf spark.a=b",
    "",
    "spark-submit --conf spark.driver.memory=x a.py",
  ],
  python: [
    'conf.set("spark.executor.memory", "1Gi")',
    "spark = (SparkSession.builder",
    '    .config("spark.exeutor.cores", 2)',
    "    .getOrCreate())",
    "spark_conf = {",
    '    "spark.executor.cores": "two",',
    "}",
    '"""',
    "# comment",
    "frame.cache()",
    "b = ResourceProfileBuilder()",
    'run("spark-submit --conf spark.driver.memory=x a.py")',
  ],
  scala: [
    "object Job {",
    "  val conf = new SparkConf()",
    '    .set("spark.executor.memory", "1Gi")',
    '    .set("spark.exeutor.cores", "2") // comment',
    '  val sparkConf = Map("spark.executor.cores" -> "two")',
    "  /* comment",
    "  */ frame.cache()",
    "  val c = 'x'",
    '  val t = """',
    "}",
  ],
};

/** Texts that come from each other by putting lines in and taking lines away, as typing does. */
const changes = (
  pool: readonly string[],
  { fewest, most, head = "" }: { fewest: number; most: number; head?: string } = {
    fewest: 0,
    most: 200,
  },
): fc.Arbitrary<readonly string[]> =>
  fc
    .record({
      start: fc.array(fc.constantFrom(...pool), {
        minLength: fewest,
        maxLength: most,
        size: "max",
      }),
      edits: fc.array(
        fc.record({
          at: fc.nat(most),
          taken: fc.nat(3),
          put: fc.array(fc.constantFrom(...pool), { maxLength: 2 }),
        }),
        { maxLength: 6 },
      ),
    })
    .map(({ start, edits }) => {
      const now = [...start];
      const texts = [head + now.join("\n")];
      for (const { at, taken, put } of edits) {
        now.splice(Math.min(at, now.length), taken, ...put);
        texts.push(`${head}${now.join("\n")}\n`);
      }
      return texts;
    });

for (const [name, pool] of Object.entries(lines)) {
  const surface = name as Surface;
  test(`a changed text has the findings that it has when it is new (${surface})`, () => {
    const lasting = openConf();
    fc.assert(
      fc.property(changes(pool), (texts) => {
        for (const text of texts) {
          const fresh = openConf().diagnose(text, surface, "4.1");
          assert.deepEqual(lasting.diagnose(text, surface, "4.1"), fresh);
        }
      }),
      { numRuns: 60 },
    );
  });

  test(`gone through step by step, a text has the same findings (${surface})`, () => {
    fc.assert(
      fc.property(changes(pool), ([text = ""]) => {
        const help = openConf();
        assert.ok(Array.from(help.judgingSteps(text, surface, "4.1")).length >= 0);
        assert.deepEqual(
          help.diagnose(text, surface, "4.1"),
          openConf().diagnose(text, surface, "4.1"),
        );
      }),
      { numRuns: 30 },
    );
  });
}

const settings = [
  ["spark.executor.cores", "2"],
  ["spark.executor.cores", "two"],
  ["spark.dynamicAllocation.enabled", "true"],
  ["spark.shuffle.service.enabled", "true"],
  ["spark.kubernetes.container.image", "'spark:3.5.1'"],
  ["spark.kubernetes.driver.label.team", "data engineering"],
  ["spark.yarn.queue", "etl"],
  ["spark.exeutor.cores", "2"],
  ["spark.blacklist.enabled", "true"],
  ["spark.excludeOnFailure.enabled", "false"],
  ["spark.master", "k8s://https://host:443"],
  ["spark.yarn.executor.memoryOverhead", "1g"],
  ["spark.executor.memoryOverhead", "2g"],
  ["other.key", "x"],
  ...Array.from({ length: 40 }, (_, index) => [`spark.executorEnv.NAME_${index}`, "x"]),
  ...Array.from({ length: 40 }, (_, index) => [`spark.kubernetes.driver.label.l${index}`, "y"]),
] as const;
const application = "apiVersion: sparkoperator.k8s.io/v1beta2\nkind: SparkApplication\nspec:\n";

for (const [surface, pool, head] of [
  [
    "properties",
    [...settings.map((one) => one.join(" ")), "# comment", "", "# spark-k8s-next: all=off"],
    "",
  ],
  [
    "manifest",
    [
      ...settings.map((one) => `    ${one.join(": ")}`),
      "    # comment",
      "",
      "    spark.a: >-\n      b",
    ],
    `${application}  driver: { cores: 1 }\n  sparkConf:\n`,
  ],
  [
    "manifest",
    [
      "part:",
      "  image:",
      "    tag: x",
      "  sparkConf:",
      "    spark.executor.cores: two",
      "- a",
      "    x: &a b",
      "    y: *a",
      "  list:",
      "  - c: {{ d }}",
    ],
    "",
  ],
] as const) {
  test(`a long text that changes has the findings that it has when it is new (${surface}, ${pool.length})`, () => {
    const lasting = openConf();
    fc.assert(
      fc.property(changes(pool, { fewest: 300, most: 900, head }), (texts) => {
        for (const text of texts) {
          const fresh = openConf().diagnose(text, surface, "4.1");
          assert.deepEqual(lasting.diagnose(text, surface, "4.1"), fresh);
        }
      }),
      { numRuns: 10 },
    );
  });
}

test("of a text whose lines are all the same, each but the last is said not to count", () => {
  for (const surface of ["properties", "manifest"] as const) {
    const line =
      surface === "manifest" ? "    spark.executor.cores: 1\n" : "spark.executor.cores 1\n";
    const head = surface === "manifest" ? `${application}  sparkConf:\n` : "";
    const help = openConf();
    for (const lines of [2000, 2001, 1990]) {
      const found = help.diagnose(head + line.repeat(lines), surface, "4.3");
      const starts = found
        .filter(({ code }) => code === "R195-duplicate-key")
        .map(({ span }) => (span.start - head.length) % line.length);
      assert.equal(starts.length, lines - 1);
      assert.equal(new Set(starts).size, 1);
      assert.equal(new Set(found.map(({ related }) => related?.span.start)).size <= 2, true);
    }
  }
});

test("a statement behind a comment, or within one call, belongs to what it goes on with", () => {
  const found = openConf().diagnose(
    'val s = SparkSession.builder\n  // first\n\n  .config("spark.executor.cores", "1")\n' +
      '  .config("spark.executor.cores", "2")\n',
    "scala",
    "4.3",
  );
  assert.deepEqual(
    found.map(({ code }) => code),
    ["R195-duplicate-key"],
  );
});

test("a line that nobody writes is passed over, and those around it are judged", () => {
  const found = openConf().diagnose(
    `conf.set("spark.executor.cores", "x")\n${"{".repeat(100_000)}\nconf.set("spark.executor.memory", "y")\n`,
    "python",
    "4.3",
  );
  assert.equal(found.length, 2);
});

test("of a text that changes, no earlier one is kept whole", () => {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  assert.ok(typeof collect === "function");
  const heapAfter = (): number => {
    Reflect.apply(collect, undefined, []);
    return process.memoryUsage().heapUsed;
  };
  for (const [surface, line] of [
    ["properties", "spark.executorEnv.NAME"],
    ["manifest", "  spark.executorEnv.NAME: x #"],
    ["command", "--conf spark.executorEnv.NAME="],
    ["python", "conf.set('spark.executorEnv.NAME', 'x') #"],
  ] as const) {
    const text = Array.from({ length: 2_000 }, (_, index) => `${line}${index} x\n`).join("");
    const help = openConf();
    const type = (key: number): unknown =>
      help.diagnose(`sparkConf:\n${text}# ${key}\n`, surface, "4.3");
    for (let key = 0; key < 20; key += 1) type(key);
    const before = heapAfter();
    for (let key = 20; key < 220; key += 1) type(key);
    const kept = (heapAfter() - before) / text.length;
    assert.ok(kept < 60, `${surface}: as much as ${kept.toFixed(0)} of 200 texts is kept`);
  }
});
