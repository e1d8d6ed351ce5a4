import assert from "node:assert/strict";
import { test } from "node:test";
import { podAmount } from "../../../src/spark/podAmount.ts";

const init = (amount: number) => ({ amount, isSidecar: false });
const sidecar = (amount: number) => ({ amount, isSidecar: true });

test("a pod needs the sum of its containers, or its largest init container", () => {
  assert.equal(podAmount([1, 2], []), 3);
  assert.equal(podAmount([1, 2], [init(2), init(1)]), 3);
  assert.equal(podAmount([1], [init(2), init(5)]), 5);
});

test("sidecars run beside the containers and the init containers after them", () => {
  assert.equal(podAmount([1, 2], [sidecar(4)]), 7);
  assert.equal(podAmount([1], [sidecar(4), init(3)]), 7);
  assert.equal(podAmount([1], [init(6), sidecar(4)]), 6);
  assert.equal(podAmount([], [sidecar(1), sidecar(2), init(3)]), 6);
});
