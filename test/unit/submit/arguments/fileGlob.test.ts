import assert from "node:assert/strict";
import { test } from "node:test";
import { expandFileGlob } from "../../../../src/spark/submit/arguments/fileGlob.ts";
import type { LocalFiles } from "../../../../src/spark/submit/conf/localFiles.ts";

const filesOf = (...names: readonly string[]): Pick<LocalFiles, "kind" | "names"> => ({
  kind: (path) => (names.includes(path.slice(1)) ? "file" : undefined),
  names: () => names,
});

const expand = (glob: string, ...names: readonly string[]): unknown =>
  expandFileGlob(glob, filesOf(...names) as LocalFiles);

test("matches like a Hadoop glob", () => {
  const names = ["part-0.csv", "part-1.csv", "a.b", "axb", "x(1).py", "q.parquet"];
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ["/part-*.csv", ["/part-0.csv", "/part-1.csv"]],
    ["/part-?.csv", ["/part-0.csv", "/part-1.csv"]],
    ["/part-[^0].csv", ["/part-1.csv"]],
    ["/{a,q}.*", ["/a.b", "/q.parquet"]],
    ["/a.[b]", ["/a.b"]],
    ["/x(?).py", ["/x(1).py"]],
    [String.raw`/a\.b*`, ["/a.b"]],
  ];
  for (const [glob, found] of rows) assert.deepEqual(expand(glob, ...names), found, glob);
});

test("matches a glob with many stars in linear time", () => {
  const start = process.cpuUsage().user;
  assert.deepEqual(expand(`/${"*a".repeat(100)}*b`, "a".repeat(250)), []);
  assert.ok(process.cpuUsage().user - start < 3_000_000);
});
