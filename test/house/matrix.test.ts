import assert from "node:assert/strict";
import { test } from "node:test";
import { findCycles, findViolations } from "./matrix.ts";
import { readImports } from "./readImports.ts";
import { readSources } from "./sources.ts";

const sources = await readSources("src", ".ts");

test("every import follows the dependency rule", () => {
  assert.notEqual(sources.length, 0);
  assert.deepEqual(findViolations(sources), []);
});

test("no files import each other in a circle", () => {
  assert.deepEqual(findCycles(sources), []);
});

test("a circle is found around a corner, a door ends it", () => {
  const circle = (last: string): readonly string[] =>
    findCycles([
      { path: "src/base/a.ts", text: 'import { b } from "./b.ts";' },
      { path: "src/base/b.ts", text: 'export type { C } from "./c.ts";' },
      { path: "src/base/c.ts", text: last },
    ]);
  assert.deepEqual(circle('import type { A } from "./a.ts";'), [
    "src/base/a.ts -> src/base/b.ts -> src/base/c.ts -> src/base/a.ts",
  ]);
  assert.deepEqual(circle('const load = () => import("./a.ts");'), []);
});

test("an import is read in every form it has", () => {
  const text = `
    // import "./comment.ts";
    import "./effect.ts";
    import { a, type B } from './value.ts';
    import type {
      C,
    } from "./type.ts";
    export * from "./again.ts";
    export type { D } from "./typeAgain.ts";
    const e = await import("./lazy.ts"), f = require("./required.cjs");
    type G = import("./typeQuery.ts").G;
    const text = "from './string.ts' import('x')";
  `;
  assert.deepEqual(
    readImports(text).map(({ specifier, line, kind }) => `${line} ${kind} ${specifier}`),
    [
      "3 value ./effect.ts",
      "4 value ./value.ts",
      "7 type ./type.ts",
      "8 value ./again.ts",
      "9 type ./typeAgain.ts",
      "10 lazy ./lazy.ts",
      "10 value ./required.cjs",
      "11 lazy ./typeQuery.ts",
    ],
  );
});
