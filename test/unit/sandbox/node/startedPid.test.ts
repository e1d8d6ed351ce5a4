// Tests signals by pid, which the operating system may have reused.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test, type TestContext } from "node:test";
import {
  identityOf,
  signalPid,
  type StartedPid,
} from "../../../../src/sandbox/node/run/startedPid.ts";
import { listProcesses, processesOf } from "../../../../src/sandbox/node/run/pidTable.ts";

const { platform } = process;

function sleeper(t: TestContext) {
  const child = spawn("sleep", ["400"], { stdio: "ignore", detached: true });
  t.after(() => child.kill("SIGKILL"));
  const identity = identityOf(child.pid, platform);
  assert.ok(identity);
  return { child, identity, exit: once(child, "exit") };
}

const reused = ({ pid }: StartedPid): StartedPid => ({ pid, started: "1" });

test("signals a process only if its start time matches", async (t) => {
  const { child, identity, exit } = sleeper(t);
  assert.equal(signalPid(reused(identity), "SIGKILL", platform), false);
  assert.deepEqual(identityOf(identity.pid, platform), identity);
  assert.equal(signalPid(identity, "SIGKILL", platform), true);
  await exit;
  assert.equal(child.signalCode, "SIGKILL");
  assert.equal(signalPid(identity, "SIGKILL", platform), false);
});

test("finds no descendants of another process with a reused pid", async (t) => {
  const { identity } = sleeper(t);
  const rows = await listProcesses(platform);
  assert.deepEqual(
    processesOf(identity, rows).map(({ pid }) => pid),
    [identity.pid],
  );
  assert.deepEqual(processesOf(reused(identity), rows), []);
});

test("reads the same start time from ps and from the process table", async (t) => {
  const { identity } = sleeper(t);
  const row = (await listProcesses(platform)).find(({ pid }) => pid === identity.pid);
  assert.equal(row?.started, identity.started);
  const byPs = identityOf(identity.pid, "darwin");
  assert.match(byPs?.started ?? "", /^\w{3}_\w{3}_\d+_\d\d:\d\d:\d\d_\d{4}$/);
  const listed = (await listProcesses("darwin")).find(({ pid }) => pid === identity.pid);
  assert.equal(listed?.started, byPs?.started);
});
