import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { stringify } from "yaml";
import type { YamlNode } from "../../../src/spark/operator/yamlNode.ts";
import { parseYamlTrees, skimYaml } from "../../../src/spark/operator/yamlTree.ts";

/** Returns keys and scalars with their spans, nested in their maps and lists. */
function outline(node: YamlNode): unknown {
  switch (node.kind) {
    case "scalar":
      return [node.value, node.text, node.span];
    case "list":
      return node.items.map(outline);
    case "map":
      return node.entries.map(({ key, keySpan, value }) => [key, keySpan, outline(value)]);
  }
}

const collections = (documents: readonly YamlNode[]): unknown =>
  documents.filter(({ kind }) => kind !== "scalar").map(outline);

/** Checks that the line reader and the complete YAML parser return the same nodes. */
const check = (text: string): void => {
  assert.deepEqual(collections(skimYaml(text)), collections(parseYamlTrees(text).documents), text);
};

test("reads maps, lists and scalars like the full reader", () => {
  check("a: 1\nb:\n  c: x # comment\n  'd''s': \"e\\tf\"\ng: [1, { h: i }, 'j']\n");
  check("- a: b\n  c: d\n-\n  - e\n  - - f\n    - g\n- 1.5\n- ~\n- yes\n");
  check("list:\n- a\n- b: c\n  d: e\nnext: true\n");
  check("a: |\n  one\n    two\n\n  # three\nb: >-\n  four\n  five\nc: |+\n  six\n\nd: 7\n");
  check("a: one\n  two\nb: 'three\n  four'\nc:\n  five\n  six\n");
  check("base: &base\n  a: 1\n  b: &b [2, 3]\nown:\n  <<: *base\n  a: *b\n  c: { d: *b }\n");
  check("a:\n  &long { b: 1 }\nc: *long\n");
  check("---\na: 1\n---\n# nothing\n---\nb: 2\n...\n");
  check("a: {{ .Values.x }}\nb: {{ y }} # comment\nc: 500m\nd: 4g\ne: 3.5.1\nf: 0x1F\ng: 1e3\n");
  check("a:\r\n  b: c\r\n  d: 'e'\r\n");
  check("\ufeffa: b\n\n\nc:\n");
});

const leaf = fc.oneof(
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.double({ noNaN: true, min: -1e6, max: 1e6 }),
  fc.constantFrom(
    "4g",
    "1.5",
    "500m",
    "a: b",
    "c #d",
    "- e",
    "",
    " f ",
    "g\nh",
    "i\n\n  j\n",
    "yes",
  ),
  fc.string({ unit: "grapheme-ascii", maxLength: 12 }),
);
const key = fc.constantFrom("a", "b.c", "spark.executor.memory", "d e", "8080", "true", "it's");
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie("tree"), { maxLength: 3 }),
    fc.dictionary(key, tie("tree"), { maxKeys: 4 }),
  ),
}));
const style = fc.record({
  indent: fc.constantFrom(2, 4),
  indentSeq: fc.boolean(),
  lineWidth: fc.constantFrom(0, 40),
  defaultStringType: fc.constantFrom(
    "PLAIN" as const,
    "QUOTE_DOUBLE" as const,
    "QUOTE_SINGLE" as const,
  ),
  collectionStyle: fc.constantFrom("any" as const, "flow" as const),
});

test("reads printed YAML like the full reader", () => {
  fc.assert(
    fc.property(fc.dictionary(key, tree, { minKeys: 1, maxKeys: 4 }), style, (value, how) => {
      check(stringify(value, { ...how, version: "1.1" }));
    }),
    { numRuns: 1_500 },
  );
});

test("gives nodes inside the text for any text", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "a: ",
      "- ",
      "\n",
      "  ",
      "{",
      "}",
      "[",
      "]",
      "|",
      ">",
      "'",
      '"',
      "&x ",
      "*x",
      "<<: ",
    ),
    fc.constantFrom("---", "%", "#", "? ", "\t", "\r", "{{", "}}", "!", ",", ":", "1"),
    fc.string({ maxLength: 4 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join("");
      const checkNode = (node: YamlNode): void => {
        const { start, end } = node.span;
        assert.ok(0 <= start && start <= end && end <= text.length, `${start} to ${end}`);
        if (node.kind === "list") node.items.forEach(checkNode);
        if (node.kind === "map")
          node.entries.forEach(({ value }) => {
            checkNode(value);
          });
      };
      skimYaml(text).forEach(checkNode);
    }),
    { numRuns: 3_000 },
  );
});

test("keeps the entries around a half-typed line", () => {
  const keys = (text: string): readonly string[] =>
    skimYaml(text).flatMap((node) =>
      node.kind === "map"
        ? node.entries.flatMap(({ value }) =>
            value.kind === "map" ? value.entries.map((entry) => entry.key) : [],
          )
        : [],
    );
  assert.deepEqual(keys("conf:\n  a: 1\n  spark.ex\n  b: 2\n"), ["a", "b"]);
  assert.deepEqual(keys("conf:\n  spark.ex\n  b: 2\n"), ["b"]);
  assert.deepEqual(keys('conf:\n  a: "1\n  b: 2\n'), ["a", "b"]);
  assert.deepEqual(keys("conf:\n  {{- if x }}\n  a: 1\n  {{- end }}\n  b: 2\n"), ["a", "b"]);
});

/** Valid documents that the line reader reads differently. None of these forms occurs in manifests. */
const differingDocuments: Readonly<Record<string, readonly string[]>> = {
  "a key behind a question mark": ["KK5P", "RR7F", "RZP5", "V9D5", "XW4D", "ZWK4"],
  "an empty key, or a key with a tag or an alias": ["74H7", "E76Z", "FH7J", "NKF9", "PW8X", "S3PD"],
  "a collection as a key": ["6BFJ"],
  "a tag on a value with an anchor or on a list in its key's column": [
    "57H4",
    "9KAX",
    "CUP7",
    "M5C3",
  ],
  "a pair of a map without braces": ["CN3R", "QF4Y"],
  "a key with a colon or a question mark in braces": ["4ABK", "652Z"],
  "the span of a block scalar with blank lines at its end": ["5GBF", "F8F9", "M29M", "XV9V"],
};

test("reads the YAML test suite like the full reader, except listed documents", () => {
  const path = join(import.meta.dirname, "yamlTestSuite.json");
  const { documents } = JSON.parse(readFileSync(path, "utf8")) as {
    readonly documents: Readonly<Record<string, string>>;
  };
  const differing = Object.entries(documents).filter(
    ([, text]) =>
      !isDeepStrictEqual(collections(skimYaml(text)), collections(parseYamlTrees(text).documents)),
  );
  assert.ok(Object.keys(documents).length > 300);
  assert.deepEqual(
    differing.map(([id]) => id).sort(),
    Object.values(differingDocuments).flat().sort(),
  );
});

describe("nesting on one line", () => {
  const nested = (levels: number): readonly string[] => [
    `${"- ".repeat(levels)}a\n`,
    `k:\n  ${"- ".repeat(levels)}a\n`,
    `k: ${"[".repeat(levels)}${"]".repeat(levels)}\n`,
  ];
  const depthOf = (node: YamlNode): number => {
    if (node.kind === "scalar") return 0;
    const parts = node.kind === "list" ? node.items : node.entries.map(({ value }) => value);
    return 1 + Math.max(0, ...parts.map(depthOf));
  };

  test("is read like the full reader up to 150 levels", () => {
    nested(150).forEach(check);
  });

  test("is cut at the depth limit, far from a stack overflow", () => {
    for (const text of nested(100_000)) {
      const depths = skimYaml(text).map(depthOf);
      assert.ok(
        depths.every((depth) => depth <= 202),
        depths.join(),
      );
    }
  });
});

const shared = process.env["SPARK_K8S_SHARED"];
const folders = [
  join(import.meta.dirname, "../../cluster/crds"),
  ...(shared === undefined ? [] : [join(shared, "real-world/crd")]),
];

test("reads published manifests like the full reader", () => {
  for (const folder of folders) {
    for (const name of readdirSync(folder).filter((name) => name.endsWith(".yaml"))) {
      check(readFileSync(join(folder, name), "utf8"));
    }
  }
});
