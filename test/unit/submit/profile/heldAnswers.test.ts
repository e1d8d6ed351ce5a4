import assert from "node:assert/strict";
import { test } from "node:test";
import { takeOutAnswers } from "../../../../src/spark/submit/profile/heldAnswers.ts";
import {
  putBackSecrets,
  takeOutSecrets,
} from "../../../../src/spark/submit/profile/heldSecrets.ts";

const definition = {
  type: "spark",
  args: ["--date", "${input:date}", "--other", "${input:other}"],
  conf: { "spark.hadoop.password": "s3cret", "spark.app.name": "orders ${input:date}" },
};

const held = takeOutAnswers(takeOutSecrets(definition), new Map([["${input:date}", "2026-11-24"]]));

test("an answered variable is filled in by the run, and the answer is not in the definition", () => {
  assert.ok(!JSON.stringify(held.value).includes("2026-11-24"));
  assert.ok(!JSON.stringify(held.value).includes("${input:date}"));
  assert.deepEqual(putBackSecrets(held.value, held.filled), {
    type: "spark",
    args: ["--date", "2026-11-24", "--other", "${input:other}"],
    conf: { "spark.hadoop.password": "s3cret", "spark.app.name": "orders 2026-11-24" },
  });
});

test("the written definition keeps its variables", () => {
  assert.deepEqual(putBackSecrets(held.value, held.written), definition);
});

test("a definition without answers is that without secrets", () => {
  const without = takeOutSecrets(definition);
  assert.deepEqual(takeOutAnswers(without, new Map()), {
    value: without.value,
    filled: without.secrets,
    written: without.secrets,
  });
});
