import assert from "node:assert/strict";
import { test } from "node:test";
import { compileJava } from "../../../src/spark/javaPattern.ts";

const isFoundIn = (pattern: string, text: string): boolean | undefined => {
  const compiled = compileJava(pattern);
  return compiled.ok ? compiled.value.test(text) : undefined;
};

test("reads patterns as Java does", () => {
  const rows: readonly (readonly [string, string, boolean])[] = [
    ["(?i)secret|password|token|access[.]?key|credential", "spark.Access.KEY", true],
    ["(?i)secret|password|token|access[.]?key|credential", "spark.master", false],
    ["(?i:sec)ret", "SECret", true],
    ["(?i:sec)ret", "SECRET", false],
    ["(?is)a.b", "A\nB", true],
    [String.raw`\Qa.b\E+`, "a.bb", true],
    [String.raw`\Qa.b\E`, "axb", false],
    [String.raw`[\Qa-z\E]`, "-", true],
    [String.raw`[\Qa-z\E]`, "m", false],
    ["key$", "my.key", true],
    ["key$", "my.key\r\n", true],
    ["key$", "my.key\u2028", true],
    ["key$", "keys", false],
    [String.raw`a\sb`, "a\u000bb", true],
    [String.raw`a[\s,]b`, "a\u000bb", true],
    ["[]a]x", "]x", true],
    ["[^]a]x", "]x", false],
    ["(?<name>se)cret", "secret", true],
    [String.raw`\x41\p{Lu}`, "AB", true],
  ];
  for (const [pattern, text, isFound] of rows)
    assert.equal(isFoundIn(pattern, text), isFound, `${pattern} in ${JSON.stringify(text)}`);
});

test("refuses patterns that RE2 cannot read or reads otherwise", () => {
  const refused = [
    ...["(?=a)b", "(?!a)b", "(?<=a)b", "(?<!a)b", "(?>a)b", "a++", "a*+", "a?+"],
    ...[String.raw`(a)\1`, String.raw`(a)\11`, String.raw`\v`, String.raw`\h`, String.raw`\R`],
    ...[String.raw`\Z`, String.raw`\u0041`, String.raw`\p{Alpha}`, String.raw`\C`],
    ...["(?m)^a", "(?x)a b", "(?U)a", "(?d)a", "(?u)a", "[a-z&&[^b]]", "[a[bc]]", "(", "\\"],
    "a".repeat(1_001),
  ];
  for (const pattern of refused) assert.equal(isFoundIn(pattern, "a"), undefined, pattern);
});
