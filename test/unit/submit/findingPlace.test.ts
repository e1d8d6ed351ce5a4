import assert from "node:assert/strict";
import { test } from "node:test";
import { findingPlace } from "../../../src/spark/submit/findingPlace.ts";
import { conf, findErrors, surroundingsOf, withOptions } from "./prepared.ts";

const files = {
  "/cwd/p.properties": "# mine\r\nspark.a 1\r\n  spark.driver.port : x\r\n",
  "/cwd/t.yaml": "spec:\n  containers: [\n",
};

test("an entry of a properties file is told with its line and column", () => {
  const [error] = findErrors(withOptions("--properties-file", "p.properties"), { files });
  assert.ok(error);
  assert.equal(findingPlace(error, surroundingsOf({ files }).files), "/cwd/p.properties:3:3");
});

test("a place in a pod template is told, too", () => {
  const template = conf("spark.kubernetes.driver.podTemplateFile=t.yaml");
  const [error] = findErrors(withOptions(...template), { files });
  assert.ok(error);
  assert.match(
    findingPlace(error, surroundingsOf({ files }).files) ?? "",
    /^\/cwd\/t\.yaml:\d:\d+$/,
  );
});

test("an argument has no place in a file", () => {
  const [error] = findErrors(withOptions(...conf("spark.driver.port=x")));
  assert.ok(error);
  assert.equal(findingPlace(error, surroundingsOf({}).files), undefined);
});
