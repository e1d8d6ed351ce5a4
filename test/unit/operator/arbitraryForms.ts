// Generates arbitrary submissions: specs from a schema, and command lines with keys that have fields.
import fc from "fast-check";
import type { Json } from "../../../src/base/json.ts";
import {
  allocationFields,
  fieldFamilies,
  fieldRoles,
  strongFields,
  weakFields,
} from "../../../src/spark/operator/kubeflowFields.ts";
import {
  readJson,
  type ManifestSchema,
  type ManifestShape,
} from "../../../src/spark/operator/schema.ts";

const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/);
const phrase = fc.oneof(word, fc.string({ unit: "grapheme", maxLength: 12 }));

/** Generates values that match the schema. */
export function arbitraryOf<T>(schema: ManifestSchema<T>): fc.Arbitrary<T> {
  return jsonOf(schema.shape).map((json) => {
    const { value, findings } = readJson(schema, json);
    if (value === undefined || findings.length > 0) throw new Error(JSON.stringify(findings));
    return value;
  });
}

function jsonOf(shape: ManifestShape): fc.Arbitrary<Json> {
  switch (shape.kind) {
    case "text":
      return phrase;
    case "boolean":
      return fc.boolean();
    case "quantity":
      return fc.constantFrom("500m", 1, "1Gi");
    case "any":
      return fc.constant("any");
    case "integer":
      return fc.integer({ min: shape.minimum ?? 0, max: 70_000 });
    case "choice":
      return fc.constantFrom(...shape.choices);
    case "list":
      return fc.array(jsonOf(shape.of), { maxLength: 2 });
    case "map":
      return fc.dictionary(word, jsonOf(shape.of), { maxKeys: 2 });
    case "open": {
      const required = fc.record(
        Object.fromEntries(
          shape.required.map((name): [string, fc.Arbitrary<Json>] => [name, word]),
        ),
      );
      const more = fc.record({ more: fc.record({ value: phrase }) }, { requiredKeys: [] });
      return fc.tuple(required, more).map(([some, others]) => ({ ...some, ...others }));
    }
    case "record": {
      const fields = Object.entries(shape.fields).map(([name, of]) => [name, jsonOf(of)] as const);
      return fc.record(Object.fromEntries(fields), { requiredKeys: [...shape.required] });
    }
  }
}

const fieldKeys = [...weakFields, ...strongFields, ...allocationFields].map(({ key }) => key);

const otherKeys = [
  "spark.dynamicAllocation.enabled",
  "spark.sql.shuffle.partitions",
  "spark.kubernetes.submission.waitAppCompletion",
  "spark.kubernetes.context",
  "spark.kubernetes.authenticate.submission.oauthToken",
  "spark.kubernetes.authenticate.oauthToken",
  "spark.kubernetes.driver.volumes.nfs.shared.mount.path",
  "spark.kubernetes.file.upload.path",
  "spark.hadoop.",
  ...fieldRoles.flatMap((role) => [
    `spark.kubernetes.${role}.secrets.token`,
    `spark.kubernetes.${role}.secretKeyRef.PASSWORD`,
    `spark.kubernetes.${role}.node.selector.disk`,
  ]),
];

const key = fc.oneof(
  fc.constantFrom(...fieldKeys, ...otherKeys),
  fc.tuple(fc.constantFrom(...fieldFamilies), word).map(([{ prefix }, name]) => `${prefix}${name}`),
  word.map((name) => `spark.${name}`),
);

const confValue = fc.oneof(
  fc.constantFrom("true", "false", "1", "2", "0", "512m", "name:key", "a,b", "", "local:///a.jar"),
  phrase,
);

/** Generates options, resource and arguments of a command line without a master. */
export const lineTokens: fc.Arbitrary<readonly string[]> = fc
  .record({
    name: word,
    conf: fc.array(
      // Without a number the defaults of Spark and the operator differ.
      fc
        .tuple(key, confValue)
        .filter(([name, value]) => value !== "" || !name.endsWith("instances")),
      { maxLength: 12 },
    ),
    mainClass: fc.option(phrase, { nil: undefined }),
    proxyUser: fc.option(word, { nil: undefined }),
    resource: fc.constantFrom(
      "local:///a.jar",
      "s3a://b/main.py",
      "local:///c.R",
      "spark-internal",
    ),
    words: fc.array(phrase, { maxLength: 3 }),
  })
  .map(({ name, conf, mainClass, proxyUser, resource, words }) => [
    ...["--deploy-mode", "cluster", "--name", name],
    ...(mainClass === undefined ? [] : ["--class", mainClass]),
    ...(proxyUser === undefined ? [] : ["--proxy-user", proxyUser]),
    ...conf.flatMap(([entry, value]) => ["--conf", `${entry}=${value}`]),
    resource,
    ...words,
  ]);
