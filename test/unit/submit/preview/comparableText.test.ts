import { inEnglish } from "../../../../src/base/message.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseSubmission } from "../../../../src/spark/submit/plan/parsedSubmission.ts";
import { prepareSubmission } from "../../../../src/spark/submit/plan/prepareSubmission.ts";
import { comparableText } from "../../../../src/spark/submit/preview/comparableText.ts";
import { conf, submissionEnvironmentOf, withOptions } from "../prepared.ts";

/** Returns the text of a submission at the time `start`, with other random ids. */
function textOf(
  options: readonly string[],
  start: number,
  secrets: readonly string[] = [],
): string {
  const submissionEnvironment = submissionEnvironmentOf({});
  let calls = start;
  const result = prepareSubmission(
    parseSubmission({ kind: "tokens", sparkVersion: "4.3.0", tokens: withOptions(...options) }),
    {
      ...submissionEnvironment,
      now: submissionEnvironment.now + start * 1000,
      randomBytes: (count) => new Uint8Array(count).fill(++calls),
    },
  );
  assert.ok(result.ok);
  return comparableText(result.value, secrets, inEnglish);
}

test("gives equal texts for equal submissions at different times", () => {
  assert.equal(textOf([], 10), textOf([], 77));
});

test("differs only where the submissions differ", () => {
  const before = textOf(conf("spark.a=1"), 10).split("\n");
  const now = textOf(conf("spark.a=2"), 77).split("\n");
  assert.equal(before.length, now.length);
  const changed = before.flatMap((line, index) => (line === now[index] ? [] : [line.trim()]));
  assert.deepEqual(changed, ['spark.a: "1"']);
});

test("redacts known secrets in any value", () => {
  const text = textOf(conf("spark.my.option=hunter2", "spark.other=ahunter2b"), 1, ["hunter2"]);
  assert.ok(text.includes("spark.my.option"));
  assert.ok(!text.includes("hunter2"));
});

test("redacts secrets with escaped characters", () => {
  for (const secret of ["hun:ter=2", ': hun"ter\\2', `: hun"ter'2`]) {
    const text = textOf(conf(`spark.my.option=${secret}`), 1, [secret]);
    assert.ok(text.includes("spark.my.option"));
    assert.doesNotMatch(text, /hun.{0,4}ter.{0,4}2/, secret);
  }
});
