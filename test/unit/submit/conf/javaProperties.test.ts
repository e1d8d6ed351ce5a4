import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseJavaProperties } from "../../../../src/spark/conf/parse/properties.ts";
import { printJavaProperties } from "../../../../src/spark/submit/conf/javaProperties.ts";

const read = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(parseJavaProperties(text));

test("ends a key at the first separator", () => {
  assert.deepEqual(read("a=1\nb:2\nc 3\nd  =  4\ne==5\nf\ng=\n"), {
    a: "1",
    b: "2",
    c: "3",
    d: "4",
    e: "=5",
    f: "",
    g: "",
  });
});

test("ignores comments and empty lines", () => {
  assert.deepEqual(read("# a=1\n! b=2\n\n  # c=3\nd=4 # no comment\n"), { d: "4 # no comment" });
});

test("joins a line after a trailing backslash without leading whitespace", () => {
  assert.deepEqual(read("a=1,\\\n   2\nb=x\\\\\nc=3"), { a: "1,2", b: "x\\", c: "3" });
});

test("decodes escapes in keys and values", () => {
  assert.deepEqual(read("a\\:b\\=c\\ d=\\t\\n\\u00e9\\q\\\\"), { "a:b=c d": "\t\né" + "q\\" });
});

test("gives both entries of a repeated key, the last one last", () => {
  assert.deepEqual(read("a=1\na=2"), { a: "2" });
});

test("escapes special characters but no non-ASCII letters", () => {
  const pairs = new Map([
    ["spark.master", "k8s://https://h:6443"],
    ["spark.k e", " lead trail "],
    ["spark.v", "tab\tline\ncr\rff\f#!é\\"],
  ]);
  assert.equal(
    printJavaProperties(pairs, ["made by us"]),
    [
      "#made by us",
      "spark.k\\ e=\\ lead trail ",
      "spark.master=k8s\\://https\\://h\\:6443",
      "spark.v=tab\\tline\\ncr\\rff\\f\\#\\!é\\\\",
      "",
    ].join("\n"),
  );
});

test("reads back what it prints", () => {
  // Graphemes contain no lone surrogates, which are not valid text.
  const texts = fc.string({ unit: "grapheme" });
  fc.assert(
    fc.property(
      fc.dictionary(
        texts.filter((key) => key !== ""),
        texts,
      ),
      (record) => {
        const pairs = new Map(Object.entries(record));
        assert.deepEqual(new Map(parseJavaProperties(printJavaProperties(pairs, ["c"]))), pairs);
      },
    ),
  );
});

test("never throws", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      assert.ok(Array.isArray(parseJavaProperties(text)));
    }),
  );
});
