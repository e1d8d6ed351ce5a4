// Checks the texts of findings on every surface. Only hovers and SARIF's "markdown" render Markdown; all others must be
// plain.
import { inEnglish, type Message } from "../../../src/base/message.ts";
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { openConf } from "../../../src/editor/conf/door.ts";
import { openCatalogue } from "../../../src/spark/conf/catalogue/catalogue.ts";
import { sparkVersions } from "../../../src/spark/conf/catalogue/sparkVersions.ts";
import { allRules, plainRulePage } from "../../../src/spark/conf/rules/numbered/rulePage.ts";
import { decodeManifests } from "../../../src/spark/operator/decodeManifests.ts";
import { preflightWords } from "../../../src/spark/submit/preflight/preflightFinding.ts";
import { problems } from "../../../src/spark/submit/plan/problems.ts";

const help = openConf();
const catalogue = openCatalogue();
const folder = join(import.meta.dirname, "../conf/carets");
const texts = readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8"));
const unrendered = /`|\*\*|\]\(|\\[>*_#()[\]-]/;

/** Fails for text with Markdown syntax on a surface that does not render it. */
function checkPlain(surface: string, text: string): void {
  assert.doesNotMatch(text, unrendered, `${surface}: ${text}`);
}

/** Returns the texts that a table of messages makes from plain arguments. */
const messagesOf = (table: Readonly<Record<string, unknown>>, given: unknown): readonly string[] =>
  Object.values(table).flatMap((make) => {
    if (typeof make !== "function") return [];
    const said: unknown = (make as (...words: readonly unknown[]) => unknown)(
      ...Array.from({ length: make.length }, () => given),
    );
    return Object.values(said as object).flatMap((value: unknown) =>
      isMessage(value) ? [value.strings.join("a")] : [],
    );
  });

const isMessage = (value: unknown): value is Message =>
  typeof value === "object" && value !== null && "strings" in value;

describe("the text of a finding shows no Markdown marks", () => {
  test("in Problems and on the command line", () => {
    const found = texts.flatMap((text) =>
      sparkVersions.flatMap((version) => help.diagnose(text, "properties", version)),
    );
    assert.ok(found.length > 100);
    for (const { message } of found) checkPlain("Problems", inEnglish(message));
  });

  test("in the pages of rules", () => {
    for (const { code, says } of allRules()) {
      checkPlain("rule", inEnglish(says));
      checkPlain("rule page", plainRulePage(code, inEnglish) ?? "");
    }
  });

  test("in the report of an upgrade", () => {
    const files = texts.map((text, index) => ({
      ...help.upgrade(text, "properties", "3.3", "4.3"),
      ...{ name: `${index}.conf`, uri: `file:///w/${index}.conf`, text },
    }));
    const defaults = help.changedDefaults("3.3", "4.3");
    const report = help.upgradeReport("3.3", "4.3", files, defaults, inEnglish);
    assert.match(report, /^Changed defaults$/m);
    checkPlain("upgrade", report);
  });

  test("in the documents and terminals of submissions and checks", () => {
    for (const message of messagesOf(preflightWords, "a")) checkPlain("check", message);
    const manifest = `apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata: { name: A_b, labels: 3 }
spec: { type: Cobol, driver: { cors: 1, cores: x }, executor: { instances: -1 } }
`;
    const { findings } = decodeManifests(manifest);
    assert.ok(findings.length > 4);
    for (const { message } of findings) checkPlain("manifest", inEnglish(message));
    for (const message of messagesOf(problems, ["a"])) checkPlain("submission", message);
  });
});

test("a hover renders all its marks: code spans are closed, and nothing is escaped twice", () => {
  for (const { key } of catalogue.keys("4.3")) {
    const hover = help.hover(`${key} 1`, "properties", 0, "4.3");
    for (const message of hover?.paragraphs ?? []) {
      const paragraph = inEnglish(message);
      assert.equal(paragraph.split("`").length % 2, 1, paragraph);
      assert.doesNotMatch(paragraph.replaceAll(/`[^`]*`/g, ""), /\\[>*_#()[\]-]/, paragraph);
    }
  }
});
