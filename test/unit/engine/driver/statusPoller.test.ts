import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { err, ok } from "../../../../src/base/result.ts";
import { StatusPoller } from "../../../../src/engine/driver/statusPoller.ts";
import type { ClusterError } from "../../../../src/engine/clusterError.ts";
import type { Connection } from "../../../../src/engine/ports/connection.ts";
import type { AllocationConf } from "../../../../src/spark/diagnosis/driverReport.ts";
import type { Application } from "../../../../src/spark/pods/application.ts";
import { buildApplications } from "../../../../src/spark/pods/applications.ts";
import { firstOf } from "../../../../src/spark/pods/ordered.ts";
import { replacePods } from "../../../../src/spark/pods/podListing.ts";
import type { PodRecord } from "../../../../src/spark/pods/podRecord.ts";
import { emptySnapshot } from "../../../../src/spark/pods/podSnapshot.ts";
import { noted, starting } from "../../diagnosis/diagnosedFixture.ts";
import { driverFixture, endedFixture, executorFixture, podFixture } from "../../pods/podFixture.ts";
import { VirtualClock } from "../virtualClock.ts";

const broken: ClusterError = { kind: "badResponse", status: 503, detail: "no endpoints" };
const forbidden: ClusterError = {
  kind: "forbidden",
  verb: "get",
  resource: "pods/proxy",
  namespace: "jobs",
  detail: "no",
};

function applicationOf(...pods: readonly PodRecord[]): Application {
  const only = firstOf(buildApplications(replacePods(emptySnapshot, pods).snapshot).applications);
  assert.ok(only);
  return only;
}

const nothingElse = {
  removed: new Map<string, string>(),
  activeTasks: new Map<string, number>(),
};

interface Answers {
  readonly may?: boolean;
  readonly registered?: readonly string[];
  readonly error?: ClusterError;
  readonly allocation?: AllocationConf | "none";
  /** Returns the response time of a driver in milliseconds, by the number of earlier requests. */
  readonly tookMs?: (answers: number) => number;
  /** Whether a driver accepts the connection but never responds. */
  readonly silent?: (pod: string) => boolean;
  /** How far the cluster's clock is ahead of the local one, in milliseconds. */
  readonly aheadMs?: number;
  readonly excluded?: readonly string[];
  readonly removed?: readonly string[];
  /** The error of access reviews. */
  readonly rightError?: ClusterError;
  /** The result of a request for events: an error, or the time of the newest event. */
  readonly events?: ClusterError | string;
  /** The error thrown when the poller reports a change. */
  readonly cannotShow?: Error;
}

/** Returns a poller of applications, and the requests that it sent. */
function lookAt(t: TestContext, given: Application | readonly Application[], answers: Answers) {
  const applications = [given].flat();
  const clock = new VirtualClock();
  const asked: string[] = [];
  const changed: string[] = [];
  const errors: unknown[] = [];
  let atOnce = 0;
  let maxAtOnce = 0;
  const connection: Pick<Connection, "drivers" | "podEvents" | "rights" | "now"> = {
    now: () => clock.now() + (answers.aheadMs ?? 0),
    rights: {
      user: () => Promise.resolve(ok("ann")),
      can: ({ resource }) => {
        asked.push(`may ${resource}`);
        if (answers.rightError) return Promise.resolve(err(answers.rightError));
        return Promise.resolve(ok(answers.may ?? true));
      },
    },
    drivers: {
      executors: async ({ pod, port, applicationId }, signal) => {
        asked.push(`${pod}:${port} ${applicationId}`);
        atOnce += 1;
        maxAtOnce = Math.max(maxAtOnce, atOnce);
        if (answers.silent?.(pod) === true) {
          await clock.sleep(30_000, signal).finally(() => (atOnce -= 1));
        }
        const tookMs = answers.tookMs?.(asked.filter((line) => line.includes(":")).length - 1) ?? 0;
        if (tookMs > 0) await clock.sleep(tookMs, signal);
        atOnce -= 1;
        if (answers.error) return err(answers.error);
        const registered = new Set(answers.registered ?? []);
        const removed = new Map((answers.removed ?? []).map((id) => [id, "idle"]));
        const excluded = answers.excluded && { excluded: new Set(answers.excluded) };
        return ok({ registered, ...nothingElse, removed, ...excluded });
      },
      rows: () => assert.fail("the status needs no progress"),
      allocation: () =>
        Promise.resolve(
          answers.allocation === "none"
            ? err(broken)
            : ok(answers.allocation ?? { kind: "fixed" as const, instances: 1 }),
        ),
    },
    podEvents: {
      eventsOf: ({ name }, related) => {
        asked.push([`events ${name}`, ...related.map((one) => one.name)].join(" "));
        const { events } = answers;
        if (typeof events === "object") return Promise.resolve(err(events));
        const event = noted("FailedMount", "no");
        return Promise.resolve(ok([{ ...event, lastAt: events ?? event.lastAt }]));
      },
    },
  };
  const look = new StatusPoller(connection, {
    clock,
    log: {
      debug: () => undefined,
      warn: () => undefined,
      error: (error) => errors.push(error),
    },
    find: (wanted) => applications.find(({ key }) => key === wanted),
    changed: (keys) => {
      changed.push(...keys);
      if (answers.cannotShow !== undefined) throw answers.cannotShow;
    },
  });
  t.after(() => {
    look.dispose();
    assert.deepEqual(errors, [answers.cannotShow ?? []].flat());
  });
  return { look, clock, asked, changed, applications, maxAtOnce: () => maxAtOnce };
}

const well = applicationOf(driverFixture(), podFixture());
const reportLine = "pi-0123456789abcdef-driver:4040 spark-1";

test("sends nothing unless applications are visible", async (t) => {
  const { look, clock, asked } = lookAt(t, well, { registered: ["1"] });
  await clock.advance(60_000);
  assert.deepEqual(asked, []);
  look.look([well.key]);
  await clock.advance(1_000);
  assert.deepEqual(asked, ["may pods/proxy", reportLine]);
  look.look([]);
  await clock.advance(600_000);
  assert.equal(asked.length, 2);
  assert.equal(clock.pending, 0);
});

test("reads the events of a failed executor that a signal ended, as a probe may have", async (t) => {
  const ended = (code: number) => podFixture({ phase: "Failed", containers: [endedFixture(code)] });
  for (const [code, expected] of [
    [143, true],
    [137, true],
    [1, false],
  ] as const) {
    const application = applicationOf(driverFixture(), ended(code));
    const { look, clock, asked } = lookAt(t, application, {});
    look.look([application.key]);
    await clock.advance(10_000);
    assert.equal(asked.includes(`events ${podFixture().name}`), expected);
  }
});

test("asks a driver with complete executors rarely, and reports it once", async (t) => {
  const { look, clock, asked, changed } = lookAt(t, well, { registered: ["1"] });
  look.look([well.key]);
  await clock.advance(61_000);
  assert.equal(asked.filter((line) => line === reportLine).length, 4);
  assert.deepEqual(changed, [well.key]);
  assert.deepEqual([...(look.reportOf(well.key)?.registered ?? [])], ["1"]);
});

test("asks a driver that waits for an executor more often", async (t) => {
  const { look, clock, asked } = lookAt(t, well, { registered: [] });
  look.look([well.key]);
  await clock.advance(61_000);
  assert.equal(asked.filter((line) => line === reportLine).length, 11);
});

test("asks a slow driver rarely, but not because of its first answer", async (t) => {
  const asksOf = async (tookMs: (answers: number) => number): Promise<number> => {
    const { look, clock, asked } = lookAt(t, well, { registered: [], tookMs });
    look.look([well.key]);
    await clock.advance(61_000);
    look.look([]);
    return asked.filter((line) => line === reportLine).length;
  };
  assert.equal(await asksOf(() => 3_000), 3);
  assert.equal(await asksOf((answers) => (answers === 0 ? 3_000 : 0)), 10);
});

test("asks a driver in the foreground as often as one that waits", async (t) => {
  const { look, clock, asked } = lookAt(t, well, { registered: ["1"] });
  look.look([well.key], new Set([well.key]));
  await clock.advance(61_000);
  assert.equal(asked.filter((line) => line === reportLine).length, 11);
});

test("asks a driver again at the next tick on request, unless its last answer failed", async (t) => {
  const answers: Answers = { registered: ["1"] };
  for (const [given, expected] of [
    [answers, 2],
    [{ error: forbidden }, 1],
  ] as const) {
    const { look, clock, asked } = lookAt(t, well, given);
    look.look([well.key]);
    await clock.advance(1_000);
    look.askSoon(well.key);
    await clock.advance(2_000);
    assert.equal(asked.filter((line) => line === reportLine).length, expected);
  }
});

test("retries a failed driver at once on wake", async (t) => {
  const answers: { error?: ClusterError } = { error: broken };
  const { look, clock } = lookAt(t, well, answers);
  look.look([well.key]);
  await clock.advance(600_000);
  delete answers.error;
  look.wake();
  await clock.advance(2_000);
  assert.notEqual(look.reportOf(well.key), undefined);
});

test("asks a young driver again soon, and an old one after growing pauses", async (t) => {
  const asksOf = async (startTime: string): Promise<number> => {
    const driver = driverFixture({ startTime });
    const { look, clock, asked } = lookAt(t, applicationOf(driver), { error: broken });
    look.look([well.key]);
    await clock.advance(170_000);
    return asked.filter((line) => line === reportLine).length;
  };
  assert.equal(await asksOf("2026-01-02T03:04:05Z"), 29);
  assert.equal(await asksOf("2026-01-02T03:01:06Z"), 7);
  assert.equal(await asksOf("2026-01-02T03:01:04Z"), 6);
});

test("forgets the report of a deleted application", async (t) => {
  const { look, clock, applications } = lookAt(t, [well], { registered: ["1"] });
  look.look([well.key]);
  await clock.advance(1_000);
  look.look([]);
  assert.notEqual(look.reportOf(well.key), undefined);
  applications.length = 0;
  look.look([]);
  assert.equal(look.reportOf(well.key), undefined);
});

test("reports a change of executors once, and nothing for the same answer", async (t) => {
  const answers: { registered: string[]; removed?: string[]; excluded?: string[] } = {
    registered: [],
  };
  const { look, clock, changed } = lookAt(t, well, answers);
  look.look([well.key]);
  await clock.advance(60_000);
  assert.equal(changed.length, 1);
  for (const [index, next] of [
    { registered: ["1"] },
    { registered: ["2"] },
    { registered: ["2"], removed: ["1"] },
    { registered: ["2"], removed: ["1"], excluded: ["2"] },
    { registered: ["2"], removed: ["1"], excluded: ["1"] },
  ].entries()) {
    Object.assign(answers, next);
    await clock.advance(60_000);
    assert.equal(changed.length, index + 2, JSON.stringify(next));
  }
});

test("reports no change after it was stopped during a request", async (t) => {
  const { look, clock, changed } = lookAt(t, well, { registered: ["1"], tookMs: () => 3_000 });
  look.look([well.key]);
  await clock.advance(1_000);
  look.look([]);
  await clock.advance(60_000);
  assert.deepEqual(changed, []);
  look.look([well.key]);
  await clock.advance(1_000);
  look.dispose();
  await clock.advance(60_000);
  assert.deepEqual(changed, []);
  assert.equal(clock.pending, 0);
});

test("logs an error of the view that shows a change", async (t) => {
  const cannotShow = new Error("no view");
  const { look, clock } = lookAt(t, well, { registered: ["1"], cannotShow });
  look.look([well.key]);
  await clock.advance(1_000);
});

test("keeps the last report while the driver is late with the next", async (t) => {
  const { look, clock, changed } = lookAt(t, well, {
    registered: ["1"],
    tookMs: (answers) => (answers === 0 ? 0 : 600_000),
  });
  look.look([well.key]);
  await clock.advance(60_000);
  assert.equal(look.reportOf(well.key)?.registered.size, 1);
  assert.deepEqual(changed, [well.key]);
});

test("without the right to ask drivers it only repeats the access review every ten minutes", async (t) => {
  const { look, clock, asked } = lookAt(t, well, { may: false });
  look.look([well.key]);
  await clock.advance(1_790_000);
  assert.deepEqual(asked, ["may pods/proxy", "may pods/proxy", "may pods/proxy"]);
  assert.equal(look.reportOf(well.key), undefined);
});

test("uses a new right within ten minutes while visible, and at once on wake", async (t) => {
  const answers = { may: false, registered: ["1"] };
  const late = lookAt(t, well, answers);
  late.look.look([well.key]);
  await late.clock.advance(10_000);
  const prompt = lookAt(t, well, answers);
  prompt.look.look([well.key]);
  await prompt.clock.advance(10_000);
  answers.may = true;
  prompt.look.wake();
  await prompt.clock.advance(3_000);
  assert.notEqual(prompt.look.reportOf(well.key), undefined);
  await late.clock.advance(580_000);
  assert.equal(late.look.reportOf(well.key), undefined);
  await late.clock.advance(20_000);
  assert.notEqual(late.look.reportOf(well.key), undefined);
});

test("a refusal holds for ten minutes, and other failures back off", async (t) => {
  const refused = lookAt(t, well, { error: forbidden });
  refused.look.look([well.key]);
  await refused.clock.advance(590_000);
  assert.deepEqual(refused.asked, ["may pods/proxy", reportLine]);
  await refused.clock.advance(30_000);
  assert.equal(refused.asked.length, 4);
  const failing = lookAt(t, well, { error: broken });
  failing.look.look([well.key]);
  await failing.clock.advance(3_600_000);
  const asked = failing.asked.filter((line) => line === reportLine).length;
  assert.ok(asked > 20 && asked < 60, String(asked));
});

test("requests events of unhealthy pods, and of few pods in the same state", async (t) => {
  const waiting = Array.from({ length: 40 }, (_, index) => ({
    ...starting,
    uid: `uid-${index}`,
    name: `pi-exec-${index}`,
    labels: { ...starting.labels, "spark-exec-id": String(index) },
  }));
  const many = applicationOf(driverFixture(), podFixture({ uid: "well" }), ...waiting);
  const { look, clock, asked } = lookAt(t, many, {});
  look.look([many.key]);
  await clock.advance(1_000);
  assert.ok(!asked.some((line) => line.startsWith("events")), "most pods start within seconds");
  await clock.advance(6_000);
  assert.deepEqual(
    asked.filter((line) => line.startsWith("events")),
    ["events pi-exec-39", "events pi-exec-38", "events pi-exec-37"],
  );
  assert.equal(look.eventsOf("uid-39")[0]?.reason, "FailedMount");
  await clock.advance(3_600_000);
  const perPod = asked.filter((line) => line === "events pi-exec-39").length;
  assert.ok(perPod > 10 && perPod < 25, String(perPod));
});

test("examines the newest 100 executors, and a running one only if it has claims", async (t) => {
  const isAsked = async (running: number, claims?: readonly string[]): Promise<boolean> => {
    const pods = Array.from({ length: running }, (_, index) =>
      executorFixture(index + 2, claims && { claims }),
    );
    const one = executorFixture(1, { ...starting, uid: "oldest", name: "pi-oldest" });
    const application = applicationOf(driverFixture(), one, ...pods);
    const { look, clock, asked } = lookAt(t, application, { may: false });
    look.look([application.key]);
    await clock.advance(10_000);
    const names = asked.filter((line) => line.startsWith("events"));
    assert.equal(
      names.filter((line) => !line.includes("oldest")).length,
      claims === undefined ? 0 : 3,
    );
    return names.some((line) => line.includes("oldest"));
  };
  assert.equal(await isAsked(99), true);
  assert.equal(await isAsked(100), false);
  assert.equal(await isAsked(99, ["claim"]), true);
});

test("forgets the events of hidden applications and reads them again when one is visible", async (t) => {
  const { look, clock, asked } = lookAt(t, waits, {});
  look.look([waits.key]);
  await clock.advance(60_000);
  const reads = (): number => asked.filter((line) => line.startsWith("events")).length;
  const before = reads();
  assert.equal(look.eventsOf("waits").length, 1);
  look.look([]);
  assert.deepEqual(look.eventsOf("waits"), []);
  look.look([waits.key]);
  await clock.advance(1);
  assert.equal(reads(), before + 1);
});

const waits = applicationOf(driverFixture(), { ...starting, uid: "waits" });
const readsOfEvents = async (t: TestContext, answers: Answers, ms: number): Promise<number> => {
  const { look, clock, asked } = lookAt(t, waits, { may: false, ...answers });
  look.look([waits.key]);
  await clock.advance(ms);
  return asked.filter((line) => line.startsWith("events")).length;
};

test("reads events after 5, 10, 20, … s up to 5 min, rarely without the right to", async (t) => {
  // The first read is at an age of 6 s, because the poller runs every 2 s.
  for (const [seconds, expected] of [
    [5, 0],
    [6, 1],
    [15, 1],
    [16, 2],
    [35, 2],
    [36, 3],
    [615, 6],
    [616, 7],
    [915, 7],
    [916, 8],
  ] as const) {
    assert.equal(await readsOfEvents(t, {}, seconds * 1_000), expected, `${seconds} s`);
  }
  assert.equal(await readsOfEvents(t, { events: broken }, 20_000), 2);
  assert.equal(await readsOfEvents(t, { events: forbidden }, 600_000), 1);
  assert.equal(await readsOfEvents(t, { events: forbidden }, 610_000), 2);
});

test("reports events once until there is a newer one", async (t) => {
  const answers: { may: boolean; events: string } = { may: false, events: "2026-01-02T03:09:00Z" };
  const { look, clock, changed } = lookAt(t, waits, answers);
  look.look([waits.key]);
  await clock.advance(100_000);
  assert.equal(changed.length, 1);
  answers.events = "2026-01-02T03:10:00Z";
  await clock.advance(100_000);
  assert.equal(changed.length, 2);
});

test("forgets the events of a pod that has recovered", async (t) => {
  const { look, clock, applications } = lookAt(t, [waits], {});
  look.look([waits.key]);
  await clock.advance(10_000);
  assert.equal(look.eventsOf("waits").length, 1);
  applications[0] = applicationOf(driverFixture(), podFixture({ uid: "waits" }));
  await clock.advance(2_000);
  assert.deepEqual(look.eventsOf("waits"), []);
});

test("asks a driver if the access review is forbidden, and none if it fails", async (t) => {
  for (const [rightError, expected] of [
    [forbidden, ["may pods/proxy", reportLine]],
    [broken, ["may pods/proxy"]],
  ] as const) {
    const { look, clock, asked } = lookAt(t, well, { registered: ["1"], rightError });
    look.look([well.key]);
    await clock.advance(1_000);
    assert.deepEqual(asked, expected);
    assert.equal(look.mayReadDrivers("jobs"), rightError === forbidden ? true : undefined);
  }
});

test("drops the report of a driver that fails, and asks it again after 5 s", async (t) => {
  const answers: { error?: ClusterError; registered: string[] } = { registered: ["1"] };
  const { look, clock, changed, asked } = lookAt(t, well, answers);
  look.look([well.key]);
  for (const error of [broken, undefined, broken]) {
    await clock.advance(21_000);
    const before = asked.length;
    if (error === undefined) delete answers.error;
    else answers.error = error;
    await clock.advance(30_000);
    assert.equal(look.reportOf(well.key) === undefined, error !== undefined);
    if (error !== undefined) assert.ok(asked.length - before >= 2);
  }
  assert.equal(changed.length, 4);
});

test("keeps the known allocation while the driver's conf cannot be read", async (t) => {
  const answers: { registered: string[]; allocation?: "none" } = { registered: ["1"] };
  const { look, clock } = lookAt(t, well, answers);
  look.look([well.key]);
  await clock.advance(1_000);
  const known = look.reportOf(well.key)?.allocation;
  assert.deepEqual(known, { kind: "fixed", instances: 1 });
  answers.allocation = "none";
  await clock.advance(60_000);
  assert.equal(look.reportOf(well.key)?.allocation, known);
});

test("asks a driver that is late again after 5 s", async (t) => {
  const { look, clock, asked } = lookAt(t, well, { silent: () => true });
  look.look([well.key]);
  // Each request waits for 5 s, and the poller runs every 2 s.
  await clock.advance(60_000);
  assert.equal(asked.filter((line) => line === reportLine).length, 6);
});

test("asks a driver without Spark's labels at the pod that owns its executors", async (t) => {
  const notebook = applicationOf(podFixture({ ownerPod: "notebook-0" }));
  const { look, clock, asked } = lookAt(t, notebook, { registered: ["1"] });
  look.look([notebook.key]);
  await clock.advance(1_000);
  assert.deepEqual(asked, ["may pods/proxy", "notebook-0:4040 spark-1"]);
  assert.equal(look.reportOf(notebook.key)?.registered.size, 1);
});

test("does not ask an application without a running driver", async (t) => {
  for (const application of [
    applicationOf(podFixture({ ownerUid: undefined, ownerPod: undefined })),
    applicationOf(driverFixture({ phase: "Succeeded" })),
  ]) {
    const { look, clock, asked } = lookAt(t, application, {});
    look.look([application.key]);
    await clock.advance(60_000);
    assert.deepEqual(asked, []);
  }
});

/** Returns the same application under another name. */
const another = (name: string, ...executors: readonly PodRecord[]): Application => {
  const labels = { "spark-app-selector": `spark-${name}` };
  const driver = driverFixture();
  return applicationOf(
    driverFixture({ uid: `driver-${name}`, name, labels: { ...driver.labels, ...labels } }),
    ...executors.map((pod) => ({
      ...pod,
      uid: `${pod.uid}-${name}`,
      ownerUid: `driver-${name}`,
      ownerPod: name,
      labels: { ...pod.labels, ...labels },
    })),
  );
};

test("drivers that never answer delay others only briefly", async (t) => {
  const silent = [1, 2, 3, 4, 5].map((number) => another(`silent-${number}`));
  const applications = [...silent, another("speaks", podFixture()), another("waits", starting)];
  const { look, clock, asked, changed } = lookAt(t, applications, {
    registered: ["1"],
    silent: (pod) => pod.startsWith("silent"),
  });
  const [speaks, waits] = applications.slice(-2).map(({ key }) => key);
  clock.sleepThrough(6_000);
  look.look(applications.map(({ key }) => key));
  await clock.advance(1);
  assert.deepEqual(changed, [waits], "what the cluster has noted waits for no driver");
  await clock.advance(5_000);
  assert.ok(changed.includes(speaks ?? ""));
  await clock.advance(300_000);
  const tries = asked.filter((line) => line.startsWith("silent-1:")).length;
  assert.ok(tries > 3 && tries < 40, String(tries));
  assert.equal(asked.filter((line) => line === "may pods/proxy").length, 1);
});

test("asks for the first 20 applications, at most four at a time", async (t) => {
  const applications = Array.from({ length: 25 }, (_, index) => another(`many-${index}`));
  const { look, clock, asked, maxAtOnce } = lookAt(t, applications, { tookMs: () => 1_000 });
  look.look(applications.map(({ key }) => key));
  await clock.advance(10_000);
  assert.equal(new Set(asked.filter((line) => line.includes(":"))).size, 20);
  assert.equal(maxAtOnce(), 4);
});

test("computes a pod's age by the cluster's clock, even if the local one is ten minutes behind", async (t) => {
  const waiting = applicationOf(driverFixture(), { ...starting, uid: "waits" });
  const { look, clock, asked } = lookAt(t, waiting, { aheadMs: 600_000 });
  clock.setBack(600_000);
  look.look([waiting.key]);
  await clock.advance(10_000);
  assert.ok(asked.some((line) => line.startsWith("events")));
});

test("a clock that is set back delays no request", async (t) => {
  const { look, clock, asked } = lookAt(t, well, { registered: ["1"] });
  look.look([well.key]);
  await clock.advance(1_000);
  clock.setBack(600_000);
  await clock.advance(60_000);
  assert.equal(asked.filter((line) => line === reportLine).length, 3);
});

test("asks for the events of a running driver's sets once it lacks executors", async (t) => {
  const startTime = "2026-01-02T03:04:05Z";
  const lacking = applicationOf(driverFixture({ startTime, creationTimestamp: startTime }));
  const { look, clock, asked } = lookAt(t, lacking, { may: false });
  look.look([lacking.key]);
  await clock.advance(20_000);
  assert.deepEqual(asked, ["may pods/proxy"]);
  await clock.advance(15_000);
  assert.deepEqual(asked.slice(1, 2), [
    "events pi-0123456789abcdef-driver spark-s-spark-1-0 spark-d-spark-1-0-",
  ]);
});

test("asks for the events of the volume claims of a pending executor", async (t) => {
  const pending = podFixture({
    phase: "Pending",
    nodeName: undefined,
    claims: ["pi-exec-1-pvc-0"],
  });
  const application = applicationOf(driverFixture(), pending);
  const { look, clock, asked } = lookAt(t, application, {
    may: false,
    aheadMs: Date.parse("2026-01-02T03:10:00Z"),
  });
  look.look([application.key]);
  await clock.advance(1_000);
  assert.ok(asked.includes("events pi-exec-1 pi-exec-1-pvc-0"), asked.join());
});
