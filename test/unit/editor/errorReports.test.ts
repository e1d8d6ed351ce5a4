import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { msg } from "../../../src/base/message.ts";
import { errorReports, type ErrorReports } from "../../../src/editor/errorReports.ts";
import type { Log } from "../../../src/editor/log.ts";
import type { ClusterError } from "../../../src/engine/clusterError.ts";
import { scriptedScreen } from "./screenFixture.ts";
import { missing } from "./sessionFixture.ts";

const forbidden: ClusterError = {
  ...{ kind: "forbidden", verb: "delete", resource: "pods", namespace: "jobs", detail: "no" },
};
const unauthorized: ClusterError = {
  ...{ kind: "unauthorized", server: "https://dev:6443", detail: "token expired" },
};
const task = msg("Executor 3 was not killed");

async function reported(
  report: (reports: ErrorReports, log: Log) => Promise<void>,
  answer?: string,
) {
  const screen = scriptedScreen(answer);
  const logged: string[] = [];
  const log = {
    warn: (line: string) => logged.push(line),
    error: (error: unknown) => logged.push(String(error)),
    show: () => screen.shown.push("log"),
  } as unknown as Log;
  await report(errorReports(screen), log);
  return { shown: screen.shown, logged };
}

describe("message about a failed task", () => {
  test("is an error, or a warning if a permission is missing", async () => {
    const failed = await reported((all, log) => all.showClusterError(task, missing, log));
    assert.match(failed.shown[0] ?? "", /^error: Executor 3 was not killed: .+\n\[Show Log\]$/);
    assert.equal(failed.shown.length, 1);
    assert.match(failed.logged.join(), /^Executor 3 was not killed: notFound: /);
    const refused = await reported((all, log) => all.showClusterError(task, forbidden, log));
    assert.match(refused.shown[0] ?? "", /^warning: Executor 3 was not killed: /);
  });

  test("offers the command that may help, and the log", async () => {
    const show = (answer?: string) =>
      reported((all, log) => all.showClusterError(task, unauthorized, log), answer);
    assert.match((await show()).shown[0] ?? "", /\n\[Reconnect\]\n\[Show Log\]$/);
    assert.equal((await show("Reconnect")).shown[1], "command: sparkK8s.cluster.reconnect");
    assert.equal((await show("Show Log")).shown[1], "log");
  });

  test("copies the command that checks a missing permission", async () => {
    const denied = { ...forbidden, detail: 'User "ann" cannot delete resource "pods"' };
    const { shown } = await reported(
      (all, log) => all.showClusterError(task, denied, log),
      "Copy Command",
    );
    assert.deepEqual(shown, [
      'warning: Executor 3 was not killed: user "ann" does not have permission to delete pods in namespace "jobs". ' +
        'Ask for the permission, and check it with "kubectl auth can-i delete pods -n jobs".\n[Copy Command]\n[Show Log]',
      "copied: kubectl auth can-i delete pods -n jobs",
    ]);
  });
});

describe("message about failed items", () => {
  const show = (errors: readonly ClusterError[], answer?: string) => {
    let isReported = false;
    const report = () => {
      isReported = true;
      return Promise.resolve();
    };
    return reported(
      (all, log) => all.showFailedItems(msg("2 were not deleted"), errors, log, report),
      answer,
    ).then((result) => ({ ...result, isReported }));
  };

  test("is a warning only if all reasons are missing permissions", async () => {
    assert.match((await show([forbidden, forbidden])).shown[0] ?? "", /^warning: /);
    const { shown, logged } = await show([forbidden, missing]);
    assert.match(shown[0] ?? "", /^error: 2 were not deleted, for 2 reasons\./);
    assert.deepEqual(
      logged.map((line) => line.split(": ").slice(0, 2)),
      [
        ["2 were not deleted", "forbidden"],
        ["2 were not deleted", "notFound"],
      ],
    );
  });

  test("shows the report on request only", async () => {
    assert.equal((await show([missing], "Show Report")).isReported, true);
    assert.equal((await show([missing])).isReported, false);
  });
});

describe("message about the problems of a request", () => {
  const problems = ["password=hunter2 is wrong", "no image"];

  test("has the first problem without secrets; the log has all", async () => {
    const { shown, logged } = await reported((all, log) => all.showProblems(task, problems, log));
    assert.match(shown[0] ?? "", /^error: Executor 3 was not killed: .* is wrong\n\[Show All 2\]$/);
    assert.doesNotMatch(shown.join(), /hunter2/);
    assert.equal(shown.length, 1);
    assert.equal(logged.length, 2);
  });

  test("opens the log", async () => {
    const { shown } = await reported(
      (all, log) => all.showProblems(task, ["no image"], log),
      "Show Log",
    );
    assert.equal(shown[1], "log");
  });
});

test("an internal error is logged, and its message opens the log", async () => {
  const fail = (all: ErrorReports, log: Log) => all.showInternalError(new Error("bug"), log);
  const { shown, logged } = await reported(fail, "Show Log");
  assert.deepEqual(logged, ["Error: bug"]);
  assert.match(shown[0] ?? "", /^error: Internal error in Spark on Kubernetes\./);
  assert.equal(shown[1], "log");
  assert.equal((await reported(fail)).shown.length, 1);
});
