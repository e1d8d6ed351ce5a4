import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fieldsOf, itemsOf } from "../../src/base/json.ts";
import { projectRoot } from "./sources.ts";

const readBundle = (name: string): Promise<Buffer> => readFile(join(projectRoot, "dist", name));

test("the main bundle stays below 150 KB", async () => {
  const { length } = await readBundle("extension.cjs");
  assert.ok(length <= 150_000, `it has ${length} bytes`);
});

test("the main bundle opens its doors as files of their own", async () => {
  const text = (await readBundle("extension.cjs")).toString();
  const required = [...text.matchAll(/\b(?:require|import)\("(\.\/[^"]+)"\)/g)].map(
    ([, path]) => path,
  );
  assert.ok(required.includes("./cluster.cjs"), required.join(", "));
  for (const path of required) await readBundle(String(path));
});

test("the browser's bundle requires only the editor", async () => {
  const text = (await readBundle("web.cjs")).toString();
  const required = new Set([...text.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, path]) => path));
  assert.deepEqual([...required], ["vscode"]);
});

test("the bundle of the conf keys exports its table", async () => {
  const loaded: unknown = await import(join(projectRoot, "dist/catalogue.cjs"));
  const table = fieldsOf(fieldsOf(loaded)["default"]);
  assert.ok(itemsOf(table["rows"]).length > 1_000);
  assert.ok(itemsOf(table["descriptions"]).length > 100);
});
