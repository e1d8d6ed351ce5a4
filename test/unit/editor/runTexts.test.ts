import assert from "node:assert/strict";
import { test } from "node:test";
import { runText } from "../../../src/editor/runs/runText.ts";
import { runRowWords } from "../../../src/editor/runs/runWords.ts";
import { emptyTimeline, putStages } from "../../../src/spark/timeline/timeline.ts";
import type { ListedRun } from "../../../src/spark/history/runRecord.ts";
import { runFixture as storedRun } from "../history/runFixture.ts";
import { spanFixture } from "../timeline/timelineFixture.ts";
import { inText } from "./screenFixture.ts";

const runFixture = (given?: Parameters<typeof storedRun>[0]): ListedRun => ({
  ...storedRun(given),
  isWatched: false,
});
const now = Date.parse("2026-11-25T10:00:00Z");

test("the row of a failed run has the cause in place of the exit code", () => {
  const failed = { outcome: "failed", exitCode: 1 } as const;
  assert.match(
    runRowWords(runFixture({ ...failed, cause: "out of memory" }), now, inText),
    /^out of memory · /,
  );
  assert.match(
    runRowWords(runFixture({ ...failed, cause: undefined }), now, inText),
    /^exit code 1 · /,
  );
});

test("the row of a stopped run has the cause after its outcome", () => {
  const stopped = runFixture({ outcome: "stopped", cause: "no node has 5.4 GiB free" });
  assert.match(
    runRowWords(stopped, now, inText),
    /^stopped · no node has 5\.4 GiB free · 4 min 0 s · /,
  );
  assert.doesNotMatch(runRowWords(stopped, now, inText), /ago/);
});

test("the row of a run in progress has its problem in place of the state", () => {
  const open = { outcome: "detached", endedAt: undefined } as const;
  const words = (cause: string | undefined): string =>
    runRowWords({ ...runFixture({ ...open, cause }), isWatched: true }, now, inText);
  assert.match(words("never fits 23.3 GiB nodes"), /^never fits 23\.3 GiB nodes · /);
  assert.match(words(undefined), /^running · /);
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
  for (const [endedAt, end] of [
    [undefined, "not ended · 1 of 2 tasks"],
    [runFixture().startedAt, "end not seen · 1 of 2 tasks when last seen"],
  ] as const) {
    const text = runText({ ...runFixture(), endedAt }, timeline, { translated: inText });
    const stages = ["count · 1 s · 2 of 2 tasks", "sum · skipped", `show · ${end}`];
    assert.ok(text.includes(`\n  ${stages.join("\n  ")}\n`), text);
  }
});
