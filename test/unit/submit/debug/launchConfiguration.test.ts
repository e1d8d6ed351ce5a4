import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  readLaunchConfiguration,
  type LaunchSource,
} from "../../../../src/spark/submit/debug/launchConfiguration.ts";
import { withOverrides } from "../../../../src/spark/submit/debug/launchOverrides.ts";

const own = { type: "spark", request: "launch", name: "etl", __sessionId: "1" };
const read = (more: object): unknown => {
  const result = readLaunchConfiguration({ ...own, ...more });
  return result.ok ? result.value.source : result.error;
};

describe("a launch configuration", () => {
  test("runs a file, a profile or the members of a profile", () => {
    const overrides = {};
    assert.deepEqual(read({ program: "/w/etl.py" }), {
      kind: "file",
      path: "/w/etl.py",
      overrides,
    });
    assert.deepEqual(read({ profile: "etl" }), { kind: "profile", name: "etl", overrides });
    assert.deepEqual(read({ program: "/w/etl.py", image: "spark:4.3.0" }), {
      kind: "definition",
      members: { image: "spark:4.3.0", application: "/w/etl.py" },
    });
  });

  test("changes the definition of its file or profile, unless it names an image", () => {
    const more = { args: ["7"], conf: { "spark.executor.cores": 2 } };
    for (const [program, kind] of [
      [{ program: "/w/etl.py" }, "file"],
      [{ profile: "etl" }, "profile"],
    ] as const) {
      const source = read({ ...program, ...more }) as LaunchSource;
      assert.deepEqual(source.kind !== "definition" && source.overrides, more);
      assert.equal(source.kind, kind);
    }
    const whole = { conf: { "spark.kubernetes.container.image": "spark:4.3.0" } };
    assert.equal((read({ program: "/w/etl.py", ...whole }) as LaunchSource).kind, "definition");
    const definition = {
      type: "spark",
      application: "a.py",
      args: ["1"],
      conf: { a: "1", b: "1" },
    };
    assert.deepEqual(withOverrides(definition, { args: [], conf: { b: "2" } }), {
      ...definition,
      args: [],
      conf: { a: "1", b: "2" },
    });
    assert.equal(withOverrides(definition, {}), definition);
    // The wrong type is reported when the profile is decoded.
    assert.deepEqual(withOverrides(definition, { conf: 7 }), { ...definition, conf: 7 });
  });

  test("waits 10 minutes for its debugger, or the given time", () => {
    const secondsOf = (more: object): unknown => {
      const result = readLaunchConfiguration({ ...own, program: "/w/a.py", ...more });
      return result.ok ? result.value.waitSeconds : result.error;
    };
    assert.equal(secondsOf({}), 600);
    assert.equal(secondsOf({ waitMinutes: 0.5 }), 30);
    assert.equal(secondsOf({ waitMinutes: 0 }), "badWait");
    assert.equal(secondsOf({ waitMinutes: "5" }), "badWait");
  });

  test("stops on entry in drivers only", () => {
    const result = readLaunchConfiguration({ ...own, program: "/w/a.py", stopOnEntry: true });
    assert.equal(result.ok && result.value.stopOnEntry, true);
    assert.equal(
      read({ program: "/w/a.py", stopOnEntry: true, target: "executor" }),
      "entryOfExecutor",
    );
  });

  test("is refused without a program, with two, and with an unknown target", () => {
    assert.equal(read({}), "nothingToRun");
    assert.equal(read({ profile: "etl", program: "/w/etl.py" }), "twoSources");
    assert.equal(read({ profile: "etl", application: "/w/etl.py" }), "twoSources");
    assert.equal(read({ program: "/w/etl.py", target: "all" }), "unknownTarget");
  });

  test("is not debugged with Run Without Debugging", () => {
    const result = readLaunchConfiguration({ ...own, program: "/w/a.py", noDebug: true });
    assert.equal(result.ok && result.value.isDebugged, false);
  });
});
