import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { resolveFile } from "../../../src/editor/submit/resolveFile.ts";

const known = ["jobs/etl.py", "jobs/daily/orders.py", "old/orders.py", "lib/Tool.jar"].map(
  (relativePath) => ({ path: `/w/${relativePath}`, relativePath }),
);

const resolve = (text: string, existing: readonly string[] = []) =>
  resolveFile(text, [text.startsWith("/") ? text : `/w/${text}`], known, (path) =>
    Promise.resolve(existing.includes(path)),
  );

describe("a typed file name", () => {
  test("is a path that exists, also outside the workspace", async () => {
    assert.deepEqual(await resolve("/other/a.py", ["/other/a.py"]), {
      kind: "found",
      path: "/other/a.py",
    });
    assert.deepEqual(await resolve("new.py", ["/w/new.py"]), { kind: "found", path: "/w/new.py" });
  });

  for (const text of ["etl.py", "etl", "./jobs/etl.py", "jobs\\etl", "tl.p"]) {
    test(`finds the only file of the workspace with the name: ${text}`, async () => {
      assert.deepEqual(await resolve(text), { kind: "found", path: "/w/jobs/etl.py" });
    });
  }

  test("ignores case in a part of a name", async () => {
    assert.deepEqual(await resolve("tool"), { kind: "found", path: "/w/lib/Tool.jar" });
  });

  test("is ambiguous if several files have it", async () => {
    assert.deepEqual(await resolve("orders.py"), { kind: "several", count: 2 });
    assert.deepEqual(await resolve("daily/orders.py"), {
      kind: "found",
      path: "/w/jobs/daily/orders.py",
    });
  });

  test("is missing if no file has it", async () => {
    assert.deepEqual(await resolve("nowhere.py"), { kind: "missing" });
  });
});
