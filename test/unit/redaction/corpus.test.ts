import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inEnglish } from "../../../src/base/message.ts";
import { redaction, secretRule } from "../../../src/spark/redact.ts";
import { redactLine } from "../../../src/spark/redactLine.ts";
import { redactArguments, redactText, redactValue } from "../../../src/spark/redactText.ts";
import { versionTraits } from "../../../src/spark/submit/conf/versionTraits.ts";
import { argumentRows, files, lines, values } from "./corpus.ts";

const isSecret = secretRule(undefined, versionTraits["4.3"].redactionPattern);
const masked = (text: string): string => text.replaceAll("***", redaction);

describe("the corpus of secrets and harmless texts", () => {
  test("has at least a hundred rows", () => {
    assert.ok(lines.length + values.length + argumentRows.length + files.length >= 100);
  });
  for (const { input, expected } of lines) {
    test(`line: ${expected}`, () => {
      const clean = redactLine(input, isSecret);
      assert.equal(clean, masked(expected));
      assert.equal(redactLine(clean, isSecret), clean, "twice");
    });
  }
  for (const { key, input, expected } of values) {
    test(`value of ${key}: ${expected}`, () => {
      const clean = redactValue(key, input, isSecret);
      assert.equal(clean, masked(expected));
      assert.equal(redactValue(key, clean, isSecret), clean, "twice");
    });
  }
  for (const { input, expected } of argumentRows) {
    test(`arguments: ${expected.join(" ")}`, () => {
      const clean = redactArguments(input, isSecret);
      assert.deepEqual(clean, expected.map(masked));
      assert.deepEqual(redactArguments(clean, isSecret), clean, "twice");
    });
  }
  for (const { input, expected } of files) {
    test(`file: ${expected}`, () => {
      const clean = redactText(input, isSecret);
      assert.equal(clean, masked(expected));
      assert.equal(redactText(clean, isSecret), clean, "twice");
    });
  }
});

describe("the rule of an application's own pattern", () => {
  test("counts the pattern in place of the default one", () => {
    const own = secretRule("(?i)pin", /token/);
    assert.deepEqual([own("my.PIN"), own("my.token"), own.problem], [true, false, undefined]);
    const standard = secretRule("(?i)token", /token/i);
    assert.deepEqual(
      [standard("my.TOKEN"), standard("my.pin"), standard.problem],
      [true, false, undefined],
    );
  });

  test("hides everything and says why if the pattern cannot be used", () => {
    const rule = secretRule("(a", /token/);
    assert.equal(rule("harmless"), true);
    assert.match(
      inEnglish(rule.problem) ?? "",
      /^All values are hidden, because spark\.redaction\.regex cannot be used: \S/,
    );
  });
});
