// What is written down of a real API server, for the sandbox to be held against, is what this one answers.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cases } from "../contract/kubeApi/cases.ts";
import { readRecorded, realServer, runInNamespace } from "../contract/kubeApi/runAll.ts";

for (const one of cases) {
  test(`a real API server answers as it is written down: ${one.title}`, async () => {
    const told = await runInNamespace(await realServer(), one);
    assert.deepEqual(JSON.parse(JSON.stringify(told)), readRecorded()[one.title]);
  });
}
