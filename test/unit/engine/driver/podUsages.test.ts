import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { err, ok } from "../../../../src/base/result.ts";
import type { ClusterError } from "../../../../src/engine/clusterError.ts";
import { PodUsages } from "../../../../src/engine/driver/podUsages.ts";
import { forbidden } from "../fakeCluster.ts";
import { VirtualClock } from "../virtualClock.ts";

const usage = { cores: 0.5, memoryBytes: 2 ** 30 };
const pod = (name: string, namespace = "jobs") => ({ name, namespace, uid: `uid-of-${name}` });
const notFound = (detail: string): ClusterError => ({
  kind: "notFound",
  resource: "pods",
  name: "p",
  detail,
});

function usagesOf(t: TestContext, answers: { error?: ClusterError; tookMs?: number }) {
  const clock = new VirtualClock();
  const asked: string[] = [];
  const usages = new PodUsages(
    {
      usageOf: async ({ name }, signal) => {
        asked.push(name);
        await clock.sleep(answers.tookMs ?? 10, signal);
        return answers.error === undefined ? ok(usage) : err(answers.error);
      },
    },
    {
      clock,
      log: {
        debug: () => undefined,
        warn: () => undefined,
        error: (error) => assert.fail(String(error)),
      },
    },
  );
  t.after(() => {
    usages.dispose();
  });
  const read = async (name: string, namespace?: string) => {
    const reading = usages.usageOf(pod(name, namespace));
    await clock.advanceUntil(reading);
    return reading;
  };
  return { usages, clock, asked, read };
}

describe("the usage of pods", () => {
  test("is kept for the 15 s between two measurements", async (t) => {
    const { read, clock, asked } = usagesOf(t, {});
    assert.deepEqual(await read("a"), usage);
    assert.deepEqual(await read("a"), usage);
    assert.equal(asked.length, 1);
    await clock.advance(15_000);
    await read("a");
    assert.equal(asked.length, 2);
  });

  test("is not asked for again without metrics-server, until wake", async (t) => {
    const { usages, read, clock, asked } = usagesOf(t, {
      error: notFound("the server could not find the requested resource"),
    });
    for (const name of ["a", "b", "a"]) {
      assert.equal(await read(name), undefined);
      await clock.advance(3_600_000);
    }
    assert.deepEqual(asked, ["a"]);
    usages.wake();
    await read("b");
    assert.deepEqual(asked, ["a", "b"]);
  });

  test("of a young pod without metrics says nothing about other pods", async (t) => {
    const { read, asked } = usagesOf(t, {
      error: notFound('podmetrics.metrics.k8s.io "jobs/a" not found'),
    });
    await read("a");
    await read("a");
    await read("b");
    assert.deepEqual(asked, ["a", "b"]);
  });

  test("without the right is asked for in the namespace every ten minutes", async (t) => {
    const { read, clock, asked } = usagesOf(t, { error: forbidden("get", "pods") });
    await read("a");
    await read("b");
    await read("c", "other");
    assert.deepEqual(asked, ["a", "c"]);
    await clock.advance(600_000);
    await read("b");
    assert.deepEqual(asked, ["a", "c", "b"]);
  });

  test("does not delay a tooltip by more than 1.5 s, and then rests", async (t) => {
    const { read, clock, asked } = usagesOf(t, { tookMs: 3_600_000 });
    const before = clock.now();
    assert.equal(await read("a"), undefined);
    assert.equal(clock.now() - before, 1_500);
    assert.equal(await read("b"), undefined);
    assert.deepEqual(asked, ["a"]);
    assert.equal(clock.pending, 0);
  });
});
