// Tests that a failed submission leaves no objects behind, for any failed request and any kind of failure. Uses real
// sockets.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import type { FailRule } from "./caseFiles.ts";
import { readPacked } from "./packed.ts";
import { Recorder, type Ports } from "./recorder.ts";
import { runCase } from "./runCase.ts";

const recorder = new Recorder();
let ports: Ports = { secure: 0, plain: 0 };
before(async () => {
  ports = await recorder.start();
});
after(async () => {
  await recorder.stop();
});

// Covers objects created before the pod, claims, secrets, ConfigMaps of files, and a pod name chosen by the user.
const ids = [
  "app-001-jvm",
  "feat-006",
  "had-011",
  "name-035-pod",
  "step-003",
  "vol-012",
  "vol-013",
];
const cases = readPacked().filter(({ id }) => ids.includes(id));
const faults: readonly Omit<FailRule, "after">[] = [
  { code: 403, times: 1 },
  { code: 409, times: 1 },
  { code: 422, times: 1 },
  { code: 500, times: 1 },
  { code: 500, times: 4 },
  { code: 503, times: 4 },
  { code: 0, drop: true, times: 1 },
  { code: 0, drop: true, times: 4 },
];

test("leaves no objects behind when any request fails", async () => {
  assert.equal(cases.length, ids.length);
  let failures = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...cases),
      fc.constantFrom("3.3.4", "3.5.9", "4.3.0"),
      fc.nat(8),
      fc.constantFrom(...faults),
      async (golden, version, at, fault) => {
        const fail = [{ ...fault, after: at }];
        const failing = { ...golden, recorder: { ...golden.recorder, fail } };
        const { exitCode } = await runCase(failing, version, recorder, ports);
        if (exitCode === 0) return;
        failures++;
        assert.deepEqual(recorder.remaining, []);
      },
    ),
    { numRuns: 250 },
  );
  assert.ok(failures > 50, `only ${failures} failed`);
});
