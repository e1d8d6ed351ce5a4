import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  dotted,
  inEnglish,
  inLanguage,
  listed,
  msg,
  sentences,
  templateOf,
  verbatim,
} from "../../../src/base/message.ts";

const marked = (template: string, ...values: (string | number)[]): string =>
  `⟦${template.replace(/\{(\d+)\}/g, (_, at: string) => String(values[Number(at)]))}⟧`;

describe("a message", () => {
  test("in English is its text with the values", () => {
    assert.equal(inEnglish(msg("ready")), "ready");
    assert.equal(inEnglish(msg`exit code ${137}, "${"{0}"}"`), 'exit code 137, "{0}"');
    assert.equal(inEnglish(undefined), undefined);
  });

  test("in a language is looked up by its template, as are the messages in its values", () => {
    const message = msg`pending: ${msg`image "${"a b"}" cannot be pulled`}`;
    assert.equal(inLanguage(message, marked), '⟦pending: ⟦image "a b" cannot be pulled⟧⟧');
  });

  test("lets a translation reorder its values", () => {
    const turned = (_: string, ...[a, b]: (string | number)[]): string => `${b} von ${a}`;
    assert.equal(inLanguage(msg`${1} of ${2}`, turned), "2 von 1");
  });

  test("of data has no translation", () => {
    assert.equal(inLanguage(verbatim("node-1 {0}"), marked), "node-1 {0}");
    assert.equal(inEnglish(verbatim("node-1 {0}")), "node-1 {0}");
  });

  test("has a template with numbered values", () => {
    assert.equal(templateOf(msg`${1} of ${2}`.strings), "{0} of {1}");
    assert.equal(templateOf(msg("ready").strings), "ready");
  });
});

test("messages are joined without those that are undefined", () => {
  const [a, b] = [msg("a"), msg("b")];
  assert.equal(inEnglish(listed([undefined, a, undefined, b])), "a, b");
  assert.equal(inEnglish(dotted([a, b, a])), "a · b · a");
  assert.equal(inEnglish(sentences([a])), "a");
  assert.equal(listed([undefined]), undefined);
  assert.equal(inLanguage(listed([a, b]), marked), "⟦⟦a⟧, ⟦b⟧⟧");
});
