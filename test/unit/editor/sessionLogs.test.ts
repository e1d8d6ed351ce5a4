import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { err, ok } from "../../../src/base/result.ts";
import { SessionLogs } from "../../../src/editor/logs/sessionLogs.ts";
import type { ClusterSession } from "../../../src/editor/apps/clusterSession.ts";
import type { Connection } from "../../../src/engine/ports/connection.ts";
import type { LogItem, LogRequest } from "../../../src/engine/ports/logs.ts";
import { driverFixture } from "../pods/podFixture.ts";
import { missing, sessionFixture } from "./sessionFixture.ts";

const request = { namespace: "jobs", pod: "p", uid: "1", container: "c" } as unknown as LogRequest;

/** Reads the log over a connection that differs from the log's connection in these members. */
async function read(
  t: TestContext,
  now: Partial<Connection> | undefined,
  { isAborted = false } = {},
) {
  const { connection, session } = await sessionFixture(t, [driverFixture()]);
  const found: string[] = [];
  const connectTo: ClusterSession["connectTo"] = () =>
    Promise.resolve(now === undefined ? err(missing) : ok({ ...connection, ...now }));
  Object.assign(session, { connectTo });
  const logs = new SessionLogs(session, "jobs/spark-1", connection, "shown");
  const stop = new AbortController();
  if (isAborted) stop.abort();
  for await (const item of logs.readLog(request, stop.signal)) {
    found.push(item.kind === "failed" ? item.error.kind : item.kind);
  }
  return found;
}

const logs = (failure?: Error): Pick<Connection, "logs"> => ({
  logs: {
    readLog: async function* (): AsyncGenerator<LogItem> {
      yield await Promise.resolve({ kind: "lines" } as unknown as LogItem);
      if (failure !== undefined) throw failure;
    },
  },
});
const abort = new DOMException("aborted", "AbortError");

describe("logs of a session", () => {
  test("come over the current connection of the same cluster", async (t) => {
    assert.deepEqual(await read(t, logs()), ["lines"]);
  });

  test("fail without a connection, and in another context or server", async (t) => {
    assert.deepEqual(await read(t, undefined), ["notFound"]);
    assert.deepEqual(await read(t, { ...logs(), context: "other" }), ["invalid"]);
    assert.deepEqual(await read(t, { ...logs(), server: "https://other" }), ["invalid"]);
  });

  test("fail as unreachable when their connection is replaced, so that a tail reconnects", async (t) => {
    assert.deepEqual(await read(t, logs(abort)), ["lines", "unreachable"]);
    await assert.rejects(read(t, logs(abort), { isAborted: true }), /AbortError|aborted/);
    await assert.rejects(read(t, logs(new Error("bug"))), /bug/);
  });
});
