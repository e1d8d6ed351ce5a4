import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { filesInside } from "../../../../src/engine/assistant/filesInside.ts";
import type { LocalFiles } from "../../../../src/spark/submit/conf/localFiles.ts";

/** Treats every path as a file. The link `/w/link` leads out of the folder. */
const files: LocalFiles = {
  kind: () => "file",
  text: (path) => ({ text: path, isUtf8: true, byteLength: path.length }),
  base64: () => "eA==",
  names: () => ["a"],
  canonical: (path) => (path === "/w/link" ? "/etc/passwd" : path),
  zipText: () => "x",
};

const seen = (folder: string | undefined, path: string): readonly unknown[] => {
  const inside = filesInside(files, folder);
  return [
    ...[inside.kind(path), inside.text(path)?.text, inside.base64(path)],
    ...[inside.names(path), inside.zipText(path, "e")],
  ];
};

const nothing = [undefined, undefined, undefined, [], undefined];

describe("the files that an assistant may name", () => {
  test("are those below the folder", () => {
    assert.deepEqual(seen("/w", "/w/a.yaml"), ["file", "/w/a.yaml", "eA==", ["a"], "x"]);
  });

  for (const path of ["/etc/passwd", "/world/a", "/w/link"]) {
    test(`do not include ${path} for the folder /w`, () => {
      assert.deepEqual(seen("/w", path), nothing);
    });
  }

  test("are none without a folder", () => {
    assert.deepEqual(seen(undefined, "/w/a.yaml"), nothing);
  });
});
