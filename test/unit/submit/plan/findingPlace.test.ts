import assert from "node:assert/strict";
import { test } from "node:test";
import { findingPlace } from "../../../../src/spark/submit/plan/findingPlace.ts";
import { conf, findErrors, submissionEnvironmentOf, withOptions } from "../prepared.ts";

const files = {
  "/cwd/p.properties": "# mine\r\nspark.a 1\r\n  spark.driver.port : x\r\n",
  "/cwd/t.yaml": "spec:\n  containers: [\n",
};

test("gives line and column of a properties entry", () => {
  const [error] = findErrors(withOptions("--properties-file", "p.properties"), { files });
  assert.ok(error);
  assert.equal(
    findingPlace(error, submissionEnvironmentOf({ files }).files),
    "/cwd/p.properties:3:3",
  );
});

test("gives the position in a pod template", () => {
  const template = conf("spark.kubernetes.driver.podTemplateFile=t.yaml");
  const [error] = findErrors(withOptions(...template), { files });
  assert.ok(error);
  assert.match(
    findingPlace(error, submissionEnvironmentOf({ files }).files) ?? "",
    /^\/cwd\/t\.yaml:\d:\d+$/,
  );
});

test("gives the path alone without a span", () => {
  const origin = { kind: "file", path: "/cwd/p.properties" } as const;
  const place = submissionEnvironmentOf({ files }).files;
  assert.equal(findingPlace({ origin, key: undefined }, place), "/cwd/p.properties");
  assert.equal(findingPlace({ origin, key: "spark.none" }, place), "/cwd/p.properties");
  assert.equal(
    findingPlace({ origin: { kind: "file", path: "/cwd/none" }, key: "spark.a" }, place),
    "/cwd/none",
  );
});

test("counts lines of all newline forms, and columns from 1", () => {
  const place = { text: () => ({ text: "a\rb\nc\r\n  d", isUtf8: true, byteLength: 10 }) };
  const at = (start: number): string | undefined => {
    const origin = { kind: "file", path: "/f", span: { start, end: start + 1 } } as const;
    return findingPlace({ origin, key: undefined }, place);
  };
  assert.deepEqual([0, 2, 4, 9].map(at), ["/f:1:1", "/f:2:1", "/f:3:1", "/f:4:3"]);
});

test("prefers the key's entry to the span of the origin", () => {
  const origin = {
    kind: "file",
    path: "/cwd/p.properties",
    span: { start: 0, end: 1 },
  } as const;
  const place = submissionEnvironmentOf({ files }).files;
  assert.equal(findingPlace({ origin, key: "spark.a" }, place), "/cwd/p.properties:2:1");
  assert.equal(findingPlace({ origin, key: "spark.none" }, place), "/cwd/p.properties:1:1");
});

test("gives undefined for an argument", () => {
  const [error] = findErrors(withOptions(...conf("spark.driver.port=x")));
  assert.ok(error);
  assert.equal(findingPlace(error, submissionEnvironmentOf({}).files), undefined);
});
