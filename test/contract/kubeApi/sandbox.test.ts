// Sends the recorded requests to the sandbox and compares its responses with the recorded ones.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sandboxClock } from "../../../src/sandbox/clock.ts";
import { startSandbox, type Sandbox } from "../../../src/sandbox/sandbox.ts";
import { cases } from "./cases.ts";
import { readRecorded, runInNamespace } from "./runAll.ts";
import type { Told } from "./steps.ts";

const recorded = readRecorded();

describe("the sandbox answers like a real API server", () => {
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await startSandbox({
      clock: sandboxClock,
      folder: "",
      startNode: undefined,
      graceMs: 600_000,
      contents: [],
      log: (line) => {
        throw new Error(line);
      },
    });
  });
  after(() => sandbox.stop());

  for (const one of cases) {
    test(one.title, async () => {
      const { url, authority, token } = sandbox;
      const told = await runInNamespace({ url, ca: authority, token }, one);
      const expected = recorded[one.title] ?? [];
      told.forEach((step, index) => {
        const same = JSON.parse(JSON.stringify(step)) as Told;
        assert.deepEqual(same, expected[index], `${index}: ${step.request}`);
      });
      assert.equal(told.length, expected.length);
    });
  }
});
