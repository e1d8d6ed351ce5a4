import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { moduleStateOf } from "./moduleState.ts";
import { readSources } from "./sources.ts";

const foundIn = (text: string): readonly string[] =>
  moduleStateOf({ path: "x.ts", text }).map((place) => place.replace("x.ts:", ""));

describe("mutable state at module level", () => {
  test("no module of src has any", async () => {
    const sources = await readSources("src", ".ts");
    assert.notEqual(sources.length, 0);
    assert.deepEqual(sources.flatMap(moduleStateOf), []);
  });

  test("reports variables that can be reassigned", () => {
    const text = "let a = 1;\nexport let b: string;\nvar c;\nconst d = 1;\ndeclare let e: number;";
    assert.deepEqual(foundIn(text), ["1 a", "2 b", "3 c"]);
  });

  test("reports collections that the module changes", () => {
    const text = [
      "const cache = new Map();",
      "const seen = new WeakSet();",
      "const list: string[] = [];",
      "const counts: Record<string, number> = {};",
      "const fixed = new Map([[1, 2]]);",
      "export function put(key: object): number | undefined {",
      "  cache.set(key, 1);",
      "  seen.add(key);",
      "  list.push('a');",
      "  counts['a'] = 1;",
      "  counts['a'] += 1;",
      "  counts.a++;",
      "  delete counts.a;",
      "  return fixed.get(1);",
      "}",
    ].join("\n");
    const lines = ["cache", "seen", "list", "counts", "counts", "counts", "counts"];
    assert.deepEqual(
      foundIn(text),
      lines.map((name, at) => `${at + 7} ${name}`),
    );
  });

  test("reports changes of variables that another module of ours exports", () => {
    const text =
      'import { list } from "./list.ts";\nimport { other } from "other";\nlist.push(1);\nother.push(1);';
    assert.deepEqual(foundIn(text), ["3 list"]);
  });

  test("reports static fields that can be written", () => {
    const text = "class A {\n  static count = 0;\n  static readonly max = 1;\n  own = 2;\n}";
    assert.deepEqual(foundIn(text), ["2 count"]);
  });

  test("does not report parameters and locals that have the name of a constant", () => {
    const text = [
      "const names: string[] = [];",
      "const at = /a/y;",
      "function f(names: string[]) { names.push('a'); }",
      "function g() { const names = []; names.push('a'); for (const at of names) at.x = 1; }",
      "const h = ({ names }: { names: string[] }) => names.push('a');",
      "function i() { at.lastIndex = 0; }",
    ].join("\n");
    assert.deepEqual(foundIn(text), []);
  });
});
