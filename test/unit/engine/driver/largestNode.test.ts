import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { err, ok } from "../../../../src/base/result.ts";
import type { ClusterError } from "../../../../src/engine/clusterError.ts";
import { LargestNode } from "../../../../src/engine/driver/largestNode.ts";
import { forbidden } from "../fakeCluster.ts";
import { VirtualClock } from "../virtualClock.ts";

const size = { cores: 2, memoryBytes: 23 * 2 ** 30 };
const broken: ClusterError = { kind: "badResponse", status: 503, detail: "no" };

function nodeOf(t: TestContext, answers: { error?: ClusterError | undefined }) {
  const clock = new VirtualClock();
  const counts = { asked: 0, changed: 0 };
  const node = new LargestNode(
    {
      largest: () => {
        counts.asked += 1;
        return Promise.resolve(answers.error === undefined ? ok(size) : err(answers.error));
      },
    },
    {
      clock,
      log: {
        debug: () => undefined,
        warn: () => undefined,
        error: (error) => assert.fail(String(error)),
      },
      changed: () => {
        counts.changed += 1;
      },
    },
  );
  t.after(() => {
    node.dispose();
  });
  return { node, clock, counts };
}

describe("the largest node", () => {
  test("is read once, when it is first needed", async (t) => {
    const { node, clock, counts } = nodeOf(t, {});
    await clock.advance(60_000);
    assert.equal(counts.asked, 0);
    assert.equal(node.size, undefined);
    await clock.advance(3_600_000);
    assert.deepEqual(node.size, size);
    assert.deepEqual(counts, { asked: 1, changed: 1 });
  });

  test("is not asked for again without the right, until wake", async (t) => {
    const { node, clock, counts } = nodeOf(t, { error: forbidden("list", "nodes") });
    for (let look = 0; look < 5; look += 1) {
      assert.equal(node.size, undefined);
      await clock.advance(3_600_000);
    }
    assert.deepEqual(counts, { asked: 1, changed: 0 });
    node.wake();
    assert.equal(node.size, undefined);
    await clock.advance(1_000);
    assert.equal(counts.asked, 2);
  });

  test("is asked for again after another failure", async (t) => {
    const answers: { error?: ClusterError | undefined } = { error: broken };
    const { node, clock } = nodeOf(t, answers);
    assert.equal(node.size, undefined);
    await clock.advance(1_000);
    answers.error = undefined;
    assert.equal(node.size, undefined);
    await clock.advance(60_000);
    assert.equal(node.size, undefined);
    await clock.advance(1_000);
    assert.deepEqual(node.size, size);
  });
});
