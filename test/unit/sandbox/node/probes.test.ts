import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { JsonMembers } from "../../../../src/sandbox/kubeObject.ts";
import { startProbes } from "../../../../src/sandbox/node/pod/probes.ts";
import { decodePodSpec } from "../../../../src/sandbox/node/spec/podSpec.ts";
import { VirtualClock } from "../../engine/virtualClock.ts";

/** Starts the probes of a container, each of type `exec`, and records their effects. */
function probed(t: TestContext, probes: Readonly<Record<string, JsonMembers>>) {
  const clock = new VirtualClock();
  const done: string[] = [];
  const container = Object.fromEntries(
    Object.entries(probes).map(([kind, probe]) => [
      `${kind}Probe`,
      { exec: { command: [kind] }, ...probe },
    ]),
  );
  const [spec] = decodePodSpec({
    ...{ apiVersion: "v1", kind: "Pod", metadata: { name: "p" } },
    spec: { containers: [{ name: "main", ...container }] },
  }).containers;
  assert.ok(spec);
  const health = { isWell: true, runs: [] as string[] };
  const record = { started: probes["startup"] === undefined };
  const life = {
    spec,
    record: record as Parameters<typeof startProbes>[0]["record"],
    // A command that cannot start fails the probe; a container without processes passes it.
    inside: ([kind = ""]: readonly string[]) => {
      health.runs.push(kind);
      if (!health.isWell) throw new Error("down");
      return undefined;
    },
    note: (type: string, reason: string, message: string) => {
      done.push(`${type} ${reason}: ${message}`);
    },
    setReady: (ready: boolean) => {
      done.push(ready ? "ready" : "not ready");
    },
    setStarted: () => {
      done.push("started");
      record.started = true;
    },
    killUnhealthy: (message: string) => {
      done.push(message);
    },
  };
  const running = startProbes(life, "127.0.0.1", clock, (error) => assert.fail(String(error)));
  t.after(() => {
    running.dispose();
  });
  return { clock, done, health, running };
}

test("a container becomes ready after the delay and the needed successes", async (t) => {
  const { clock, done, health } = probed(t, {
    readiness: { initialDelaySeconds: 3, periodSeconds: 2, successThreshold: 2 },
  });
  await clock.advance(2_999);
  assert.deepEqual(health.runs, []);
  await clock.advance(1);
  assert.deepEqual(health.runs, ["readiness"]);
  assert.deepEqual(done, []);
  await clock.advance(2_000);
  assert.deepEqual(done, ["ready"]);
});

test("a probe runs at once and every 10 s by default", async (t) => {
  const { clock, health } = probed(t, { liveness: {} });
  await clock.advance(0);
  assert.equal(health.runs.length, 1);
  await clock.advance(9_999);
  assert.equal(health.runs.length, 1);
  await clock.advance(1);
  assert.equal(health.runs.length, 2);
});

test("a ready container is not ready after three failures, and again after a success", async (t) => {
  const { clock, done, health } = probed(t, { readiness: { periodSeconds: 1 } });
  await clock.advance(0);
  health.isWell = false;
  await clock.advance(2_000);
  const failed = "Warning Unhealthy: Readiness probe failed: down";
  assert.deepEqual(done, ["ready", failed, failed]);
  await clock.advance(1_000);
  assert.deepEqual(done.slice(3), [failed, "not ready"]);
  health.isWell = true;
  await clock.advance(1_000);
  assert.equal(done.at(-1), "ready");
});

test("a success between failures starts the count again", async (t) => {
  const { clock, done, health } = probed(t, {
    liveness: { periodSeconds: 1, failureThreshold: 2 },
  });
  for (const isWell of [false, true, false, true, false]) {
    health.isWell = isWell;
    await clock.advance(health.runs.length === 0 ? 0 : 1_000);
  }
  assert.equal(health.runs.length, 5);
  assert.equal(done.filter((line) => line.includes("restarted")).length, 0);
  await clock.advance(1_000);
  assert.equal(done.at(-1), "Container main failed liveness probe, will be restarted");
});

test("a liveness probe ends the container once and runs no more", async (t) => {
  const { clock, done, health } = probed(t, {
    liveness: { periodSeconds: 1, failureThreshold: 1 },
  });
  health.isWell = false;
  await clock.advance(60_000);
  assert.deepEqual(done, [
    "Warning Unhealthy: Liveness probe failed: down",
    "Container main failed liveness probe, will be restarted",
  ]);
});

test("other probes wait for the startup probe, which ends with its success", async (t) => {
  const { clock, done, health } = probed(t, {
    startup: { periodSeconds: 1, failureThreshold: 5 },
    readiness: { periodSeconds: 1 },
    liveness: { periodSeconds: 1 },
  });
  health.isWell = false;
  await clock.advance(2_000);
  assert.deepEqual(new Set(health.runs), new Set(["startup"]));
  health.isWell = true;
  await clock.advance(2_000);
  assert.deepEqual(done.slice(-2), ["started", "ready"]);
  const starts = health.runs.filter((kind) => kind === "startup").length;
  await clock.advance(10_000);
  assert.equal(health.runs.filter((kind) => kind === "startup").length, starts);
});

test("a startup probe that fails too often ends the container", async (t) => {
  const { clock, done, health } = probed(t, {
    startup: { periodSeconds: 1, failureThreshold: 2 },
  });
  health.isWell = false;
  await clock.advance(10_000);
  assert.equal(done.at(-1), "Container main failed startup probe, will be restarted");
  assert.equal(health.runs.length, 2);
});

test("probes stop with their container", async (t) => {
  const { clock, health, running } = probed(t, { liveness: { periodSeconds: 1 } });
  await clock.advance(0);
  running.dispose();
  await clock.advance(10_000);
  assert.equal(health.runs.length, 1);
  assert.equal(clock.pending, 0);
});

test("a container without probes starts no timer", async (t) => {
  const { clock, health } = probed(t, {});
  await clock.advance(60_000);
  assert.deepEqual([health.runs.length, clock.pending], [0, 0]);
});
