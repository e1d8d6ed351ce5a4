import assert from "node:assert/strict";
import { test } from "node:test";
import {
  cleanStoredRuns,
  knownRun,
  lastRun,
  rememberRun,
  type LastRun,
} from "../../../src/editor/submit/knownRuns.ts";
import type { Application } from "../../../src/spark/pods/application.ts";
import { emptyModel, updateApplications } from "../../../src/spark/pods/applications.ts";
import { itemsIn } from "../../../src/spark/pods/ordered.ts";
import { driverFixture } from "../pods/podFixture.ts";
import { memoryMemento } from "./memoryMemento.ts";

const run: LastRun = { kind: "profile", name: "nightly" };

function applicationIn(scope: string, id = "spark-1"): Application {
  const labels = { "spark-app-selector": id, "spark-role": "driver" };
  const added = [driverFixture({ labels })];
  const { model } = updateApplications(
    { ...emptyModel, scope },
    { added, modified: [], removed: [] },
  );
  const [application] = itemsIn(model.applications);
  assert.ok(application);
  return application;
}

test("remembers submissions to additional clusters like those to the chosen one", async () => {
  const kept = memoryMemento();
  await rememberRun(kept, driverFixture(), run);
  assert.deepEqual(knownRun(kept, applicationIn("")), run);
  assert.deepEqual(knownRun(kept, applicationIn("staging|")), run);
  assert.equal(knownRun(kept, applicationIn("staging|", "spark-2")), undefined);
});

test("remembers the latest fifty submissions", async () => {
  const kept = memoryMemento();
  for (let at = 0; at < 51; at++) {
    const labels = { "spark-app-selector": `spark-${at}`, "spark-role": "driver" };
    await rememberRun(kept, driverFixture({ labels }), run);
  }
  assert.equal(knownRun(kept, { namespace: "jobs", id: "spark-0" }), undefined);
  assert.deepEqual(knownRun(kept, { namespace: "jobs", id: "spark-1" }), run);
});

test("ignores stored state of another shape", async () => {
  for (const value of [
    null,
    7,
    "x",
    [],
    { "jobs/spark-1": 7 },
    { "jobs/spark-1": { kind: "x" } },
  ]) {
    const kept = memoryMemento();
    await kept.update("submit.knownRuns", value);
    await kept.update("submit.lastRun", value);
    assert.equal(knownRun(kept, { namespace: "jobs", id: "spark-1" }), undefined);
    assert.equal(lastRun(kept), undefined);
    await cleanStoredRuns(kept);
  }
});
