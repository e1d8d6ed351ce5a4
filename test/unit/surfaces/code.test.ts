import assert from "node:assert/strict";
import { test } from "node:test";
import { openConf } from "../../../src/editor/conf/door.ts";
import { checkSettings } from "./checkSettings.ts";

test("a builder's chain gives one document, in Python", () => {
  checkSettings(
    "python",
    `spark = (SparkSession.builder.appName("spark.app")  # .config("spark.not.this", "1")
    .config("spark.executor.memory", "4g")
    .config('spark.executor.instances', 4)
    .config("spark.sql.adaptive.enabled", True)
    .config("spark.executor.cores", cores)
    .config(key="spark.driver.memory", value="2g")
    .getOrCreate())
spark.conf.set("spark.sql.shuffle.partitions", "200")
print(spark.conf.get("spark.sql.shuffle.partitions"))`,
    `
spark.executor.memory = 4g
spark.executor.instances = 4
spark.sql.adaptive.enabled = true "True"
spark.executor.cores = \${} "cores"
spark.driver.memory = 2g
--
spark.sql.shuffle.partitions = 200`,
  );
});

test("a builder's chain over lines that end with a backslash gives one document", () => {
  checkSettings(
    "python",
    `spark = SparkSession.builder \\
    .config("spark.executor.memory", "4g") \\\r
    .config("spark.executor.cores", 2) \\
    .getOrCreate()`,
    `
spark.executor.memory = 4g
spark.executor.cores = 2`,
  );
});

test("strings are read as Python does", () => {
  checkSettings(
    "python",
    String.raw`conf.set("spark.a", "x" "y").set("spark.b", f"{n}g").set("spark.c", "4" + unit)
conf.set(r'spark.d', r'a\b').set("spark.e", "a\tb").set("""spark.f""", -1).set("spark.g", 1_000)
conf.set("spark.h", 0o17).set("spark.i").set("spark.j", "open`,
    `
spark.a = xy "x" "y"
spark.b = \${} "f"{n}g""
spark.c = \${} ""4" + unit"
--
spark.d = a\\b
spark.e = a\tb "a\\tb"
spark.f = -1
spark.g = 1000 "1_000"
--
spark.h = \${} "0o17"
spark.i = \${} ""
spark.j = open`,
  );
});

test("reads maps and lists only if the text before them names a conf", () => {
  checkSettings(
    "python",
    `operator = SparkSubmitOperator(
    task_id="a",
    conf={
        "spark.executor.memory": "4g",
        "spark.executor.cores": 2,
    },
)
descriptions = {"spark.executor.memory": "how much an executor may have"}
spark_conf: dict[str, str] = {"spark.driver.cores": "1"}
conf.setAll([("spark.a", "1"), ("spark.b", "2")])
builder.config(map={"spark.c": "3"})`,
    `
spark.executor.memory = 4g
spark.executor.cores = 2
--
spark.driver.cores = 1
--
spark.a = 1
spark.b = 2
--
spark.c = 3`,
  );
});

test("reads a map if a name before its bracket says conf, also on an earlier line of an open bracket", () => {
  checkSettings(
    "python",
    `arguments = {"conf":
    {"spark.a": "1"}}
settings["spark"] = {"spark.b": "2"}
spark
words = {"spark.c": "3"}
names = {"spark.d": "4"}`,
    `
spark.a = 1
--
spark.b = 2`,
  );
});

test("Scala gives settings in calls, maps and tuples", () => {
  checkSettings(
    "scala",
    `val conf = new SparkConf() // .set("spark.not", "1")
  .set("spark.executor.memory", "4g")
  .set("spark.executor.cores", s"$cores")
  .setIfMissing("spark.executor.instances", 4L.toString)
/* .set("spark.not", "1") */
val sparkConf = Map("spark.a" -> "1", "spark.b" -> """2""", "spark.c" -> f('x'))
def f(c: Char): 'a = "it's"
SparkSession.builder().config("spark.sql.ansi.enabled", true).getOrCreate()`,
    `
spark.executor.memory = 4g
spark.executor.cores = \${} "s"$cores""
spark.executor.instances = \${} "4L.toString"
--
spark.a = 1
spark.b = 2
spark.c = \${} "f('x')"
--
spark.sql.ansi.enabled = true`,
  );
});

test("Java gives settings in calls", () => {
  checkSettings(
    "java",
    `SparkConf conf = new SparkConf().set("spark.executor.memory", "4g").set("spark.executor.cores", "" + n);
new SparkLauncher().setConf("spark.driver.memory", "1g").addSparkArg("--conf", "spark.a=1");`,
    `
spark.executor.memory = 4g
spark.executor.cores = \${} """ + n"
--
spark.driver.memory = 1g`,
  );
});

test("a command line in a string is read, at its places", () => {
  checkSettings(
    "python",
    `os.environ["PYSPARK_SUBMIT_ARGS"] = "--conf spark.a=1 --driver-memory 2g pyspark-shell"
BashOperator(bash_command="""
  spark-submit --conf spark.b=\\"x y\\" \\
    --conf 'spark.c={{ params.c }}' job.py
""")`,
    `
spark.a = 1
spark.driver.memory "--driver-memory" = 2g
--
spark.b = x y
spark.c = {{ params.c }}`,
  );
});

test("a key is proposed where the quote or the bracket behind is still missing", () => {
  const help = openConf();
  const begun = [
    ["python", "    .config('spark.executor.memo"],
    ["scala", '  conf.set("spark.executor.memo'],
    ["java", 'new SparkLauncher().setConf("spark.executor.memo'],
  ] as const;
  const closed = ["", ")", '"', "'", ");", '")', "')", '"")'];
  const lines = begun.flatMap(([surface, line]) =>
    closed.map((behind) => [surface, line, behind] as const),
  );
  for (const [surface, line, behind] of lines) {
    const text = `${line}${behind}\nnext()\n`;
    const labels = help
      .complete(text, surface, line.length, "4.3")
      .map(({ label, replaces }) => `${label} ${text.slice(replaces.start, replaces.end)}`);
    assert.ok(labels.includes("spark.executor.memory spark.executor.memo"), `${surface} ${behind}`);
  }
});

test("a comment that opens behind the end of another one hides its text", () => {
  checkSettings(
    "scala",
    'val a = b /* x *//* " */\n  .set("spark.a", "1")\nval c = new SparkConf().set("spark.b", "2") /*/ " */\n  .set("spark.c", "3")',
    `
spark.a = 1
--
spark.b = 2
spark.c = 3`,
  );
});

test("a map counts as conf if a name up to twelve tokens before it says so", () => {
  const map = (before: string): string => `${before} {"spark.a": "1"}`;
  checkSettings("python", map("conf = (((((((((("), "spark.a = 1");
  checkSettings("python", map("conf = ((((((((((((("), "");
});
