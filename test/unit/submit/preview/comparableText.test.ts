import assert from "node:assert/strict";
import { test } from "node:test";
import { prepareSubmission } from "../../../../src/spark/submit/prepareSubmission.ts";
import { comparableText } from "../../../../src/spark/submit/preview/comparableText.ts";
import { conf, surroundingsOf, withOptions } from "../prepared.ts";

/** As if it were submitted at another time, when other ids are drawn. */
function textOf(
  options: readonly string[],
  start: number,
  secrets: readonly string[] = [],
): string {
  const surroundings = surroundingsOf({});
  let calls = start;
  const result = prepareSubmission(
    { kind: "tokens", sparkVersion: "4.3.0", tokens: withOptions(...options) },
    {
      ...surroundings,
      now: surroundings.now + start * 1000,
      randomBytes: (count) => new Uint8Array(count).fill(++calls),
    },
  );
  assert.ok(result.ok);
  return comparableText(result.value, secrets);
}

test("two submissions of the same are the same text, whenever they are made", () => {
  assert.equal(textOf([], 10), textOf([], 77));
});

test("what was changed is all that differs", () => {
  const before = textOf(conf("spark.a=1"), 10).split("\n");
  const now = textOf(conf("spark.a=2"), 77).split("\n");
  assert.equal(before.length, now.length);
  const changed = before.flatMap((line, index) => (line === now[index] ? [] : [line.trim()]));
  assert.deepEqual(changed, ['spark.a: "1"']);
});

test("what was typed as a password is in no text, even where nothing says that it is one", () => {
  const text = textOf(conf("spark.my.option=hunter2", "spark.other=ahunter2b"), 1, ["hunter2"]);
  assert.ok(text.includes("spark.my.option"));
  assert.ok(!text.includes("hunter2"));
});
