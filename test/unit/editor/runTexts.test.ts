import assert from "node:assert/strict";
import { inEnglish } from "../../../src/base/message.ts";
import { test } from "node:test";
import { emptyTimeline, putStages } from "../../../src/spark/timeline/timeline.ts";
import { runFixture } from "../history/runFixture.ts";
import { spanFixture } from "../timeline/timelineFixture.ts";
import { replaceVscode } from "./ui/replaceVscode.ts";

replaceVscode();
const { repeatRun } = await import("../../../src/editor/runs/runCommands.ts");
const { runText } = await import("../../../src/editor/runs/runText.ts");
const { runRowWords } = await import("../../../src/editor/runs/runWords.ts");

const now = Date.parse("2026-11-25T10:00:00Z");

test("the row of a failed run has the cause in place of the exit code", () => {
  const failed = { outcome: "failed", exitCode: 1 } as const;
  assert.match(
    runRowWords(runFixture({ ...failed, cause: "out of memory" }), now, inEnglish),
    /^out of memory · /,
  );
  assert.match(
    runRowWords(runFixture({ ...failed, cause: undefined }), now, inEnglish),
    /^exit code 1 · /,
  );
  const stopped = runFixture({ outcome: "stopped", cause: "exit code 143" });
  assert.match(runRowWords(stopped, now, inEnglish), /^stopped · 4 min · /);
  assert.doesNotMatch(runRowWords(stopped, now, inEnglish), /ago/);
});

test("a skipped stage is not said to be unfinished", () => {
  const timeline = putStages(emptyTimeline, [
    spanFixture({ stageId: 0, name: "count" }),
    spanFixture({
      stageId: 1,
      name: "sum",
      status: "SKIPPED",
      submittedAt: undefined,
      endedAt: undefined,
    }),
    spanFixture({ stageId: 2, name: "show", status: "ACTIVE", endedAt: undefined, done: 1 }),
  ]);
  const text = runText(runFixture(), timeline, now);
  assert.match(
    text,
    /\n {2}count · 1 s · 2 of 2 tasks\n {2}sum · skipped\n {2}show · not ended · 1 of 2 tasks\n/,
  );
});

test("a run that is run again keeps its name, by which runs are compared", async () => {
  const run = runFixture({ name: "orders on dev", git: undefined });
  const submitted: unknown[] = [];
  await repeatRun(
    {
      history: { list: () => Promise.resolve([run]) } as never,
      documents: undefined as never,
      now: () => now,
      submit: (...values) => {
        submitted.push(values);
        return Promise.resolve();
      },
    },
    [{ kind: "run", id: run.id }],
  );
  assert.deepEqual(submitted, [
    [{ type: "spark", application: "jobs/orders.py" }, "orders on dev"],
  ]);
});
