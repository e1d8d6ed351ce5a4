import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { shellWords, type BackslashRule } from "../../../src/spark/shellWords.ts";

const rules: readonly BackslashRule[] = ["everywhere", "inDoubleQuotes"];

describe("shell words", () => {
  test("splits at whitespace outside quotes", () => {
    for (const rule of rules) {
      assert.deepEqual(shellWords(" -Da=b \t -Dc=\"d e\"\n'-Df=g h' ", rule), [
        "-Da=b",
        "-Dc=d e",
        "-Df=g h",
      ]);
    }
  });

  test("joins quoted and unquoted parts without whitespace between them", () => {
    for (const rule of rules) assert.deepEqual(shellWords(`a"b c"'d'e`, rule), ["ab cde"]);
  });

  test("gives no word for blank text and an empty word for empty quotes", () => {
    for (const rule of rules) {
      assert.deepEqual(shellWords("  ", rule), []);
      assert.deepEqual(shellWords(`"" ''`, rule), ["", ""]);
    }
  });

  test("ends an unclosed quote at the end of the text", () => {
    for (const rule of rules) assert.deepEqual(shellWords(`a "b c`, rule), ["a", "b c"]);
  });

  test("keeps the other quote inside quotes", () => {
    for (const rule of rules) assert.deepEqual(shellWords(`"it's" 'a"b'`, rule), ["it's", 'a"b']);
  });

  test("escapes with a backslash in double quotes and never in single quotes", () => {
    for (const rule of rules) {
      assert.deepEqual(shellWords(String.raw`"c\"d\e" 'e\f'`, rule), ['c"de', String.raw`e\f`]);
    }
  });

  test("escapes outside quotes by the launcher's rule only", () => {
    assert.deepEqual(shellWords(String.raw`a\ b\\c`, "everywhere"), [String.raw`a b\c`]);
    assert.deepEqual(shellWords(String.raw`a\ b\\c`, "inDoubleQuotes"), ["a\\", String.raw`b\\c`]);
  });

  test("keeps a backslash at the end of the text", () => {
    for (const rule of rules) assert.deepEqual(shellWords("a\\", rule), ["a\\"]);
  });
});
