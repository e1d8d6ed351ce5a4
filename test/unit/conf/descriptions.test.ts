import { inEnglish } from "../../../src/base/message.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { readDescriptions } from "../../../src/build/descriptions.ts";
import { openCatalogue } from "../../../src/spark/conf/catalogue/catalogue.ts";
import { keyFamilies } from "../../../src/spark/conf/catalogue/families.ts";
import { sparkVersions } from "../../../src/spark/conf/catalogue/sparkVersions.ts";

const catalogue = openCatalogue();
const descriptions = readDescriptions();
const described = descriptions.flatMap(({ keys }) => keys);
const patterns = new Set(keyFamilies.map(({ pattern }) => pattern));
const isKey = (name: string): boolean =>
  sparkVersions.some((version) => catalogue.find(name, version) !== undefined);

test("more than 300 keys have a description, each only one", () => {
  assert.ok(described.filter(isKey).length >= 300);
  assert.equal(new Set(described).size, described.length);
});

test("every public key of Spark on Kubernetes is described", () => {
  for (const version of sparkVersions) {
    for (const { key, entry } of catalogue.keys(version)) {
      if (!key.startsWith("spark.kubernetes.") || entry?.isPublic !== true) continue;
      assert.ok(catalogue.descriptionOf(key), key);
    }
  }
});

test("every family of keys on Kubernetes has a description", () => {
  for (const pattern of patterns) {
    if (!/^spark\.(?:kubernetes\.(?:driver|executor)|executorEnv)\b/.test(pattern)) continue;
    assert.ok(catalogue.descriptionOf(pattern), pattern);
  }
});

test("every description belongs to a key or a family of some version", () => {
  for (const name of described) assert.ok(isKey(name) || patterns.has(name), name);
});

test("the catalogue contains the current descriptions", () => {
  for (const { keys, text } of descriptions) {
    for (const key of keys) assert.equal(inEnglish(catalogue.descriptionOf(key)), text);
  }
  assert.equal(catalogue.descriptionOf("spark.sql.pivotMaxValues"), undefined);
});

test("a description is one to three short sentences", () => {
  for (const { text } of descriptions) {
    assert.ok(text.length <= 320, text);
    assert.match(text, /^[A-Z`~].*\.$/);
  }
});
