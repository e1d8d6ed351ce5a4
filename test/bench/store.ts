// Measures the CPU time of an update of the pod store with delivery to two subscribers, and of the update of states,
// applications and the text of the affected rows. If SPARK_K8S_SHARED names a folder with the oracle, compares with
// Spark's own store and lifecycle manager.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { PodStore } from "../../src/engine/watch/podStore.ts";
import { systemClock } from "../../src/engine/systemClock.ts";
import { describePod, describeRow } from "../../src/spark/diagnosis/describe.ts";
import { diagnose } from "../../src/spark/diagnosis/diagnose.ts";
import type { Diagnosis } from "../../src/spark/diagnosis/diagnosis.ts";
import type { Application, SparkPod } from "../../src/spark/pods/application.ts";
import { emptyModel, updateApplications } from "../../src/spark/pods/applications.ts";
import { executorsApart } from "../../src/spark/pods/changedRows.ts";
import { displayState } from "../../src/spark/pods/displayState.ts";
import { firstOf } from "../../src/spark/pods/ordered.ts";
import type { PodRecord } from "../../src/spark/pods/podRecord.ts";
import { replacePods } from "../../src/spark/pods/podListing.ts";
import { applyPodEvents, changesBetween, emptySnapshot } from "../../src/spark/pods/podSnapshot.ts";
import { podFixture } from "../unit/pods/podFixture.ts";
import { isSmallest, Targets } from "./targets.ts";

const pods = isSmallest ? 500 : 10_000;
const runs = isSmallest ? 1 : 5;
// Warm-up before the first measured run, so that the JIT compiler has run.
const warmUpMs = isSmallest ? 0 : 3_000;
const now = Date.now();
const log = { debug: () => undefined, warn: () => undefined, error: console.error };

const podOf = (index: number, version: number): PodRecord =>
  podFixture({
    uid: `5f1c2a7e-0000-4000-8000-${String(index).padStart(12, "0")}`,
    name: `app-exec-${index}`,
    resourceVersion: String(version),
    labels: {
      "spark-app-selector": "spark-1",
      "spark-role": "executor",
      "spark-exec-id": String(index),
      "spark-version": "4.3.0",
    },
  });

const all = Array.from({ length: pods }, (_, index) => podOf(index, 1));
const changed = (count: number): PodRecord[] =>
  Array.from({ length: count }, (_, index) => podOf((index * 7919) % pods, index + 2));
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Applies the updates one by one, and returns the CPU milliseconds until both subscribers have received them. */
async function storeAlone(updates: readonly PodRecord[]): Promise<number> {
  const store = new PodStore({ clock: systemClock, log });
  store.replace(all, { resourceVersion: "1", mayLag: false });
  const seen = [0, 0];
  for (const which of [0, 1]) {
    const hear = ({ seq }: { readonly seq: number }): void => void (seen[which] = seq);
    store.subscribe(hear, { intervalMs: 1_000, ticks: true });
  }
  while (seen.some((seq) => seq < store.moment.seq)) await turn();
  const began = cpuMs();
  for (const pod of updates) store.apply([{ kind: "modified", pod }]);
  store.notify();
  while (seen.some((seq) => seq < store.moment.seq)) await turn();
  const took = cpuMs() - began;
  store.dispose();
  return took;
}

/** Updates states, applications and tree rows after each update, and returns the CPU milliseconds. */
function withReaders(updates: readonly PodRecord[]): Promise<number> {
  let { snapshot } = replacePods(emptySnapshot, all);
  let model = updateApplications(emptyModel, changesBetween(emptySnapshot, snapshot)).model;
  let drawn = firstOf(model.applications);
  let failed = 0;
  const began = cpuMs();
  for (const pod of updates) {
    const step = applyPodEvents(snapshot, [{ kind: "modified", pod }]);
    const changes = changesBetween(snapshot, step.snapshot);
    model = updateApplications(model, changes).model;
    for (const { after } of changes.modified)
      if (displayState(after).kind === "failed") failed += 1;
    ({ snapshot } = step);
    const application = firstOf(model.applications);
    if (application !== undefined && drawn !== undefined) drawRows(drawn, application);
    drawn = application;
  }
  if (failed > 0) throw new Error("no pod of this bench fails");
  return Promise.resolve(cpuMs() - began);
}

/** Computes the text of the rows that a change affects. */
function drawRows(before: Application, application: Application): void {
  const judge = ({ pod, state }: SparkPod): readonly Diagnosis[] =>
    diagnose({
      ...{ pod, state, role: "executor", isPython: undefined, events: [] },
      ...{ application, report: undefined, now },
    });
  const apart = executorsApart(before, application);
  if (apart === undefined) describeRow(application, undefined, judge, now);
  for (const one of apart ?? []) describePod(one.state, judge(one)[0]);
}

// CPU time, because other load on the machine does not affect it.
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function median(work: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (const began = performance.now(); performance.now() - began < warmUpMs;) await work();
  for (let run = 0; run < runs; run += 1) times.push(await work());
  return times.sort((a, b) => a - b)[runs >> 1] ?? NaN;
}

const tell = (what: string, ms: number, updates: number): void => {
  console.log(`${what.padEnd(46)} ${((ms / updates) * 1000).toFixed(2).padStart(9)} µs an update`);
};

const updates = changed(pods);
const targets = new Targets();
const alone = await median(() => storeAlone(updates));
tell(`ours, ${pods} pods, two subscribers`, alone, updates.length);
const read = await median(() => withReaders(updates));
tell("ours, states, applications, rows each time", read, updates.length);

const shared = process.env["SPARK_K8S_SHARED"];
if (shared === undefined) console.log("Spark's own: SPARK_K8S_SHARED names no folder");
else if (!isSmallest) compareWithSpark(join(shared, "spark-facts", "oracle", "stateoracle.sh"));
targets.end();

function compareWithSpark(oracle: string): void {
  for (const [what, ours, factor, ...parameters] of [
    ["store", alone, 1, "--bench", "10000", "10000", "5"],
    ["store with its readers", read, 20, "--bench-lifecycle", "10000", "2000", "3"],
  ] as const) {
    const { stdout, stderr } = spawnSync(oracle, ["4.3.0", ...parameters], { encoding: "utf8" });
    console.log(`Spark 4.3.0, ${what}: ${stdout.trim() || stderr.trim()}`);
    const spark = Number(/"usPerUpdate":([\d.]+)/.exec(stdout)?.[1]);
    const ratio = spark / ((ours / updates.length) * 1000);
    targets.atLeast(`${what}, faster than Spark's`, ratio, factor, "times");
  }
}
