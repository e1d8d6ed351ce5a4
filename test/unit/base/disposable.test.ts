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

test("members are let go of in reverse order, once", () => {
  const { notes, note } = noting();
  const store = new DisposableStore();
  store.add(note("first"));
  store.add(note("second"));
  store.dispose();
  store.dispose();
  assert.deepEqual(notes, ["second", "first"]);
  assert.ok(store.isDisposed);
});

test("what comes after the end is let go of at once", () => {
  const { notes, note } = noting();
  const store = new DisposableStore();
  store.dispose();
  store.add(note("late"));
  assert.deepEqual(notes, ["late"]);
});

test("a member that was removed is let go of then, and not again", () => {
  const { notes, note } = noting();
  const store = new DisposableStore();
  const member = store.add(note("early"));
  store.remove(member);
  store.remove(member);
  store.dispose();
  assert.deepEqual(notes, ["early"]);
});

test("a member that throws keeps no other alive, and its error is thrown at the end", () => {
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

test("an observer hears of each store that comes and goes", () => {
  const open = new Set<Disposable>();
  const observer = {
    created: (store: Disposable) => open.add(store),
    disposed: (store: Disposable) => open.delete(store),
  };
  const [one, two] = [new DisposableStore(observer), new DisposableStore(observer)];
  one.dispose();
  assert.deepEqual([...open], [two]);
});

test("what is still to come is let go of as soon as it is there, if nobody wants it any more", async () => {
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
