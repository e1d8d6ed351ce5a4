import assert from "node:assert/strict";
import { test } from "node:test";
import { Redactor } from "../../../src/cluster/redactor.ts";

test("redacts learned secrets of at least four characters, without surrounding whitespace", () => {
  const redactor = new Redactor();
  redactor.learn("abcd", " efghi\n", "xyz", undefined);
  const clean = redactor.redact("1 abcd 2 efghi 3 xyz");
  assert.doesNotMatch(clean, /abcd|efghi/);
  assert.match(clean, /^1 .* 2 .* 3 xyz$/);
});

test("shortens a text to 4,096 characters, after learned secrets were redacted", () => {
  const redactor = new Redactor();
  const word = "word ".repeat(1_000);
  assert.equal(redactor.redact(word.slice(0, 4_096)), word.slice(0, 4_096));
  assert.equal(redactor.redact(word.slice(0, 4_097)), `${word.slice(0, 4_096)}…`);
  redactor.learn("secret-at-the-end");
  const text = `${word.slice(0, 4_090)}secret-at-the-end`;
  assert.doesNotMatch(redactor.redact(text), /secret/);
});
