import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openCatalogue } from "../../../src/spark/conf/catalogue/catalogue.ts";
import { judgeCase, readCases } from "./judgeCase.ts";

// Verdicts of Spark 3.5.9 and 4.3.0, each about one value of one key.
const cases = readCases(readFileSync(join(import.meta.dirname, "oracleSample.tsv"), "utf8"));

test("the sample contains accepted and rejected values of both versions", () => {
  const sorts = new Set(cases.map(({ version, verdict }) => `${version} ${verdict}`));
  assert.deepEqual([...sorts].sort(), [
    "3.5 ERR",
    "3.5 OK",
    "3.5 UNKNOWN",
    "4.3 ERR",
    "4.3 OK",
    "4.3 UNKNOWN",
  ]);
  assert.ok(cases.length > 400);
});

test("each verdict equals that of real Spark", () => {
  const catalogue = openCatalogue();
  for (const oracleCase of cases) {
    assert.equal(judgeCase(catalogue, oracleCase), undefined, JSON.stringify(oracleCase));
  }
});
