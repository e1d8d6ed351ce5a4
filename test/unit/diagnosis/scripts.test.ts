// Plays scripts of watch events and checks the resulting tree rows.
import assert from "node:assert/strict";
import { test } from "node:test";
import { describeRow } from "../../../src/spark/diagnosis/describe.ts";
import { diagnose } from "../../../src/spark/diagnosis/diagnose.ts";
import { decodeAllocation, type DriverReport } from "../../../src/spark/diagnosis/driverReport.ts";
import { describeAllocation, executorFacts } from "../../../src/spark/diagnosis/executorFacts.ts";
import type { Application } from "../../../src/spark/pods/application.ts";
import { isInTrouble } from "../../../src/spark/pods/applicationFilter.ts";
import { emptyModel, updateApplications } from "../../../src/spark/pods/applications.ts";
import { itemsIn } from "../../../src/spark/pods/ordered.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import {
  applyPodEvents,
  changesBetween,
  emptySnapshot,
  type PodEvent,
} from "../../../src/spark/pods/podSnapshot.ts";
import { treeText } from "../../treeText.ts";
import { containerFixture, driverFixture, podFixture } from "../pods/podFixture.ts";
import { endedSo, now, diagnosedFixture, unscheduled } from "./diagnosedFixture.ts";
import { inEnglish } from "../../../src/base/message.ts";

/** Plays lines such as `added exec-1 Running`, `modified exec-1 Failed 137 OOMKilled` or `deleted driver`. */
function applicationAfter(script: string): Application | undefined {
  let snapshot = emptySnapshot;
  let model = emptyModel;
  script.split("\n").forEach((line, index) => {
    const event = eventOf(line, index + 1);
    const { snapshot: next } = applyPodEvents(snapshot, [event]);
    const touched = new Map([[event.pod.uid, event.pod]]);
    model = updateApplications(model, changesBetween(snapshot, next, touched)).model;
    snapshot = next;
  });
  return [...itemsIn(model.applications)][0];
}

function eventOf(line: string, version: number): PodEvent {
  const [kind = "", name = "", phase = "Running", code, reason, end] = line.split(" ");
  const mark = end === undefined ? {} : { "spark-k8s/requested-end": end };
  assert.ok(kind === "added" || kind === "modified" || kind === "deleted", line);
  const isDriver = name === "driver";
  const own = isDriver ? { name: "spark-kubernetes-driver", firstArgument: "driver" } : {};
  const containers =
    code === undefined || phase === "Pending"
      ? [containerFixture(own)]
      : [endedSo(Number(code), { ...(reason !== undefined && { reason }), container: own })];
  const fields: Partial<PodRecord> = {
    uid: `uid-${name}`,
    name: `pi-${name}`,
    resourceVersion: String(version),
    phase,
    containers,
  };
  if (isDriver) {
    const driver = driverFixture(fields);
    return { kind, pod: { ...driver, labels: { ...driver.labels, ...mark } } };
  }
  const id = /\d+/.exec(name)?.[0] ?? "";
  const labels = { ...podFixture().labels, ...mark, "spark-exec-id": id, "spark-app-name": "pi" };
  const base =
    phase === "Pending"
      ? unscheduled(`0/2 nodes are available: 2 ${tooLittle}.`)
      : podFixture(fields);
  return {
    kind,
    pod: { ...base, ...fields, containers: base.containers, labels, startTime: started },
  };
}

const tooLittle = "Insufficient memory";
const started = "2026-01-02T03:09:30Z";

function checkTree(
  sentence: string,
  script: string,
  expected: string,
  report?: DriverReport,
): void {
  test(sentence, () => {
    const application = applicationAfter(script);
    const text =
      application === undefined
        ? ""
        : treeText(
            application,
            report,
            ({ pod, state }) => diagnose(diagnosedFixture(pod, { state, application, report })),
            now,
          );
    assert.equal(text, expected);
  });
}

const reported = (registered: readonly string[], allocation: DriverReport["allocation"]) => ({
  readAt: now,
  registered: new Set(registered),
  removed: new Map<string, string>(),
  allocation,
});

checkTree(
  "a killed executor says why",
  "added driver Running\nadded exec-1 Running\nmodified exec-1 Failed 137 OOMKilled",
  `pi: running · 1 executor failed · out of memory, limit 1.4 GiB · no live executors
  driver: running
  executor 1: failed · out of memory, limit 1.4 GiB`,
);
const outOfMemory = (id: number): string =>
  `added exec-${id} Running\nmodified exec-${id} Failed 137 OOMKilled\ndeleted exec-${id} Failed 137 OOMKilled`;

checkTree(
  "of executors that failed and are deleted the application's row tells how many, and why the last one did",
  `added driver Running\nadded exec-9 Running\ndeleted exec-1 Failed 52\n${outOfMemory(2)}`,
  `pi: running · 2 executors failed · out of memory, limit 1.4 GiB · 1 executor
  driver: running
  executor 9: running`,
);
checkTree(
  "those that have failed and are still there count among the failed, once one is gone",
  `added driver Running\nadded exec-2 Failed 52\n${outOfMemory(1)}`,
  `pi: running · 2 executors failed · out of memory, limit 1.4 GiB · no live executors
  driver: running
  executor 2: failed · Java heap exhausted, exit code 52`,
);
checkTree(
  "does not count an executor that the user decommissioned or killed as failed",
  `added driver Running\nadded exec-9 Running\nadded exec-1 Running\nmodified exec-1 Failed 143 Error decommissioned
added exec-2 Running\nmodified exec-2 Failed 137 Error killed\ndeleted exec-2 Failed 137 Error killed`,
  `pi: running · 1 executor
  driver: running
  executor 9: running
  executor 1: decommissioned`,
);
checkTree(
  "counts an executor over its memory limit as failed, although the user killed it",
  "added driver Running\nadded exec-1 Running\nmodified exec-1 Failed 137 OOMKilled killed",
  `pi: running · 1 executor failed · out of memory, limit 1.4 GiB · no live executors
  driver: running
  executor 1: failed · out of memory, limit 1.4 GiB`,
);
checkTree(
  "shows a stopped driver as stopped, whatever its exit code",
  "added driver Running\nmodified driver Failed 1 Error stopped",
  `pi: stopped · no executors
  driver: stopped`,
);
checkTree(
  "what executors wait for now comes before what is past",
  `added driver Running\n${outOfMemory(1)}\nadded exec-2 Pending`,
  `pi: running · no node has 5.4 GiB free · no executors (1 pending)
  driver: running
  executor 2: pending · no node has 5.4 GiB free`,
);
checkTree(
  "an application that ended well says nothing of executors that it could do without",
  `added driver Running\n${outOfMemory(1)}\nmodified driver Succeeded 0`,
  `pi: succeeded · no executors
  driver: succeeded`,
);
checkTree(
  "executors that fail once their driver is gone are no further fact",
  `added driver Running\nadded exec-2 Running\n${outOfMemory(1)}\ndeleted driver Running`,
  `pi: no driver pod · 1 executor
  executor 2: running · its driver has ended`,
);
checkTree(
  "an end that no diagnosis knows is told as it was",
  "added driver Running\nadded exec-1 Running\ndeleted exec-1 Failed 42",
  `pi: running · 1 executor failed · exit code 42 · no executors
  driver: running`,
);

test("the last failure includes its details and the driver's removal message", () => {
  const application = applicationAfter(
    `added driver Running\nadded exec-9 Running\n${outOfMemory(7)}`,
  );
  assert.ok(application);
  const removed = new Map([["7", "The executor with id 7 exited with exit code 137."]]);
  const report = { ...reported(["9"], undefined), removed };
  const { fact } = describeRow(
    application,
    report,
    ({ pod, state }) => diagnose(diagnosedFixture(pod, { state, application, report })),
    now,
  );
  assert.match(
    inEnglish(fact?.what) ?? "",
    /^Executor 7 failed last\. Its pod was deleted\. The container exceeded/,
  );
  assert.deepEqual(fact?.keys[0], "spark.executor.memoryOverhead");
  assert.equal(fact.told, removed.get("7"));
  assert.ok(!isInTrouble(application), "it runs, and what failed was replaced");
});

checkTree(
  "what most executors wait for stands in the application's row, too",
  "added driver Running\nadded exec-1 Running\nadded exec-2 Pending\nadded exec-3 Pending",
  `pi: running · no node has 5.4 GiB free · 1 executor (2 pending)
  driver: running
  executor 1: running
  executor 2: pending · no node has 5.4 GiB free
  executor 3: pending · no node has 5.4 GiB free`,
);
checkTree(
  "a driver that gave up says so, and what outlives it, too",
  "added driver Running\nadded exec-1 Running\nmodified driver Failed 11",
  `pi: failed · too many executors failed, exit code 11 · 1 executor
  driver: failed · too many executors failed, exit code 11
  executor 1: running · its driver has ended`,
);
checkTree(
  "executors whose driver was deleted are without one",
  "added driver Running\nadded exec-1 Running\ndeleted driver Running",
  `pi: no driver pod · 1 executor
  executor 1: running · its driver has ended`,
);
checkTree(
  "executors whose driver was never seen have one elsewhere",
  "added exec-1 Running",
  `pi: running, driver in pod pi-0123456789abcdef-driver · 1 executor
  executor 1: running`,
);
checkTree(
  "an application goes with its last pod",
  "added driver Running\nadded exec-1 Running\ndeleted exec-1 Succeeded 0\ndeleted driver Succeeded 0",
  "",
);
checkTree(
  "a running pod is not yet an executor that has registered",
  "added driver Running\nadded exec-1 Running\nadded exec-2 Running",
  `pi: running · 1 of 4 executors
  driver: running
  executor 1: running
  executor 2: running`,
  reported(["1"], { kind: "fixed", instances: 4 }),
);

test("counts a new executor before the driver registers it, so that the count does not flicker", () => {
  const application = applicationAfter(
    "added driver Running\nadded exec-1 Running\nadded exec-2 Running",
  );
  assert.ok(application);
  const allocation = { kind: "fixed", instances: 2 } as const;
  const at = Date.parse(started) + 5_000;
  const line = (registered: readonly string[], readAt: number): string | undefined =>
    inEnglish(
      executorFacts(application, { ...reported(registered, allocation), readAt }, now).line,
    );
  assert.equal(inEnglish(executorFacts(application, undefined, now).line), "2 executors");
  assert.equal(line([], at), "2 of 2 executors");
  assert.equal(line(["1", "2"], at + 5_000), "2 of 2 executors");
  assert.equal(line(["1"], at + 30_000), "1 of 2 executors");
  const facts = executorFacts(application, reported(["1"], allocation), now + 12_000);
  assert.equal(inEnglish(facts.registered), "1 registered (12 s ago), 2 pods running");
});

test("counts no executors after the driver has ended, regardless of its last report", () => {
  const ended = "modified exec-1 Succeeded 0\nmodified driver Succeeded 0";
  const application = applicationAfter(`added driver Running\nadded exec-1 Running\n${ended}`);
  assert.ok(application);
  const report = reported(["1"], { kind: "fixed", instances: 1 });
  assert.equal(inEnglish(executorFacts(application, report, now).line), "no live executors");
  assert.equal(inEnglish(executorFacts(application, undefined, now).line), "no live executors");
});

const grown = "added driver Running\nadded exec-1 Running\nadded exec-2 Running";

test("prefers the driver's report for dynamic allocation, and infers it otherwise", () => {
  const told = (script: string, allocation?: DriverReport["allocation"]) => {
    const application = applicationAfter(script);
    assert.ok(application);
    return describeAllocation(
      application,
      allocation && reported(["1"], allocation),
      now + 900_000,
    );
  };
  const dynamic = (target: number) => ({ kind: "dynamic", min: 0, max: Infinity, target }) as const;
  assert.equal(inEnglish(told(grown, dynamic(5))), "growing from 2 to 5");
  assert.match(
    inEnglish(told(grown, dynamic(1))) ?? "",
    /^shrinking from 2 to 1 as executors become idle and hold no needed data$/,
  );
  assert.equal(inEnglish(told(grown, dynamic(2))), "steady at 2");
  assert.equal(inEnglish(told(grown, { kind: "fixed", instances: 2 })), undefined);
  assert.equal(inEnglish(told(grown)), undefined);
  assert.equal(
    inEnglish(told(`${grown}\nmodified exec-2 Succeeded 0\ndeleted exec-2 Succeeded 0`)),
    "shrinking: executors ended and were not replaced (inferred)",
  );
});

test("names the driver's start condition, and shows in the row while tasks wait for it", () => {
  const application = applicationAfter("added driver Running\nadded exec-1 Running");
  assert.ok(application);
  const environment = (...sparkProperties: readonly (readonly [string, string])[]) =>
    decodeAllocation({ sparkProperties });
  const factsAt = (seconds: number, ...properties: readonly (readonly [string, string])[]) => {
    const { driver } = application;
    assert.ok(driver);
    const pod = { ...driver.pod, startTime: "2026-01-02T03:10:00Z" };
    return executorFacts(
      { ...application, driver: { ...driver, pod } },
      { ...reported(["1"], environment(...properties)), excluded: new Set(["1"]) },
      now + seconds * 1000,
    );
  };
  const five = ["spark.executor.instances", "5"] as const;
  const early = factsAt(29, five);
  assert.equal(inEnglish(early.line), "1 of 5 executors, tasks wait for 4");
  assert.equal(
    inEnglish(early.registered),
    "1 registered (29 s ago), 1 excluded, 1 pod running, tasks start when 4 are registered (80 %) or after 30 s",
  );
  assert.equal(inEnglish(factsAt(31, five).line), "1 of 5 executors");
  const wait = ["spark.scheduler.maxRegisteredResourcesWaitingTime", "2min"] as const;
  assert.equal(inEnglish(factsAt(119, five, wait).line), "1 of 5 executors, tasks wait for 4");
  const ratio = ["spark.scheduler.minRegisteredResourcesRatio", "0.2"] as const;
  assert.equal(inEnglish(factsAt(1, five, ratio).line), "1 of 5 executors");
  const dynamic = [
    ["spark.dynamicAllocation.enabled", "true"],
    ["spark.dynamicAllocation.initialExecutors", "3"],
    ["spark.dynamicAllocation.minExecutors", "1"],
  ] as const;
  assert.equal(inEnglish(factsAt(1, ...dynamic).line), "1 of 1 executor, tasks wait for 3");
});

test("the wanted number of executors includes its source", () => {
  const application = applicationAfter(`${grown}\ndeleted exec-2 Failed 1`);
  assert.ok(application);
  const wanted = (allocation?: DriverReport["allocation"]) =>
    executorFacts(application, allocation && reported([], allocation), now).wanted;
  assert.equal(inEnglish(wanted()), "at least 1, 2 so far (inferred from executor ids)");
  assert.equal(inEnglish(wanted({ kind: "fixed", instances: 3 })), "3 (from conf)");
  assert.equal(
    inEnglish(wanted({ kind: "dynamic", min: 1, max: 9, target: 4 })),
    "4 (dynamic allocation, 1 to 9)",
  );
  assert.equal(
    inEnglish(executorFacts(application, undefined, now).gone),
    "1 failed (since the extension connected)",
  );
});

test("with executor sets, the wanted number is the number of pods, not the conf value", () => {
  const application = applicationAfter(grown);
  assert.ok(application);
  const scaled = { ...application, past: { ...application.past, setProfiles: ["0"] } };
  const report = reported(["1"], { kind: "fixed", instances: 1 });
  const { line, wanted } = executorFacts(scaled, report, now);
  assert.equal(inEnglish(line), "1 of 2 executors");
  assert.equal(inEnglish(wanted), "2 (from StatefulSet or Deployment), 1 (from conf)");
  assert.equal(inEnglish(executorFacts(application, report, now).line), "1 of 1 executor");
});
