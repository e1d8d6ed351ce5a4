import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { CodeLanguage } from "../../../src/spark/surfaces/codeLanguage.ts";
import { statementEnd } from "../../../src/spark/surfaces/codeStatements.ts";

const first = (text: string, language: CodeLanguage): string =>
  text.slice(0, statementEnd(text, 0, language));

describe("the first statement of a program", () => {
  const rows: readonly (readonly [CodeLanguage, string, string])[] = [
    ["scala", "a()\n", "b()"],
    ["scala", "a(\n  1,\n)\n", "b()"],
    ["scala", "a\n  .b()\n", "c()"],
    ["scala", "val a =\n  1\n", "b()"],
    ["scala", "a() // (\n", "b()"],
    ["scala", "a() / 2\n", "b()"],
    ["scala", "// first\na()\n", "b()"],
    // A comment after the statement belongs to it.
    ["scala", "a()\n// (\n", "b()"],
    ["scala", "a() /* ( \n ( */\n", "b()"],
    ["scala", "a()\n/*//*/\n", "b()"],
    ["scala", "a()\n/*/ ( */\n", "b()"],
    ["scala", "a() /* open\nb()", ""],
    ["scala", "a())\n", "b(\n)"],
    ["scala", 'a("(")\n', "b()"],
    ["scala", "a('(')\n", "b()"],
    // In Scala a brace opens a block, whose statements are separate.
    ["scala", "a {\nb()\n", "c()\n}"],
    ["python", "a = {\n  1: 2,\n}\n", "b()"],
    ["python", "a() # (\n", "b()"],
    ["python", "a = 1 // 2\n", "b()"],
    ["python", "a('(')\n", "b()"],
    ["python", "a() /* 2\n", "b()"],
    ["python", "a \\\n  = 1\n", "b()"],
  ];
  for (const [language, statement, rest] of rows) {
    test(`ends where the next one begins, in ${language}: ${JSON.stringify(statement)}`, () => {
      assert.equal(first(statement + rest, language), statement);
    });
  }
});
