import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { openCatalogue } from "../../../../src/spark/conf/catalogue/catalogue.ts";
import { diagnoserOf } from "../../../../src/spark/conf/lint/diagnoseConf.ts";
import { parseProperties } from "../../../../src/spark/conf/parse/properties.ts";
import { printProperty } from "../../../../src/spark/conf/parse/propertiesEscapes.ts";

type Pair = readonly [string, string];

function check(text: string, ...expected: readonly Pair[]): void {
  const pairs = parseProperties(text).entries.map(({ key, value }): Pair => [key, value]);
  assert.deepEqual(pairs, expected);
}

test("a key ends at the first blank, equals sign or colon, and one separator is skipped", () => {
  check("spark.a 1g", ["spark.a", "1g"]);
  check("spark.a=1g", ["spark.a", "1g"]);
  check("spark.a:1g", ["spark.a", "1g"]);
  check("spark.a \t=  1g", ["spark.a", "1g"]);
  check("spark.a==x", ["spark.a", "=x"]);
  check("spark.a = = x", ["spark.a", "= x"]);
  check("spark.a :value", ["spark.a", "value"]);
  check("=x", ["", "x"]);
});

test("a key alone has an empty value", () => {
  check("spark.a", ["spark.a", ""]);
  check("spark.a=", ["spark.a", ""]);
  check("spark.a  \n", ["spark.a", ""]);
});

test("values lose blanks and control characters at their ends, but no escaped line ends", () => {
  check("spark.a   x y \t", ["spark.a", "x y"]);
  check("spark.a  \\ x\\ ", ["spark.a", "x"]);
  check("spark.a  x\\n", ["spark.a", "x\n"]);
  check("spark.a \\r\\n", ["spark.a", "\r\n"]);
  check("spark.a \u0001x\u0001", ["spark.a", "x"]);
  check("spark.a \u00a0x", ["spark.a", "\u00a0x"]);
});

test("comments begin with # or ! at the beginning of a line only, and are never continued", () => {
  check("# spark.a 1\n  ! spark.b 1\nspark.c v # not a comment", ["spark.c", "v # not a comment"]);
  check("# x \\\nspark.a 1", ["spark.a", "1"]);
  check("; spark.a 1", [";", "spark.a 1"]);
});

test("a backslash at the end of a line joins the next one, less its indentation", () => {
  check("spark.a x,\\\n    y,\\\r\n\tz", ["spark.a", "x,y,z"]);
  check("spark.a\\\n  .b 1", ["spark.a.b", "1"]);
  check("spark.a x\\\n# y", ["spark.a", "x# y"]);
  check("spark.a x\\\n\nspark.b y", ["spark.a", "x"], ["spark.b", "y"]);
  check("spark.a x\\\\\nspark.b y", ["spark.a", "x\\"], ["spark.b", "y"]);
  check("spark.a x\\", ["spark.a", "x"]);
  check("\\\n# comment\nspark.a x", ["spark.a", "x"]);
});

test("escapes are resolved in keys and values", () => {
  check("k\\:e\\=y\\ s v", ["k:e=y s", "v"]);
  check("spark.a a\\tb\\u00e9\\q", ["spark.a", "a\tb\u00e9q"]);
  check("spark.a C:\\dir\\new", ["spark.a", "C:dir\new"]);
});

test("lines end with a line feed, a carriage return or both", () => {
  check(
    "spark.a 1\r\nspark.b 2\rspark.c 3\n",
    ["spark.a", "1"],
    ["spark.b", "2"],
    ["spark.c", "3"],
  );
});

test("spans cover the characters as written, escapes and continuations included", () => {
  const text = "  spark.a\\=b  =  x\\\n  y  \nspark.c";
  const shown = parseProperties(text).entries.map(({ keySpan, valueSpan }) => [
    text.slice(keySpan.start, keySpan.end),
    text.slice(valueSpan.start, valueSpan.end),
  ]);
  assert.deepEqual(shown, [
    ["spark.a\\=b", "x\\\n  y"],
    ["spark.c", ""],
  ]);
});

test("reports an escape that Java rejects, and continues", () => {
  const { entries, findings } = parseProperties("spark.a \\u12\nspark.b 1");
  assert.deepEqual(findings, [{ code: "bad-escape", span: { start: 8, end: 10 } }]);
  assert.equal(entries.length, 2);
});

// Generates texts that mostly consist of characters with a meaning in properties files.
const confText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "\\",
        "\n",
        "\r",
        "\r\n",
        " ",
        "\t",
        "\f",
        "=",
        ":",
        "#",
        "!",
        "\\u",
        "\\u0041",
      ),
      fc.constantFrom("spark.", "spark.executor.memory", "1g", "${spark.a}", "{{ x }}", "\u00a0"),
      fc.string({ unit: "binary", maxLength: 5 }),
    ),
    { maxLength: 60 },
  )
  .map((pieces) => pieces.join(""));

test("for any text, the joined pieces equal the text and every span lies inside it", () => {
  fc.assert(
    fc.property(confText, (text) => {
      const { pieces, entries, findings } = parseProperties(text);
      assert.equal(pieces.map(({ span }) => text.slice(span.start, span.end)).join(""), text);
      assert.equal(pieces.filter(({ kind }) => kind === "entry").length, entries.length);
      const spans = entries.flatMap(({ keySpan, valueSpan }) => [keySpan, valueSpan]);
      for (const { start, end } of [...spans, ...findings.map(({ span }) => span)]) {
        assert.ok(0 <= start && start <= end && end <= text.length);
      }
    }),
  );
});

test("lints any text for any version, with all findings inside it", () => {
  const catalogue = openCatalogue();
  const diagnose = diagnoserOf(catalogue);
  fc.assert(
    fc.property(confText, (text) => {
      for (const version of ["3.3", "4.3"] as const) {
        for (const { span } of diagnose(parseProperties(text), version, new Map())) {
          assert.ok(0 <= span.start && span.start <= span.end && span.end <= text.length);
        }
      }
    }),
  );
});

test("a printed setting reads back as it was", () => {
  const isKept = (char: string): boolean => char > " " || char === "\r" || char === "\n";
  const value = fc
    .string({ unit: "binary", maxLength: 20 })
    .filter((text) => text === "" || (isKept(text.charAt(0)) && isKept(text.slice(-1))));
  fc.assert(
    fc.property(fc.string({ unit: "binary", minLength: 1, maxLength: 20 }), value, (key, text) => {
      check(printProperty(key, text), [key, text]);
    }),
  );
});
