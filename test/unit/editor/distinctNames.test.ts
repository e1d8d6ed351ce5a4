import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  distinctNameIn,
  distinctNames,
  placedNameIn,
  shortNameIn,
} from "../../../src/editor/apps/distinctNames.ts";

const named = (name: string, id: string, key = `jobs/${id}`) => ({ name, id, key });
const pi = named("pi", "spark-1");
const orders = named("orders", "spark-2");
const otherPi = named("pi", "spark-3");

describe("the names of several applications", () => {
  test("have the id if another one has the same name, and only then", () => {
    const all = [pi, orders, otherPi];
    assert.deepEqual(distinctNames(all), ['"pi" (spark-1)', '"orders"', '"pi" (spark-3)']);
    assert.deepEqual(distinctNames(all.slice(0, 2)), ['"pi"', '"orders"']);
    assert.deepEqual(all.map(distinctNameIn(all)), ["pi (spark-1)", "orders", "pi (spark-3)"]);
  });

  test("have the namespace if the ids are the same, too", () => {
    const all = [named("pi", "etl", "dev/etl"), named("pi", "etl", "jobs/etl"), pi];
    assert.deepEqual(all.map(distinctNameIn(all)), [
      "pi (dev/etl)",
      "pi (jobs/etl)",
      "pi (spark-1)",
    ]);
  });

  test("are those of one application if it is listed twice", () => {
    assert.deepEqual([pi, pi].map(distinctNameIn([pi, pi])), ["pi", "pi"]);
  });

  test("have the end of a long id in a log, unless two ids end the same", () => {
    const long = named("pi", "spark-0123456789abcdef0123456789abcdef");
    const all = [pi, long];
    assert.deepEqual(all.map(shortNameIn(all)), ["pi (spark-1)", "pi (…abcdef)"]);
    const same = named("pi", "spark-ffffffffffffffffffffffffffabcdef");
    assert.equal(shortNameIn([long, same])(long), `pi (${long.key})`);
  });
});

test("the names of objects in several namespaces have the namespace", () => {
  const [dev, jobs] = ["dev", "jobs"].map((namespace) => ({ namespace, name: "etl" }));
  assert.ok(dev && jobs);
  assert.deepEqual([dev, jobs].map(placedNameIn([dev, jobs])), ["dev/etl", "jobs/etl"]);
  assert.equal(placedNameIn([dev])(dev), "etl");
});
