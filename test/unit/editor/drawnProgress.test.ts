import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inEnglish } from "../../../src/base/message.ts";
import { DrawnProgress } from "../../../src/editor/apps/drawnProgress.ts";
import { describeProgress } from "../../../src/spark/progress/describeProgress.ts";
import {
  noProgress,
  stageKeyOf,
  type ApplicationProgress,
  type StageProgress,
} from "../../../src/spark/progress/progress.ts";

const stage: StageProgress = {
  ...{ stageId: 3, attemptId: 0, name: "count", description: undefined },
  ...{ tasks: 100, done: 17, active: 2, failed: 0, killed: 0 },
} as StageProgress;

const withMinutesLeft = (minutes: number): ApplicationProgress => ({
  ...noProgress,
  stages: [stage],
  left: new Map([[stageKeyOf(stage), minutes * 60_000]]),
});

describe("progress of an application", () => {
  test("has the same time left in the row of the application and below it", () => {
    let progress = withMinutesLeft(24);
    const drawn = new DrawnProgress(() => progress);
    const below = (): string => {
      const shown = drawn.progressOf("a") ?? assert.fail("no progress");
      return inEnglish(describeProgress(shown));
    };
    assert.equal(inEnglish(drawn.drawText("a")), "17 % of stage 3 · 24 min left");
    progress = withMinutesLeft(22);
    assert.equal(below(), "stage 3 · 17 of 100 tasks · 24 min left");
    assert.equal(inEnglish(drawn.drawText("a")), "17 % of stage 3 · 22 min left");
    assert.equal(below(), "stage 3 · 17 of 100 tasks · 22 min left");
  });

  test("is that of the driver while the application has no row", () => {
    const drawn = new DrawnProgress(() => withMinutesLeft(22));
    assert.equal(drawn.progressOf("a")?.left.get(stageKeyOf(stage)), 22 * 60_000);
  });

  test("is drawn once in the row of a collapsed application when its work appears or ends", () => {
    let progress: ApplicationProgress | undefined;
    const drawn = new DrawnProgress(() => progress);
    drawn.drawText("a");
    assert.equal(drawn.isApplicationDue("a", 0), false);
    progress = noProgress;
    assert.equal(drawn.isApplicationDue("a", 1_000), true);
    assert.equal(drawn.isApplicationDue("a", 2_000), false);
    progress = undefined;
    assert.equal(drawn.isApplicationDue("a", 3_000), true);
    assert.equal(drawn.isApplicationDue("a", 4_000), false);
  });
});
