import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { pythonDebuggers } from "../../../../src/storage/debugger/pythonDebuggers.ts";
import { tarArchive } from "../../../../src/storage/debugger/tarArchive.ts";

describe("the debugger for an image", () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "spark-k8s-debugger-"));
    const files: Readonly<Record<string, string>> = {
      "_version.py": '"version": "1.8.21",',
      "__init__.py": "x = 1\n",
      "_vendored/pydevd/pydevd.py": "y = 2\n",
      "_vendored/pydevd/native.so": "binary",
      "_vendored/pydevd/pydevd_attach_to_process/attach_linux_amd64.so": "binary",
      "_vendored/pydevd/pydevd_attach_to_process/winappdbg/process.py": "z = 3\n",
    };
    for (const [name, text] of Object.entries(files)) {
      await mkdir(join(folder, "debugpy", name, ".."), { recursive: true });
      await writeFile(join(folder, "debugpy", name), text);
    }
  });
  after(() => rm(folder, { recursive: true }));

  const debuggers = (cacheFolder: string, pythons: readonly string[] = []) =>
    pythonDebuggers({ cacheFolder: join(folder, cacheFolder), pythons, environment: {} });

  test("contains the Python files, the library that Python 3.10 asks for, and its own modules", async () => {
    const built = await debuggers("list").fromFolder(join(folder, "debugpy"));
    assert.equal(built?.version, "1.8.21");
    const names = execFileSync("tar", ["-tz"], { input: Buffer.from(built.base64, "base64") });
    assert.deepEqual(names.toString().trim().split("\n"), [
      "debugpy/__init__.py",
      "debugpy/_vendored/pydevd/pydevd.py",
      "debugpy/_vendored/pydevd/pydevd_attach_to_process/attach_linux_amd64.so",
      "debugpy/_version.py",
      "spark_k8s_debug.py",
      "spark_k8s_debug_driver.py",
    ]);
  });

  test("is built once and has the same bytes each time", async () => {
    const [one, other] = [debuggers("one"), debuggers("other")];
    const built = await one.fromFolder(join(folder, "debugpy"));
    assert.deepEqual(await other.fromFolder(join(folder, "debugpy")), built);
    assert.deepEqual(await one.fromFolder(join(folder, "debugpy")), built);
    assert.equal((await readdir(join(folder, "one"))).length, 1);
  });

  test("is not built from a folder that is not debugpy", async () => {
    assert.equal(await debuggers("none").fromFolder(folder), undefined);
  });

  test("fails to download without an interpreter and leaves nothing behind", async () => {
    const given = debuggers("missing", ["/missing/python"]);
    const failed = await given.download(AbortSignal.timeout(10_000));
    assert.deepEqual(failed, { ok: false, error: "no Python interpreter with pip was found" });
    assert.equal(await given.downloaded(), undefined);
    assert.deepEqual(await readdir(join(folder, "missing")), []);
  });
});

test("a tar archive keeps long names and sizes", async () => {
  const name = `${"folder/".repeat(20)}${"n".repeat(60)}.py`;
  const archive = await tarArchive([{ name, bytes: Buffer.alloc(1000, "a") }]);
  const listed = execFileSync("tar", ["-tvz"], { input: archive }).toString();
  assert.match(listed, /\s1000 1980-01-01/);
  assert.ok(listed.trimEnd().endsWith(name));
  assert.equal(gunzipSync(archive).length % 512, 0);
});
