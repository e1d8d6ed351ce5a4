import assert from "node:assert/strict";
import { test } from "node:test";
import { commandOptions } from "../../../../src/spark/submit/arguments/options.ts";
import { usageLines } from "../../../../src/spark/submit/arguments/usageText.ts";
import { verboseLines } from "../../../../src/spark/submit/arguments/verboseLines.ts";
import { versionTraits } from "../../../../src/spark/submit/conf/versionTraits.ts";
import { parseSubmission } from "../../../../src/spark/submit/plan/parsedSubmission.ts";
import { conf, submissionEnvironmentOf, withOptions } from "../prepared.ts";

const traits = versionTraits["4.3"];

test("prints the conf with origins and without secrets", () => {
  const tokens = withOptions(
    "--properties-file",
    "p.properties",
    ...conf("spark.my.password=hunter2", "spark.b=B"),
  );
  const place = submissionEnvironmentOf({
    files: { "/cwd/p.properties": "spark.a=A\nspark.my.token=hunter3\n" },
    environment: { SPARK_EXECUTOR_CORES: "3" },
  });
  const lines = verboseLines(
    parseSubmission({
      kind: "tokens",
      sparkVersion: "4.3.0",
      tokens: [...tokens, "--secret=hunter4"],
    }),
    undefined,
    place,
  );
  const text = lines.join("\n");
  assert.ok(!text.includes("hunter"), text);
  assert.ok(lines.includes("  main class: org.example.Main"));
  assert.ok(lines.includes("  spark.a = A  (/cwd/p.properties)"));
  assert.ok(lines.includes("  spark.b = B"));
  assert.ok(lines.includes("  spark.executor.cores = 3  (variable SPARK_EXECUTOR_CORES)"));
});

test("lists exactly the options of a version in the usage text", () => {
  const named = (lines: readonly string[]): readonly string[] =>
    lines.flatMap((line) => /^ {2}(--[\w-]+)/.exec(line)?.[1] ?? []);
  for (const each of Object.values(versionTraits)) {
    const known = commandOptions.filter(({ isKnownTo }) => isKnownTo?.(each) ?? true);
    const told = named(usageLines(each));
    assert.deepEqual(
      told.filter((name) => !known.some((option) => option.name === name)),
      [],
    );
    assert.ok(told.length > 25, told.join());
  }
  assert.ok(named(usageLines(traits)).includes("--extra-properties-file"));
  assert.ok(!named(usageLines(versionTraits["3.3"])).includes("--extra-properties-file"));
});
