import assert from "node:assert/strict";
import { test } from "node:test";
import type { EndFacts } from "../../../src/editor/submit/followApplication.ts";
import { recordRun } from "../../../src/editor/submit/recordRun.ts";
import type { RunRecord } from "../../../src/spark/history/runRecord.ts";
import { driverFixture } from "../pods/podFixture.ts";
import { base, planOf } from "../submit/prepared.ts";
import { strictLog } from "./sessionFixture.ts";

async function recordOf(
  definition: Parameters<typeof recordRun>[1]["definition"],
  times: EndFacts = {},
) {
  const records = new Map<string, RunRecord>();
  const { began, ended } = recordRun(
    { kind: "profile", name: "wiki-pi", folder: undefined },
    {
      history: {
        update: (id, change) => {
          const after = change(records.get(id));
          if (after !== undefined) records.set(id, after);
          return Promise.resolve();
        },
      },
      definition,
      commit: () => Promise.resolve(undefined),
      now: () => 7,
      error: strictLog.error,
    },
  );
  const driver = driverFixture();
  began({
    driver,
    plan: planOf([...base, "local:///a.py"]),
    context: "dev",
    conf: [["spark.a", "1"]],
  });
  ended("failed", 1, { cause: "out of memory", ...times });
  await new Promise(setImmediate);
  return records.get(driver.uid);
}

test("keeps a run of a pasted command, which cannot be repeated", async () => {
  const run = await recordOf(undefined);
  assert.deepEqual(
    [run?.name, run?.isSubmitted, run?.outcome, run?.cause, run?.definition, run?.args],
    ["wiki-pi", true, "failed", "out of memory", undefined, []],
  );
  assert.deepEqual(run?.conf, [["spark.a", "1"]]);
});

test("keeps a run of a definition without its label", async () => {
  const definition = {
    type: "spark-submit",
    label: "x 15:04:05",
    application: "a.py",
    args: ["1"],
  };
  const run = await recordOf(definition);
  assert.deepEqual(run?.definition, { type: "spark-submit", application: "a.py", args: ["1"] });
  assert.deepEqual([run.application, run.args, run.endedAt], ["a.py", ["1"], 7]);
});

test("has the times of the driver, so that its duration is that of the application's row", async () => {
  const run = await recordOf(undefined, { startedAt: 2_000, endedAt: 40_000 });
  assert.deepEqual([run?.startedAt, run?.endedAt], [2_000, 40_000]);
});
