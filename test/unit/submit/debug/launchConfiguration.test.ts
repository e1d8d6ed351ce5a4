import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readLaunchConfiguration } from "../../../../src/spark/submit/debug/launchConfiguration.ts";

const own = { type: "spark", request: "launch", name: "etl", __sessionId: "1" };
const read = (more: object): unknown => {
  const result = readLaunchConfiguration({ ...own, ...more });
  return result.ok ? result.value.source : result.error;
};

describe("a launch configuration", () => {
  test("runs a file, a profile or the members of a profile", () => {
    assert.deepEqual(read({ program: "/w/etl.py" }), { kind: "file", path: "/w/etl.py" });
    assert.deepEqual(read({ profile: "etl" }), { kind: "profile", name: "etl" });
    assert.deepEqual(read({ program: "/w/etl.py", image: "spark:4.3.0" }), {
      kind: "definition",
      members: { image: "spark:4.3.0", application: "/w/etl.py" },
    });
  });

  test("is refused without a program, with two, and with an unknown target", () => {
    assert.equal(read({}), "nothingToRun");
    assert.equal(read({ profile: "etl", program: "/w/etl.py" }), "twoSources");
    assert.equal(read({ program: "/w/etl.py", target: "all" }), "unknownTarget");
  });

  test("is not debugged with Run Without Debugging", () => {
    const result = readLaunchConfiguration({ ...own, program: "/w/a.py", noDebug: true });
    assert.equal(result.ok && result.value.isDebugged, false);
  });
});
