import assert from "node:assert/strict";
import { test } from "node:test";
import ts from "typescript";
import { growthOf, type Growth } from "./regexAmbiguity.ts";
import { readSources } from "./sources.ts";

interface Found {
  readonly place: string;
  readonly own: Growth;
  readonly search: Growth;
}

function regexesIn(path: string, text: string): readonly Found[] {
  const found: Found[] = [];
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf("/");
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      const growth = growthOf(node.text.slice(1, end), node.text.slice(end + 1));
      found.push({ place: `${path}:${line + 1} ${node.text}`, ...growth });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

const all = (await readSources("src", ".ts")).flatMap(({ path, text }) => regexesIn(path, text));

test("what runs away is told from what does not", () => {
  const rows: readonly (readonly [string, string, Growth, Growth])[] = [
    ["(a+)+$", "", "exponential", "exponential"],
    ["(a*)*b", "", "exponential", "exponential"],
    ["^(?:a|aa)+$", "", "exponential", "exponential"],
    [String.raw`^(\w+\.?)+$`, "", "exponential", "exponential"],
    ["^a*a*$", "", "polynomial", "polynomial"],
    [String.raw`\s+$`, "", "linear", "polynomial"],
    [String.raw`^\s+$`, "", "linear", "linear"],
    ["^[ ]*x", "m", "linear", "linear"],
    ["a+", "", "linear", "linear"],
    ["(?:a|b)+c", "y", "linear", "linear"],
    ["^(?:a,?)+$", "", "linear", "linear"],
  ];
  for (const [source, flags, own, search] of rows)
    assert.deepEqual(growthOf(source, flags), { own, search }, source);
});

test("no regular expression takes exponentially long", () => {
  assert.ok(all.length > 500);
  assert.deepEqual(
    all.filter(({ own }) => own === "exponential").map(({ place }) => place),
    [],
  );
});

test("those that look at what somebody types take no longer than the text is long", () => {
  const typed = /^src\/(?:cli|editor\/conf|spark\/(?:conf|operator|surfaces))[./]/;
  assert.deepEqual(
    all
      .filter(({ place, search }) => typed.test(place) && search !== "linear")
      .map(({ place }) => place),
    [],
  );
});
