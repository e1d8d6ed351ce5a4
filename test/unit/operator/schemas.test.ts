// Checks field by field that the decoder's schema equals the CRD schema of the cluster tests.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { apacheSpec } from "../../../src/spark/operator/apacheSchema.ts";
import { kubeflowSpec, scheduledSpec } from "../../../src/spark/operator/kubeflowSchema.ts";
import type { ManifestShape } from "../../../src/spark/operator/schema.ts";
import { definitionsIn } from "../../cluster/crds/definitionsIn.ts";
import { isJsonObject, listAt, objectAt, textAt, type JsonObject } from "../../../src/base/json.ts";

const read = (name: string): string =>
  readFileSync(new URL(`../../cluster/crds/${name}`, import.meta.url), "utf8");

const kubeflow = definitionsIn(read("sparkoperator.k8s.io.yaml"));
const apache = definitionsIn(read("spark.apache.org.yaml"));

const specs = [
  ["SparkApplication of kubeflow", kubeflow[0], kubeflowSpec.shape],
  ["ScheduledSparkApplication", kubeflow[1], scheduledSpec.shape],
  ["SparkApplication of Apache", apache[0], apacheSpec.shape],
] as const;

for (const [name, definition, shape] of specs) {
  test(`${name}: has the fields, types, choices and required fields of the CRD`, () => {
    assert.deepEqual(shapeLines("spec", shape), openApiLines("spec", specOf(definition)));
  });
}

function specOf(definition: JsonObject | undefined): JsonObject {
  const [version] = listAt(objectAt(definition ?? {}, "spec"), "versions");
  assert.ok(isJsonObject(version));
  const schema = objectAt(objectAt(version, "schema"), "openAPIV3Schema");
  return objectAt(objectAt(schema, "properties"), "spec");
}

/** Returns one line per field, sorted by name. */
function shapeLines(path: string, shape: ManifestShape): readonly string[] {
  switch (shape.kind) {
    case "record":
      return [
        `${path} object, requires ${[...shape.required].sort().join(" ")}`,
        ...Object.keys(shape.fields)
          .sort()
          .flatMap((field) => {
            const of = shape.fields[field];
            return of === undefined ? [] : shapeLines(`${path}.${field}`, of);
          }),
      ];
    case "open":
      return [`${path} object, requires ${[...shape.required].sort().join(" ")}`];
    case "list":
    case "map":
      return [`${path} ${shape.kind}`, ...shapeLines(`${path}[]`, shape.of)];
    case "choice":
      return [`${path} one of ${[...shape.choices].sort().join(" ")}`];
    case "integer":
      return [`${path} integer from ${shape.minimum ?? "any"}`];
    case "text":
      return [`${path} string`];
    case "any":
    case "boolean":
    case "quantity":
      return [`${path} ${shape.kind}`];
  }
}

function openApiLines(path: string, schema: JsonObject): readonly string[] {
  const { items, additionalProperties: values, enum: choices, minimum } = schema;
  const type = textAt(schema, "type") ?? "any";
  if (schema["x-kubernetes-int-or-string"] === true) return [`${path} quantity`];
  if (isJsonObject(items)) return [`${path} list`, ...openApiLines(`${path}[]`, items)];
  if (isJsonObject(values)) return [`${path} map`, ...openApiLines(`${path}[]`, values)];
  if (choices !== undefined) {
    return [`${path} one of ${listAt(schema, "enum").map(String).sort().join(" ")}`];
  }
  if (type === "integer") {
    return [`${path} integer from ${typeof minimum === "number" ? minimum : "any"}`];
  }
  if (type !== "object") return [`${path} ${type}`];
  const fields = objectAt(schema, "properties");
  const isOpen = schema["x-kubernetes-preserve-unknown-fields"] === true;
  return [
    `${path} object, requires ${listAt(schema, "required").map(String).sort().join(" ")}`,
    ...(isOpen ? [] : Object.keys(fields).sort()).flatMap((field) =>
      openApiLines(`${path}.${field}`, objectAt(fields, field)),
    ),
  ];
}
