import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { evict } from "../../../../src/sandbox/api/eviction.ts";
import { Kinds } from "../../../../src/sandbox/api/kinds.ts";
import { Objects } from "../../../../src/sandbox/api/objects.ts";
import { Refusal } from "../../../../src/sandbox/api/refusal.ts";
import type { SandboxClock } from "../../../../src/sandbox/clock.ts";
import type { JsonMembers } from "../../../../src/sandbox/kubeObject.ts";

const rethrow = (error: unknown): void => {
  throw error;
};
const clock: SandboxClock = { now: () => 0, sleep: () => Promise.reject(new Error("no sleep")) };
const pods = new Kinds(rethrow).find("", "v1", "pods");
const selector = { matchLabels: { app: "orders" } };

/** Evicts one of four pods, of which `ready` are ready; returns true if the eviction was allowed. */
function isEvicted(
  budget: JsonMembers | undefined,
  { ready = 4, phase = "Running" }: { readonly ready?: number; readonly phase?: string } = {},
): boolean {
  assert.ok(pods);
  const objects = new Objects(() => 0, rethrow);
  const [pod] = [0, 1, 2, 3].map((index) =>
    objects.create("pods", {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: `exec-${index}`, namespace: "etl", labels: { app: "orders" } },
      status: {
        phase,
        conditions: [{ type: "Ready", status: index < ready ? "True" : "False" }],
      },
    }),
  );
  assert.ok(pod);
  if (budget !== undefined) {
    objects.create("poddisruptionbudgets.policy", {
      apiVersion: "policy/v1",
      kind: "PodDisruptionBudget",
      metadata: { name: "orders", namespace: "etl" },
      spec: { selector, ...budget },
    });
  }
  const body = { deleteOptions: { gracePeriodSeconds: 0 } };
  try {
    const answer = evict({ objects, clock }, pods, pod, body, new URLSearchParams());
    assert.equal(answer["code"], 201);
  } catch (error) {
    assert.ok(error instanceof Refusal);
    assert.equal(error.code, 429);
    const message = "The disruption budget orders allows no further evictions now";
    assert.deepEqual(error.details, { causes: [{ reason: "DisruptionBudget", message }] });
    assert.equal(objects.list("pods", "etl").length, 4);
    return false;
  }
  assert.equal(objects.list("pods", "etl").length, 3);
  return true;
}

describe("an eviction", () => {
  test("is allowed without a budget, and under a budget for other pods", () => {
    assert.equal(isEvicted(undefined), true);
    const others = { matchLabels: { app: "other" } };
    assert.equal(isEvicted({ selector: others, minAvailable: 4 }), true);
  });

  const rows: readonly (readonly [JsonMembers, ready: number, allowed: boolean])[] = [
    [{ minAvailable: 3 }, 4, true],
    [{ minAvailable: 4 }, 4, false],
    [{ minAvailable: 3 }, 3, false],
    [{ minAvailable: "75%" }, 4, true],
    [{ minAvailable: "76%" }, 4, false],
    [{ maxUnavailable: 1 }, 4, true],
    [{ maxUnavailable: 1 }, 3, false],
    [{ maxUnavailable: 2 }, 3, true],
    [{ maxUnavailable: 0 }, 4, false],
    [{}, 4, true],
    [{}, 3, false],
  ];
  for (const [budget, ready, allowed] of rows) {
    const outcome = allowed ? "allowed" : "refused";
    test(`with ${ready} of 4 pods ready and ${JSON.stringify(budget)} is ${outcome}`, () => {
      assert.equal(isEvicted(budget, { ready }), allowed);
    });
  }

  for (const phase of ["Pending", "Succeeded", "Failed"]) {
    test(`of a pod in phase ${phase} ignores budgets`, () => {
      assert.equal(isEvicted({ minAvailable: 4 }, { phase }), true);
    });
  }
});
