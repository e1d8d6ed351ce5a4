import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { Memento } from "vscode";
import { disposable, type Disposable } from "../../../src/base/disposable.ts";
import { Emitter } from "../../../src/base/emitter.ts";
import type { SessionState } from "../../../src/editor/apps/sessionState.ts";
import { markOf, markedStateOf } from "../../../src/editor/logs/keptMark.ts";
import { pruneKept } from "../../../src/editor/logs/pruneKept.ts";
import { resumeKeeping, resumeWhenTrusted } from "../../../src/editor/logs/resumeKeeping.ts";
import type { Freshness } from "../../../src/engine/watch/podSubscription.ts";
import type { Connection } from "../../../src/engine/ports/connection.ts";
import {
  buildApplications,
  emptyModel,
  updateApplications,
} from "../../../src/spark/pods/applications.ts";
import { itemsIn } from "../../../src/spark/pods/ordered.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { replacePods } from "../../../src/spark/pods/podListing.ts";
import { emptySnapshot } from "../../../src/spark/pods/podSnapshot.ts";
import { settle } from "../engine/virtualClock.ts";
import { podFixture } from "../pods/podFixture.ts";

const live: Freshness = { kind: "live", polled: undefined };
const runs = podFixture();

/** Returns a state with one watch of these pods. `scope` is the scope of an additional context. */
function watching(
  pods: readonly PodRecord[],
  { context = "dev", namespace = "jobs", scope = "", freshness = live },
): SessionState {
  const { snapshot } = replacePods(emptySnapshot, pods);
  const changes = { added: pods, modified: [], removed: [] };
  const { model } = updateApplications({ ...emptyModel, scope }, changes);
  const watch = { context, namespace, isMissing: false, freshness, snapshot, model };
  return { kind: "connected", connection: {} as Connection, watches: [watch] };
}

const here = watching([runs], {});
const [application] = itemsIn(
  buildApplications(replacePods(emptySnapshot, [runs]).snapshot).applications,
);
assert.ok(application);
const mark = markOf(here, application);
assert.ok(mark);

for (const [where, state, expected] of [
  ["runs", here, false],
  ["runs in what is a further context now", watching([runs], { scope: "dev|" }), false],
  ["is gone", watching([], {}), true],
  ["has ended", watching([podFixture({ phase: "Succeeded" })], {}), true],
  ["is in a namespace that is not watched", watching([], { namespace: "other" }), undefined],
  ["is in a context that is not watched", watching([], { context: "other" }), undefined],
  ["is not known yet", watching([], { freshness: { kind: "connecting" } }), undefined],
  ["cannot be known, without a connection", { kind: "connecting" } as const, undefined],
] as const) {
  test(`whether a marked application that ${where} is over: ${String(expected)}`, () => {
    assert.equal(markedStateOf(state, mark)?.isOver, expected);
  });
}

const memory = (marks: readonly unknown[]): Memento => ({
  keys: () => [],
  get: () => marks as never,
  update: () => Promise.resolve(),
});

test("resumes marked applications shortly after activation, and opens nothing without marks", (t: TestContext) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let opened = 0;
  const open = (): Promise<void> => {
    opened += 1;
    return Promise.resolve();
  };
  const lives = [[], [mark], [mark]].map((marks) =>
    resumeKeeping(memory(marks), open, assert.ifError),
  );
  assert.equal(opened, 0);
  lives.at(-1)?.dispose();
  t.mock.timers.tick(10_000);
  assert.equal(opened, 1);
});

test("resumes marked applications in a trusted workspace, or when it becomes trusted", () => {
  const granted = new Emitter<undefined>(assert.ifError);
  const grantable = (look: (trusted: undefined) => void): Disposable => granted.event(look);
  const never = (): Disposable => disposable(() => undefined);
  const resumed: string[] = [];
  for (const [name, isTrusted, onDidGrantWorkspaceTrust, marks] of [
    ["trusted", true, never, [mark]],
    ["not trusted", false, grantable, [mark]],
    ["without marks", false, grantable, []],
  ] as const) {
    resumeWhenTrusted(memory(marks), { isTrusted, onDidGrantWorkspaceTrust }, () => {
      resumed.push(name);
    });
  }
  assert.equal(resumed.join(), "trusted");
  granted.fire(undefined);
  assert.equal(resumed.join(), "trusted,not trusted");
});

test("prunes existing kept logs some time after activation", async (t: TestContext) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const pruned: string[] = [];
  const lives = ["there", "gone", "closed"].map((name) => {
    const find = (): Promise<void> =>
      name === "gone" ? Promise.reject(new Error(name)) : Promise.resolve();
    const prune = (): Promise<void> => {
      pruned.push(name);
      return Promise.resolve();
    };
    return pruneKept(find, prune, assert.ifError);
  });
  t.mock.timers.tick(3_000);
  assert.equal(pruned.join(), "");
  lives.at(-1)?.dispose();
  t.mock.timers.tick(60_000);
  await settle();
  assert.equal(pruned.join(), "there");
});
