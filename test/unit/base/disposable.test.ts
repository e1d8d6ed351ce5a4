import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as settled } from "node:timers/promises";
import {
  disposable,
  disposableOf,
  DisposableStore,
  type Disposable,
} from "../../../src/base/disposable.ts";

function noting(): { readonly notes: string[]; readonly note: (word: string) => Disposable } {
  const notes: string[] = [];
  const note = (word: string): Disposable =>
    disposable(() => {
      notes.push(word);
    });
  return { notes, note };
}

test("disposes members once, in reverse order", () => {
  const { notes, note } = noting();
  const store = new DisposableStore();
  store.add(note("first"));
  store.add(note("second"));
  store.dispose();
  store.dispose();
  assert.deepEqual(notes, ["second", "first"]);
  assert.ok(store.isDisposed);
});

test("disposes a member at once when it is added after dispose", () => {
  const { notes, note } = noting();
  const store = new DisposableStore();
  store.dispose();
  store.add(note("late"));
  assert.deepEqual(notes, ["late"]);
});

test("disposes a removed member at once, and not again", () => {
  const { notes, note } = noting();
  const store = new DisposableStore();
  const member = store.add(note("early"));
  store.remove(member);
  store.remove(member);
  store.dispose();
  assert.deepEqual(notes, ["early"]);
});

test("disposes all members when one throws, then throws the error", () => {
  const { notes, note } = noting();
  const fail = (word: string): Disposable =>
    disposable(() => {
      throw new Error(word);
    });
  const one = new DisposableStore();
  one.add(note("kept"));
  one.add(fail("only"));
  assert.throws(() => {
    one.dispose();
  }, /^Error: only$/);
  const two = new DisposableStore();
  two.add(fail("a"));
  two.add(note("between"));
  two.add(fail("b"));
  assert.throws(() => {
    two.dispose();
  }, AggregateError);
  assert.deepEqual(notes, ["kept", "between"]);
});

test("an observer is notified of each created and disposed store", () => {
  const open = new Set<Disposable>();
  const observer = {
    created: (store: Disposable) => open.add(store),
    disposed: (store: Disposable) => open.delete(store),
  };
  const [one, two] = [new DisposableStore(observer), new DisposableStore(observer)];
  one.dispose();
  assert.deepEqual([...open], [two]);
});

test("disposes a pending value when it resolves, if it is already disposed", async () => {
  const { notes, note } = noting();
  const errors: unknown[] = [];
  const failed = (error: unknown): void => void errors.push(error);
  const wanted = disposableOf(Promise.resolve(note("wanted")), failed);
  const unwanted = disposableOf(Promise.resolve(note("unwanted")), failed);
  disposableOf(Promise.reject(new Error("lost")), failed);
  unwanted.dispose();
  assert.deepEqual(notes, []);
  await settled();
  assert.deepEqual(notes, ["unwanted"]);
  assert.match(String(errors), /lost/);
  wanted.dispose();
  assert.deepEqual(notes, ["unwanted", "wanted"]);
});
