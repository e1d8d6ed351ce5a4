import assert from "node:assert/strict";
import { describe, test } from "node:test";
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
