import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Objects } from "../../../../src/sandbox/api/objects.ts";
import type { SandboxClock } from "../../../../src/sandbox/clock.ts";
import type { JsonMembers, KubeObject } from "../../../../src/sandbox/kubeObject.ts";
import { Scheduler } from "../../../../src/sandbox/node/schedule/scheduler.ts";
import { fieldsOf } from "../../../../src/base/json.ts";

const clock: SandboxClock = { now: () => 0, sleep: () => Promise.reject(new Error("no sleep")) };
/** Enough event loop turns for all scheduling cycles in these tests. */
const maxTurns = 50;

describe("the scheduler", () => {
  let objects: Objects;
  let scheduler: Scheduler;
  let errors: unknown[];
  let decisions: number;
  const onError = (error: unknown): void => {
    errors.push(error);
  };
  beforeEach(() => {
    errors = [];
    decisions = 0;
    objects = new Objects(() => 0, onError);
    scheduler = new Scheduler({
      objects,
      clock,
      nodeName: "node",
      labels: {},
      poolFor: () => {
        decisions += 1;
        return { name: "machine", amounts: { cpu: 4, memory: 2 ** 30, pods: 1_000 } };
      },
      onError,
    });
  });
  afterEach(() => {
    scheduler.dispose();
    assert.deepEqual(errors, []);
  });

  const add = (name: string, cpu: string, spec: JsonMembers = {}): void => {
    objects.create("pods", {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name, namespace: "default" },
      spec: {
        schedulerName: "default-scheduler",
        containers: [{ name: "main", image: "busybox", resources: { requests: { cpu } } }],
        ...spec,
      },
    });
  };
  const pod = (name: string): KubeObject | undefined =>
    objects.get({ resource: "pods", namespace: "default", name });
  const nodeOf = (name: string): unknown => fieldsOf(pod(name)?.["spec"])["nodeName"];
  const isRefused = (name: string): boolean =>
    fieldsOf(pod(name)?.["status"])["conditions"] !== undefined;
  const until = async (reason: string, isTrue: () => boolean): Promise<void> => {
    for (let turn = 0; turn < maxTurns; turn += 1) {
      if (isTrue()) return;
      await nextTurn();
    }
    assert.fail(`${reason} did not happen within ${maxTurns} turns`);
  };
  const addRefused = async (count: number): Promise<void> => {
    const names = Array.from({ length: count }, (_, index) => `large-${index}`);
    for (const name of names) add(name, "8");
    await until("the refusal of all large pods", () => names.every(isRefused));
    // Wait for the scheduling cycle that the changes of the pods' conditions requested.
    for (let turn = 0; turn < 10; turn += 1) await nextTurn();
  };

  test("binds a pod that fits, and refuses one that does not", async () => {
    add("small", "1");
    add("large", "8");
    await until("both decisions", () => nodeOf("small") === "node" && isRefused("large"));
    assert.equal(nodeOf("large"), undefined);
  });

  test("is idle while nothing changes", async () => {
    await addRefused(3);
    const before = decisions;
    for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    assert.equal(decisions, before);
  });

  test("binds a pod that arrives during a cycle", async () => {
    // Refused pods do not change again, so only the late pod itself requests the next cycle.
    await addRefused(45);
    add("first", "1");
    await nextTurn();
    // The cycle has three batches. One of them has run.
    add("late", "1");
    await until("the binding of the late pod", () => nodeOf("late") === "node");
  });

  test("runs one cycle for the changes of one turn, and yields between batches", async () => {
    const names = Array.from({ length: 45 }, (_, index) => `small-${index}`);
    for (const name of names) add(name, "1m");
    const bound = (): number => names.filter((name) => nodeOf(name) === "node").length;
    assert.equal(bound(), 0);
    const steps: number[] = [];
    await until("the binding of all pods", () => {
      steps.push(bound());
      return bound() === names.length;
    });
    assert.deepEqual([...new Set(steps)], [0, 20, 40, 45]);
  });

  test("binds pods of higher priority first, then older ones", async () => {
    add("older", "4");
    add("younger", "4");
    add("important", "4", { priority: 10 });
    await until("a binding", () => nodeOf("important") === "node");
    objects.remove({ resource: "pods", namespace: "default", name: "important" });
    await until("the next binding", () => nodeOf("older") === "node");
    assert.equal(nodeOf("younger"), undefined);
  });

  test("ignores pods of other schedulers and deleted pods", async () => {
    add("other", "1", { schedulerName: "volcano" });
    add("deleted", "1");
    objects.remove({ resource: "pods", namespace: "default", name: "deleted" });
    add("own", "1");
    await until("the binding", () => nodeOf("own") === "node");
    assert.equal(nodeOf("other"), undefined);
    assert.equal(pod("deleted"), undefined);
  });

  test("binds nothing after disposal", async () => {
    add("small", "1");
    scheduler.dispose();
    for (let turn = 0; turn < 5; turn += 1) await nextTurn();
    assert.equal(nodeOf("small"), undefined);
  });
});
