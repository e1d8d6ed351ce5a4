import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { inEnglish } from "../../../src/base/message.ts";
import { openConf } from "../../../src/editor/conf/door.ts";
import { newestSparkVersion } from "../../../src/spark/conf/catalogue/sparkVersions.ts";
import { allRules, plainRulePage } from "../../../src/spark/conf/rules/numbered/rulePage.ts";
import { decodeManifests } from "../../../src/spark/operator/decodeManifests.ts";
import { checkTranslated, inPseudoLanguage } from "../../pseudoLanguage.ts";

const help = openConf();
const folder = join(import.meta.dirname, "../conf/carets");
const texts = readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8"));

describe("a translation reaches", () => {
  test("each finding about a conf, and its fixes", () => {
    let count = 0;
    for (const text of texts) {
      for (const { message, related } of help.diagnose(text, "properties", newestSparkVersion)) {
        checkTranslated(message);
        checkTranslated(related?.message);
        count++;
      }
      const request = { text, surface: "properties", version: newestSparkVersion } as const;
      const everywhere = { start: 0, end: Math.min(text.length, 400) };
      for (const { title } of help.fixes({ ...request, comment: "#" }, everywhere))
        checkTranslated(title);
    }
    assert.ok(count > 40, String(count));
  });

  test("the pages of rules, whose words are all marked", () => {
    for (const { code, hit } of allRules().slice(0, 20)) {
      const page = plainRulePage(code, inPseudoLanguage) ?? "";
      const unmarked = page
        .split("\n")
        .filter((line) => line !== "" && !/^(?:⟦|R\d|=+$| {4})/.test(line));
      assert.deepEqual(unmarked, [], `${code} ${hit}`);
    }
  });

  test("hovers and completions of keys, with their descriptions", () => {
    for (const key of ["spark.executor.memory", "spark.sql.ansi.enabled", "spark.excutor.cores"]) {
      const hover = help.hover(`${key} 1`, "properties", 0, newestSparkVersion);
      for (const paragraph of hover?.paragraphs ?? []) checkTranslated(paragraph);
    }
    const proposals = help.complete("spark.ex", "properties", 8, newestSparkVersion);
    for (const { detail, description } of proposals) {
      checkTranslated(detail);
      checkTranslated(description);
    }
    assert.ok(proposals.length > 100);
  });

  test("findings about a manifest", () => {
    const manifest = `apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata: { name: A_b, labels: 3 }
spec: { type: Cobol, driver: { cors: 1, cores: x }, executor: { instances: -1 } }
`;
    const { findings } = decodeManifests(manifest);
    assert.ok(findings.length > 4);
    for (const { message } of findings) checkTranslated(message);
  });

  test("the report of an upgrade, apart from codes, keys and values", () => {
    const text = "spark.blacklist.enabled true\nspark.mesos.coarse true\n";
    const found = help.upgrade(text, "properties", "3.3", "4.3");
    const files = [{ ...found, name: "a.conf", uri: "file:///a.conf", text }];
    const report = help.upgradeReport("3.3", "4.3", files, [], inPseudoLanguage);
    const unmarked = report
      .split("\n")
      .filter((line) => line !== "" && !/^ *⟦|^-+$|^a\.conf$/.test(line));
    assert.deepEqual(unmarked, []);
    assert.ok(found.findings.every(({ message }) => inEnglish(message) !== ""));
  });
});
