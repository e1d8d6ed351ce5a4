import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { printCommandLine } from "../../../src/spark/operator/printLine.ts";
import { fillPasted } from "../../../src/spark/submit/pasted/fillPasted.ts";
import { parsePastedCommand } from "../../../src/spark/submit/pasted/parsePastedCommand.ts";
import { lineTokens } from "./arbitraryForms.ts";

test("prints one option per line and quotes special characters", () => {
  const tokens = [
    "--class",
    "A",
    "--verbose",
    "--conf",
    "spark.a=b c",
    "local:///a.jar",
    "it's",
    "$x",
  ];
  assert.equal(
    printCommandLine(tokens),
    `spark-submit \\
  --class A \\
  --verbose \\
  --conf 'spark.a=b c' \\
  local:///a.jar 'it'\\''s' '$x'
`,
  );
});

test("reads back what it prints", () => {
  const text = fc.string().filter((word) => !/[\0-\x1f\u0085\u2028\u2029]/.test(word));
  const any = fc.oneof(
    lineTokens,
    fc
      .constantFrom("<A>", "a<b>c", "<'x'>", "<<a>>", "<a", "<>")
      .map((word) => ["--conf", "spark.a=1", word]),
    fc.array(text, { maxLength: 4 }).map((words) => ["--conf", "spark.a=1", "a.jar", ...words]),
  );
  fc.assert(
    fc.property(any, (tokens) => {
      const command = parsePastedCommand(printCommandLine(tokens));
      assert.deepEqual(fillPasted(command, new Map()).tokens, tokens);
    }),
  );
});
