import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { decodeRun, decodeTimeline, imageDigestOf } from "../../../src/spark/history/runRecord.ts";
import { addMark, addSample, emptyTimeline } from "../../../src/spark/timeline/timeline.ts";
import { sampleFixture } from "../timeline/timelineFixture.ts";
import { runFixture } from "./runFixture.ts";

describe("a run's record", () => {
  test("is the same after it was stored", () => {
    const run = runFixture();
    assert.deepEqual(decodeRun(JSON.parse(JSON.stringify(run))), run);
    const open = runFixture({ endedAt: undefined, git: undefined, spent: undefined });
    assert.deepEqual(decodeRun(JSON.parse(JSON.stringify(open))), open);
  });

  test("is rejected without an id, a start or a known outcome", () => {
    for (const name of ["id", "startedAt", "outcome"]) {
      assert.equal(decodeRun({ ...runFixture(), [name]: {} }), undefined, name);
    }
  });

  test("is read from any JSON without an exception", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        decodeRun(json);
        decodeRun({ ...runFixture(), conf: json, git: json, sent: json, args: json });
        decodeTimeline(json);
      }),
    );
  });

  test("keeps a timeline as it was, and rejects one without lists", () => {
    const mark = { at: 1, kind: "killed", pod: "1", exit: "" } as const;
    const timeline = addMark(addSample(emptyTimeline, sampleFixture()), mark);
    const stored: unknown = JSON.parse(JSON.stringify(timeline));
    assert.deepEqual(decodeTimeline(stored)?.marks, timeline.marks);
    assert.equal(decodeTimeline({ ...timeline, marks: [1] }), undefined);
    assert.equal(decodeTimeline({ ...timeline, spent: {} }), undefined);
  });

  test("takes the digest from every form of an image id", () => {
    const digest = `sha256:${"0a".repeat(32)}`;
    for (const id of [`docker.io/x@${digest}`, `docker-pullable://x@${digest}`, digest]) {
      assert.equal(imageDigestOf(id), digest);
    }
    assert.equal(imageDigestOf("docker.io/x:latest"), undefined);
    assert.equal(imageDigestOf(undefined), undefined);
  });
});
