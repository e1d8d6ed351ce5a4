import assert from "node:assert/strict";
import { test } from "node:test";
import { disposable } from "../../../src/base/disposable.ts";
import { DelayedRuns } from "../../../src/editor/conf/delayedRuns.ts";

/** Creates delayed runs whose timers the test fires. */
function rig() {
  const pending = new Set<() => void>();
  const runs = new DelayedRuns((run, milliseconds) => {
    assert.equal(milliseconds, 100);
    pending.add(run);
    return disposable(() => pending.delete(run));
  }, 100);
  const done: string[] = [];
  const ask = (name: string, what: string): void => {
    runs.ask(name, () => done.push(what));
  };
  const pass = (): void => {
    for (const run of [...pending]) {
      pending.delete(run);
      run();
    }
  };
  return { runs, ask, pass, done, pending };
}

test("only the latest of several requests under one name runs, once", () => {
  const { ask, pass, done } = rig();
  ask("a", "first");
  ask("a", "second");
  ask("b", "other");
  pass();
  pass();
  assert.deepEqual(done, ["second", "other"]);
});

test("a canceled request does not run", () => {
  const { runs, ask, pass, done } = rig();
  ask("a", "first");
  runs.drop("a");
  pass();
  assert.deepEqual(done, []);
});

test("after its disposal no run is pending or accepted", () => {
  const { runs, ask, pending } = rig();
  ask("a", "first");
  runs.dispose();
  ask("a", "second");
  assert.equal(pending.size, 0);
});
