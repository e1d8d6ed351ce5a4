import assert from "node:assert/strict";
import { test } from "node:test";
import { ownProfileOf } from "../../../src/spark/pods/executorPods.ts";
import { podFixture } from "./podFixture.ts";

test("names the resource profile of an executor unless it is the default", () => {
  const of = (labels: Readonly<Record<string, string>>) => ownProfileOf(podFixture({ labels }));
  assert.equal(of({ "spark-exec-resourceprofile-id": "2" }), "2");
  assert.equal(of({ "spark-exec-resourceprofile-id": "0" }), undefined);
  assert.equal(of({}), undefined);
});
