import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { projectRoot } from "./sources.ts";

const text = readFileSync(join(projectRoot, "src/threatModel.md"), "utf8");

test("each file that the threat model names as a proof exists", () => {
  const named = [...text.matchAll(/`((?:src|test)\/[\w./-]+)`/g)].map(([, path = ""]) => path);
  assert.ok(named.length > 30);
  assert.deepEqual(
    named.filter((path) => !existsSync(join(projectRoot, path))),
    [],
  );
});

test("each attack in the threat model has a proof", () => {
  const rows = text.split("\n").filter((line) => /^\| (?!attack|mistake|asset|-)/.test(line));
  const afterAssets = rows.filter((row) => row.split("|").length === 5);
  assert.ok(afterAssets.length > 30);
  for (const row of afterAssets) assert.match(row.split("|")[3] ?? "", /`(?:src|test)\//, row);
});
