import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  confLanguage,
  podTotalsSetting,
  rulesSetting,
  sparkVersionSetting,
} from "../../../src/editor/conf/confIds.ts";
import {
  newestSparkVersion,
  sparkVersions,
} from "../../../src/spark/conf/catalogue/sparkVersions.ts";

const root = join(import.meta.dirname, "../../..");

const readJson = (path: string): unknown => JSON.parse(readFileSync(join(root, path), "utf8"));

/** Returns the member at a path of a JSON value. */
const at = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (found, name) =>
      typeof found === "object" && found !== null
        ? new Map(Object.entries(found)).get(`${name}`)
        : undefined,
    value,
  );

const manifest = readJson("package.json");

test("the manifest declares the language and the setting that the code uses", () => {
  assert.equal(at(manifest, "contributes", "languages", 0, "id"), confLanguage);
  const section = at(manifest, "contributes", "configuration", 0, "properties");
  const setting = at(section, `sparkK8s.${sparkVersionSetting}`);
  assert.deepEqual(at(setting, "enum"), sparkVersions);
  assert.equal(at(setting, "default"), newestSparkVersion);
  assert.equal(at(setting, "scope"), "resource");
  for (const name of [rulesSetting, podTotalsSetting]) {
    assert.notEqual(at(section, `sparkK8s.${name}`), undefined, name);
  }
});

test("every included rule of the grammar exists", () => {
  const grammar = readJson("syntaxes/spark-conf.tmLanguage.json");
  assert.equal(at(grammar, "scopeName"), at(manifest, "contributes", "grammars", 0, "scopeName"));
  const repository = at(grammar, "repository");
  assert.ok(typeof repository === "object" && repository !== null);
  const rules = new Set(Object.keys(repository).map((name) => `#${name}`));
  const included: unknown[] = [];
  const names: unknown[] = [];
  JSON.parse(JSON.stringify(grammar), (key, value: unknown) => {
    if (key === "include") included.push(value);
    if (key === "name") names.push(value);
    return value;
  });
  assert.deepEqual(
    [...new Set(included)].filter((name) => !rules.has(String(name))),
    [],
  );
  assert.ok(included.length >= rules.size);
  for (const name of names.filter((one) => one !== "Spark conf")) {
    assert.match(String(name), /^[a-z.-]+\.spark-conf$/);
  }
});

test("an empty line does not begin a setting, so a comment after it is not a value", () => {
  const grammar = readJson("syntaxes/spark-conf.tmLanguage.json");
  const begin = at(grammar, "repository", "setting", "begin");
  assert.ok(typeof begin === "string");
  assert.equal(new RegExp(begin).test("\n"), false);
  assert.equal(new RegExp(begin).test("spark.a 1\n"), true);
});

test("the language configuration is JSON with Spark's comment sign", () => {
  const configuration = readJson("syntaxes/spark-conf.language-configuration.json");
  assert.equal(at(configuration, "comments", "lineComment"), "#");
  const word = at(configuration, "wordPattern");
  assert.ok(typeof word === "string");
  assert.deepEqual("spark.executor.memory=4g".match(new RegExp(word, "g")), [
    "spark.executor.memory",
    "4g",
  ]);
});
