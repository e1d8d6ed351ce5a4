import assert from "node:assert/strict";
import { test } from "node:test";
import {
  outlineSteps,
  type LogOutline,
  type LogSection,
} from "../../../src/spark/logs/logOutline.ts";

/** Returns the parts of the outline and the number of steps. */
function outline(lines: readonly string[], labels: readonly string[] = []) {
  const found: LogOutline[] = [];
  let steps = 0;
  const going = outlineSteps(lines, new Set(labels), (one) => found.push(one));
  while (going.next().done !== true) steps += 1;
  const [only] = found;
  assert.ok(only);
  return { ...only, steps };
}

const names = (sections: readonly LogSection[]): unknown[] =>
  sections.map(({ name, start, end, parts }) => [name, start, end, ...names(parts)]);

const log = `26/01/02 03:04:04 WARN Utils: at first
26/01/02 03:04:05 INFO DAGScheduler: Submitting ResultStage 0 (x), which has no missing parents
26/01/02 03:04:05 ERROR Executor: Exception in task 0.0
org.apache.spark.SparkException: two
lines
\tat com.acme.jobs.Orders.main(Orders.scala:42)
26/01/02 03:04:06 INFO DAGScheduler: Submitting ResultStage 1 (x)
Pi is roughly 3.14`.split("\n");

test("folds a log by stack traces, and outlines its stages and their errors", () => {
  const { folds, sections } = outline(log);
  assert.deepEqual(folds, [{ start: 2, end: 5 }]);
  assert.deepEqual(names(sections), [
    ["WARN Utils: at first", 0, 0],
    ["ResultStage 0", 1, 5, ["ERROR Executor: Exception in task 0.0", 2, 5]],
    ["ResultStage 1", 6, 7],
  ]);
  const kinds = sections.flatMap(({ kind, parts }) => [kind, ...parts.map((part) => part.kind)]);
  assert.deepEqual(kinds, ["warning", "stage", "error", "stage"]);
});

test("folds lines with source labels alike, and ends a trace at another source", () => {
  const labelled = log.map((line) => `driver: ${line}`);
  const other = "executor 1: \tat com.acme.jobs.Orders.main(Orders.scala:43)";
  const lines = labelled.toSpliced(6, 0, other, "executor 12: 'Project [*]");
  const { folds, sections } = outline(lines, ["driver", "executor 1"]);
  assert.deepEqual(folds, [{ start: 2, end: 5 }]);
  assert.equal(sections[0]?.name, "WARN Utils: at first");
  assert.deepEqual(outline(labelled).folds, []);
});

test("processes a long log in short steps, and limits the outline", () => {
  const lines = Array.from({ length: 50_000 }, (_, at) => `26/01/02 03:04:05 WARN A: ${at}`);
  const { sections, steps } = outline(lines);
  assert.equal(steps, 100);
  assert.equal(sections.length, 5_000);
});
