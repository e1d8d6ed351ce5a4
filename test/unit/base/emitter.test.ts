import assert from "node:assert/strict";
import { test } from "node:test";
import { Emitter } from "../../../src/base/emitter.ts";

const unexpected = (error: unknown): never => {
  throw error;
};

test("calls listeners in order of subscription, until they unsubscribe", () => {
  const emitter = new Emitter<number>(unexpected);
  const heard: string[] = [];
  const first = emitter.event((value) => heard.push(`first ${value}`));
  emitter.event((value) => heard.push(`second ${value}`));
  emitter.fire(1);
  first.dispose();
  emitter.fire(2);
  assert.deepEqual(heard, ["first 1", "second 1", "second 2"]);
});

test("one function may subscribe twice", () => {
  const emitter = new Emitter<number>(unexpected);
  let count = 0;
  const listen = (): void => {
    count += 1;
  };
  const first = emitter.event(listen);
  emitter.event(listen);
  first.dispose();
  emitter.fire(1);
  assert.equal(count, 1);
});

test("calls the other listeners when one throws", () => {
  const errors: unknown[] = [];
  const emitter = new Emitter<number>((error) => errors.push(error));
  const heard: number[] = [];
  const mistake = new Error("mistake");
  emitter.event(() => {
    throw mistake;
  });
  emitter.event((value) => heard.push(value));
  emitter.fire(7);
  assert.deepEqual([heard, errors], [[7], [mistake]]);
});

test("calls no listener after dispose", () => {
  const emitter = new Emitter<number>(unexpected);
  const heard: number[] = [];
  emitter.event((value) => heard.push(value));
  emitter.dispose();
  emitter.fire(1);
  assert.deepEqual(heard, []);
});
