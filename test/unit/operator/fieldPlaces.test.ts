import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeManifests } from "../../../src/spark/operator/decodeManifests.ts";
import { placeOfField, remarksOf } from "../../../src/spark/operator/fieldPlaces.ts";

const text = `kind: ConfigMap
---
apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata: { name: pi }
spec:
  sparkConf:
    spark.executor.cores: "2"
  driver:
    cors: 1
  volumes:
    - name: a
    - nam: b
`;

for (const [path, expected] of [
  ["spec.driver.cors", "cors"],
  ["spec.driver.cors.deeper", "cors"],
  ["spec.volumes[1].nam", "nam"],
  ["spec.sparkConf[spark.executor.cores]", "spark.executor.cores"],
  ["spec.mainApplicationFile", "spec"],
  ["", "apiVersion: sparkoperator.k8s.io/v1beta2"],
  ["status", "apiVersion: sparkoperator.k8s.io/v1beta2"],
] as const) {
  test(`finds "${path}" at "${expected}"`, () => {
    const [decoded] = decodeManifests(text).manifests;
    assert.ok(decoded);
    const { start, end } = placeOfField(text, decoded.span, path);
    assert.equal(text.slice(start, end), expected);
    assert.ok(start >= text.indexOf("---"));
  });
}

test("reads fields from the causes of an error, or from its message", () => {
  const causes = [{ field: "spec.a", message: "Required value" }];
  assert.deepEqual(remarksOf("said", causes), [{ path: "spec.a", message: "Required value" }]);
  const strict =
    'SparkApplication in version "v1" cannot be handled: strict decoding error: unknown field "spec.a", duplicate field "spec.b[0].c"';
  assert.deepEqual(remarksOf(strict, []), [
    { path: "spec.a", message: 'unknown field "spec.a"' },
    { path: "spec.b[0].c", message: 'duplicate field "spec.b[0].c"' },
  ]);
  assert.deepEqual(remarksOf("quota exceeded", []), [{ path: "", message: "quota exceeded" }]);
});
