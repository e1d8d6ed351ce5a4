import assert from "node:assert/strict";
import { test } from "node:test";
import { documentPath } from "../../../src/editor/describe/documentPath.ts";

test("differs for another cluster, namespace or run under the same title", () => {
  const places = [
    ["dev", "jobs", "spark-1"],
    ["prod", "jobs", "spark-1"],
    ["dev", "night", "spark-1"],
    ["dev", "jobs", "spark-2"],
    ["dev/jobs", "spark-1"],
    ["dev%2Fjobs", "spark-1"],
  ];
  const paths = places.map((place) => documentPath(place, "etl.spark.conf"));
  assert.equal(new Set(paths).size, places.length);
  assert.equal(paths[0], "/dev/jobs/spark-1/etl.spark.conf");
});

test("the tab is named by the title alone, a slash in a name included", () => {
  const path = documentPath(["arn:aws:eks:eu:1:cluster/etl", "jobs"], "etl/daily.yaml");
  assert.equal(path, "/arn:aws:eks:eu:1:cluster%2Fetl/jobs/etl%2Fdaily.yaml");
});
