import assert from "node:assert/strict";
import { test } from "node:test";
import { SavedProfiles } from "../../../src/editor/profiles/savedProfiles.ts";
import { VirtualClock } from "../engine/virtualClock.ts";

function rig(onSave: (saved: SavedProfiles) => void = () => undefined) {
  const clock = new VirtualClock();
  const saved: SavedProfiles = new SavedProfiles(clock, () => {
    onSave(saved);
    return Promise.resolve();
  });
  const state = { isUpToDate: false };
  const ask = async (): Promise<void> => {
    await saved.upToDate();
    state.isUpToDate = true;
  };
  return { clock, saved, state, ask };
}

test("profiles are up to date at once if no file was saved", async () => {
  const { clock, state, ask } = rig();
  void ask();
  await clock.advance(0);
  assert.ok(state.isUpToDate);
});

test("profiles of a changed file are up to date when VS Code has read it", async () => {
  const { clock, saved, state, ask } = rig((files) => {
    files.saving();
  });
  void ask();
  await clock.advance(1_900);
  assert.ok(!state.isUpToDate);
  saved.read();
  await clock.advance(0);
  assert.ok(state.isUpToDate);
  assert.equal(clock.pending, 0);
});

test("a save that changes no task delays a run by five seconds at most", async () => {
  const { clock, saved, state, ask } = rig();
  saved.saving();
  await clock.advance(500);
  void ask();
  await clock.advance(4_499);
  assert.ok(!state.isUpToDate);
  await clock.advance(1);
  assert.ok(state.isUpToDate);
});

test("a second save is waited for, too", async () => {
  const { clock, saved, state, ask } = rig();
  saved.saving();
  await clock.advance(1_500);
  saved.saving();
  void ask();
  await clock.advance(1_000);
  assert.ok(!state.isUpToDate);
  saved.read();
  await clock.advance(0);
  assert.ok(state.isUpToDate);
});
