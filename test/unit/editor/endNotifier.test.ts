import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { notifyOfEnds } from "../../../src/editor/apps/endNotifier.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { failedDriver } from "../diagnosis/diagnosedFixture.ts";
import { driverFixture, endedFixture } from "../pods/podFixture.ts";
import { scriptedScreen } from "./screenFixture.ts";
import { sessionFixture, strictLog } from "./sessionFixture.ts";

const running = (id: number): PodRecord =>
  driverFixture({
    uid: `uid-${id}`,
    labels: {
      "spark-app-selector": `s${id}`,
      "spark-role": "driver",
      "spark-app-name": `app${id}`,
    },
  });

async function endsOf(
  t: TestContext,
  count: number,
  end: (pod: PodRecord) => PodRecord,
  { isWanted = true, profile }: { readonly isWanted?: boolean; readonly profile?: string } = {},
  ...answers: readonly string[]
): Promise<readonly string[]> {
  const pods = Array.from({ length: count }, (_, id) => running(id + 1));
  const { session, server, clock } = await sessionFixture(t, pods);
  const screen = scriptedScreen(...answers);
  const notifier = notifyOfEnds(
    {
      session,
      screen,
      isWanted: () => isWanted,
      isGrouped: () => profile !== undefined,
      profileOf: () => profile,
    },
    (key, atError) => {
      screen.shown.push(`log of ${key}${atError ? " at the error" : ""}`);
      return Promise.resolve();
    },
    strictLog,
  );
  t.after(() => {
    notifier.dispose();
  });
  for (const pod of pods) server.put({ ...pod, podIp: "10.0.0.1" });
  await clock.advance(1_000);
  for (const pod of pods) server.put(end(pod));
  const expected = isWanted ? Math.min(count, 3) : 0;
  for (let turn = 0; turn < 600 && screen.shown.length < expected; turn += 1) {
    await clock.advance(10);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await clock.advance(100);
  return screen.shown;
}

const succeeded = (pod: PodRecord): PodRecord => ({
  ...pod,
  phase: "Succeeded",
  containers: [
    endedFixture(0, {
      name: "spark-kubernetes-driver",
      state: {
        ...{ kind: "terminated", exitCode: 0, signal: undefined, reason: undefined },
        ...{ message: undefined, startedAt: "2026-01-02T03:04:05Z" },
        finishedAt: "2026-01-02T03:14:05Z",
      },
    }),
  ],
});
const failed = (pod: PodRecord): PodRecord => ({
  ...failedDriver(137, { reason: "OOMKilled" }),
  uid: pod.uid,
  name: pod.name,
  labels: pod.labels,
});

test("a success is announced with its log", async (t) => {
  assert.deepEqual(await endsOf(t, 1, succeeded, {}, "Show Log"), [
    'info: "app1" succeeded after 10 min.\n[Show Log]',
    "log of jobs/s1",
  ]);
});

test("names the run profile, and the namespace if several are watched", async (t) => {
  assert.deepEqual(await endsOf(t, 1, succeeded, { profile: "nightly" }), [
    'info: "nightly" in jobs succeeded after 10 min.\n[Show Log]',
  ]);
});

test("a failure is announced with its cause", async (t) => {
  const [shown = ""] = await endsOf(t, 1, failed);
  assert.match(shown, /^error: "app1" failed after \d+ min: \S.*\.\n\[Show Log\]$/);
});

test("at most three ends are announced at once, and none without the setting", async (t) => {
  assert.equal((await endsOf(t, 5, succeeded)).length, 3);
  assert.deepEqual(await endsOf(t, 1, succeeded, { isWanted: false }), []);
});
