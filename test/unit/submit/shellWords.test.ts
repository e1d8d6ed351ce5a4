import assert from "node:assert/strict";
import { test } from "node:test";
import { shellWords } from "../../../src/spark/submit/shellWords.ts";

test("options are split at blanks, and quotes hold together", () => {
  assert.deepEqual(shellWords(" -Da=b  -Dc=\"d e\" '-Df=g h' "), ["-Da=b", "-Dc=d e", "-Df=g h"]);
});

test("a backslash escapes but within single quotes", () => {
  assert.deepEqual(shellWords(String.raw`a\ b "c\"d" 'e\f'`), ["a b", 'c"d', String.raw`e\f`]);
});

test("an empty text has no words, and empty quotes are one", () => {
  assert.deepEqual(shellWords("  "), []);
  assert.deepEqual(shellWords('""'), [""]);
});
