import assert from "node:assert/strict";
import { test } from "node:test";
import { openConf } from "../../../src/editor/conf/door.ts";
import type { SparkVersion } from "../../../src/spark/conf/sparkVersions.ts";

const help = openConf();

/** What is said about the place where the bar stands, a line a paragraph. */
function checkHover(text: string, version: SparkVersion, expected: string): void {
  const offset = text.indexOf("|");
  const hover = help.hover(text.replace("|", ""), "properties", offset, version);
  assert.equal((hover?.paragraphs ?? []).join("\n"), expected.trim());
}

test("a key says what it takes, and a value what Spark makes of it", () => {
  checkHover(
    "spark.executor.mem|ory 2g",
    "4.3",
    `
**\`spark.executor.memory\`**
Size in MiB, default: 1g, since 0.7.0.
\`2g\` is 2048 MiB.`,
  );
  checkHover(
    "spark.kubernetes.container.image.pullPolicy A|lways",
    "3.5",
    `
**\`spark.kubernetes.container.image.pullPolicy\`**
Choice, default: IfNotPresent, since 2.3.0.
One of \`Always\`, \`IfNotPresent\`, \`Never\`.`,
  );
});

test("what is yet to be filled in is not worked out", () => {
  checkHover(
    "spark.executor.memory $|{MEM}",
    "4.3",
    "**`spark.executor.memory`**\nSize in MiB, default: 1g, since 0.7.0.",
  );
});

test("names of one's own, old names and those of other versions are told as such", () => {
  checkHover(
    "spark.kubernetes.driver.label.te|am etl",
    "4.3",
    "**`spark.kubernetes.driver.label.team`**\nOne of the keys `spark.kubernetes.driver.label.*`, with a name of your own in it.",
  );
  checkHover(
    "spark.mesos.co|arse true",
    "4.0",
    "**`spark.mesos.coarse`**\nSpark 3.5 was the last to read it; this is for Spark 4.0.",
  );
  checkHover("# spark.mesos.co|arse true", "4.0", "");
});
