import { inEnglish } from "../../../src/base/message.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { openConf } from "../../../src/editor/conf/door.ts";
import type { Surface } from "../../../src/spark/surfaces/surfaces.ts";

const help = openConf();

/** Returns the hover paragraph about the effective setting, at the `|` in the text. */
function counts(surface: Surface, text: string, files: Readonly<Record<string, string>> = {}) {
  const offset = text.indexOf("|");
  const given = new Map(Object.entries(files));
  const hover = help.hover(text.replace("|", ""), surface, offset, "4.3", given);
  return hover?.paragraphs
    .map((paragraph) => inEnglish(paragraph))
    .find((words) => /^(?:Overridden|Overrides)/.test(words));
}

test("a setting that lost says which one counts", () => {
  assert.equal(
    counts("properties", "spark.exec|utor.cores 1\n\nspark.executor.cores 2\n"),
    "Overridden: line 3 sets `2`.",
  );
  assert.equal(
    counts("properties", "spark.executor.cores 1\nspark.exec|utor.cores 2\n"),
    undefined,
  );
  assert.equal(
    counts(
      "command",
      "spark-submit --executor-cores 2 --conf spark.exec|utor.cores=1 --conf spark.a=1 a.py",
    ),
    "Overridden: line 1 sets `2` with `--executor-cores`.",
  );
});

test("a setting that wins over a properties file says so, and never a secret", () => {
  const command = "spark-submit --properties-file a.conf --conf spark.exec|utor.cores=1 a.py";
  assert.equal(
    counts("command", command, { "a.conf": "spark.executor.cores 4" }),
    "Overrides `4`, which is set elsewhere.",
  );
  const secret = "spark-submit --properties-file a.conf --conf spark.ssl.key|Password=b a.py";
  const words = counts("command", secret, { "a.conf": "spark.ssl.keyPassword hunter2" });
  assert.ok(words === undefined || !words.includes("hunter2"));
});

test("a value that is empty or still to be filled in is not repeated", () => {
  for (const value of ["", "{{ cores }}"]) {
    assert.equal(
      counts("properties", `spark.exec|utor.cores 1\nspark.executor.cores ${value}\n`),
      "Overridden: line 2 sets it.",
    );
  }
  const command = "spark-submit --properties-file a.conf --conf spark.exec|utor.cores=1 a.py";
  assert.equal(
    counts("command", command, { "a.conf": "spark.executor.cores {{ cores }}" }),
    "Overrides another value, which is set elsewhere.",
  );
  assert.equal(counts("command", command, { "a.conf": "spark.executor.cores 1" }), undefined);
});
