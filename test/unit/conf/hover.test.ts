import { inEnglish } from "../../../src/base/message.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { openConf } from "../../../src/editor/conf/door.ts";
import type { SparkVersion } from "../../../src/spark/conf/catalogue/sparkVersions.ts";

const help = openConf();

/** Checks the hover at the `|` in the text. Each expected line is a paragraph. */
function checkHover(text: string, version: SparkVersion, expected: string): void {
  const offset = text.indexOf("|");
  const hover = help.hover(text.replace("|", ""), "properties", offset, version);
  assert.equal(
    (hover?.paragraphs ?? []).map((paragraph) => inEnglish(paragraph)).join("\n"),
    expected.trim(),
  );
}

const heap =
  "Heap of an executor. The pod requests this plus overhead, off-heap and Python memory. A pod larger than a node stays pending.";

test("shows the type at a key, and the parsed value at a value", () => {
  checkHover(
    "spark.executor.mem|ory 2g",
    "4.3",
    `
**\`spark.executor.memory\`**
${heap}
Size in MiB, default: 1g, since 0.7.0.
\`2g\` is 2048 MiB.
[Documentation of Spark 4.3](https://spark.apache.org/docs/4.3.0/configuration.html)`,
  );
  checkHover(
    "spark.kubernetes.container.image.pullPolicy A|lways",
    "3.5",
    `
**\`spark.kubernetes.container.image.pullPolicy\`**
When a node pulls the image. Use \`Always\` for a tag that is overwritten, such as \`latest\`: with the other values, nodes keep their cached image. The values are case-sensitive.
Choice, default: IfNotPresent, since 2.3.0.
One of \`Always\`, \`IfNotPresent\`, \`Never\`.
[Documentation of Spark 3.5](https://spark.apache.org/docs/3.5.9/running-on-kubernetes.html#spark-properties)`,
  );
});

test("marks the key or the value that the pointer is on", () => {
  const text = "spark.executor.memory 2g # more";
  const marked = (offset: number): string | undefined => {
    const span = help.hover(text, "properties", offset, "4.3")?.span;
    return span && text.slice(span.start, span.end);
  };
  assert.equal(marked(0), "spark.executor.memory");
  assert.equal(marked(20), "spark.executor.memory");
  assert.equal(marked(21), undefined);
  assert.match(marked(22) ?? "", /^2g/);
});

test("shows the facts and a link for a rarely used key", () => {
  checkHover(
    "spark.sql.pivotMax|Values 10",
    "4.3",
    `
**\`spark.sql.pivotMaxValues\`**
Integer, default: 10000, since 1.6.0.
[Documentation of Spark 4.3](https://spark.apache.org/docs/4.3.0/configuration.html#spark-sql)`,
  );
});

test("does not compute a placeholder", () => {
  checkHover(
    "spark.executor.memory $|{MEM}",
    "4.3",
    `
**\`spark.executor.memory\`**
${heap}
Size in MiB, default: 1g, since 0.7.0.
[Documentation of Spark 4.3](https://spark.apache.org/docs/4.3.0/configuration.html)`,
  );
});

test("marks user-defined names, deprecated names and names of other versions", () => {
  checkHover(
    "spark.kubernetes.driver.label.te|am etl",
    "4.3",
    "**`spark.kubernetes.driver.label.team`**\nA label of the pod: its name follows the dot. Spark rejects names that it sets itself, such as `spark-role` and `spark-app-selector`.\nA key of the form `spark.kubernetes.driver.label.*`, with a name that you choose.",
  );
  checkHover(
    "spark.mesos.co|arse true",
    "4.0",
    "**`spark.mesos.coarse`**\nLast supported in Spark 3.5. This file is for Spark 4.0.",
  );
  checkHover("# spark.mesos.co|arse true", "4.0", "");
});

test("an unknown key names the key that was probably meant", () => {
  checkHover(
    "spark.excutor.co|res 2",
    "4.3",
    `
**\`spark.excutor.cores\`**
Unknown key in Spark 4.3. Did you mean \`spark.executor.cores\`? The quick fix renames it.`,
  );
  checkHover(
    "spark.kubernetes.quux.zap|pp 2",
    "4.3",
    "**`spark.kubernetes.quux.zappp`**\nUnknown key in Spark 4.3.",
  );
});
