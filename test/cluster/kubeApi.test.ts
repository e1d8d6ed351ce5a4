// Checks that the recordings of a real API server, which the sandbox is compared with, are still up to date.
import assert from "node:assert/strict";
import { exec } from "node:child_process";
import { before, test } from "node:test";
import { promisify } from "node:util";
import { cases } from "../contract/kubeApi/cases.ts";
import { readRecorded, realServer, runInNamespace } from "../contract/kubeApi/runAll.ts";
import { runCase } from "../contract/kubeApi/steps.ts";
import { eventually } from "../host/eventually.ts";
import { requireCluster } from "./requireCluster.ts";

// A new server keeps the whole history; after a restart, the oldest part is compacted.
before(async () => {
  const { restartApiServer } = requireCluster();
  if (restartApiServer !== undefined) await promisify(exec)(restartApiServer);
  const server = await realServer();
  const ready = { title: "", steps: [{ method: "GET", path: "/readyz" }] };
  await eventually(
    "the server's readiness",
    () => runCase(server, ready, "").catch((error: unknown) => [{ status: 0, error }]),
    ([told]) => told?.status === 200,
    120_000,
  );
});

for (const one of cases) {
  test(`a real API server answers as recorded: ${one.title}`, async () => {
    const told = await runInNamespace(await realServer(), one);
    assert.deepEqual(JSON.parse(JSON.stringify(told)), readRecorded()[one.title]);
  });
}
