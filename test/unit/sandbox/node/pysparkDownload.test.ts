// A shell script replaces Python with pip. It writes its arguments to a file. The variable `PIP` selects its behavior.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { chmod, mkdtemp, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import {
  downloadPyspark,
  type PysparkProgress,
} from "../../../../src/sandbox/node/image/pysparkDownload.ts";

const never = new AbortController().signal;
const script = `#!/bin/sh
echo "$@" > "$LOG/arguments"
for last; do :; done
cat "$last" > "$LOG/requirements"
target=$6
case "$PIP" in
  install)
    mkdir -p "$target/pyspark/jars" && : > "$target/pyspark/jars/spark-core_2.13-4.3.0.jar"
    echo "Collecting pyspark" ;;
  progress)
    echo "Downloading pyspark-4.3.0.tar.gz (2.0 MB)"
    echo "   \u2501\u2501\u2501\u2501 1.0/2.0 MB eta 0:00:01"
    dd if=/dev/zero of="$TMPDIR/part" bs=1000000 count=1 2> /dev/null
    # Waits for a report of the size, for at most 20 s.
    for _ in $(seq 200); do [ -e "$LOG/seen" ] && break; sleep 0.1; done
    mkdir -p "$target"
    echo "Installing collected packages: pyspark" ;;
  nothing) mkdir -p "$target" ;;
  refuse)
    echo "WARNING: old" >&2
    echo "ERROR: no matching distribution" >&2
    echo "note: more" >&2
    exit 1 ;;
  hang) sleep 60 ;;
  *) exit 3 ;;
esac
`;

async function pip(t: TestContext, kind: string) {
  const folder = await mkdtemp(join(tmpdir(), "pyspark-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const python = join(folder, "python");
  await writeFile(python, script);
  await chmod(python, 0o755);
  const cacheFolder = join(folder, "cache");
  const seen: PysparkProgress[] = [];
  const options = {
    ...{ python, cacheFolder, hashes: new Map([["4.3.0", "abc"]]) },
    environment: { PATH: process.env["PATH"], LOG: folder, PIP: kind },
    onProgress: (progress: PysparkProgress) => {
      seen.push(progress);
      if ((progress.share ?? 0) > 0) writeFileSync(join(folder, "seen"), "");
    },
  };
  const read = (name: string): Promise<string> => readFile(join(folder, name), "utf8");
  const download = (version = "4.3.0", signal = never) => downloadPyspark(version, options, signal);
  return { cacheFolder, seen, read, download, options };
}

test("installs the package by its checksum into a private cache, and uses it again", async (t) => {
  const { cacheFolder, read, download, seen } = await pip(t, "install");
  const result = await download();
  assert.ok(result.ok);
  assert.equal(result.value.version, "4.3.0");
  assert.equal(await read("requirements"), "pyspark==4.3.0 --hash=sha256:abc\n");
  const words = await read("arguments");
  assert.match(words, /^-I -m pip install --target \S+ --disable-pip-version-check --no-input /);
  assert.match(words, / --no-deps --require-hashes --requirement \S+$/m);
  assert.deepEqual(await readdir(cacheFolder), ["pyspark-4.3.0"]);
  assert.equal((await stat(cacheFolder)).mode & 0o777, 0o700);
  assert.deepEqual(seen, [{ line: "Collecting pyspark", share: undefined }]);
  seen.length = 0;
  assert.ok((await download()).ok);
  assert.deepEqual(seen, []);
});

test("refuses a version that is none, or that has no known checksum", async (t) => {
  const { download, cacheFolder } = await pip(t, "install");
  for (const version of ["4.3", "4.3.0; rm", "../4.3.0", "4.3.0.1"]) {
    assert.deepEqual(await download(version), {
      ...{ ok: false, error: `"${version}" is not a Spark version` },
    });
  }
  const unknown = await download("4.2.9");
  assert.match(unknown.ok ? "" : unknown.error, /^the checksum of pyspark 4\.2\.9 is unknown/);
  await assert.rejects(readdir(cacheFolder));
});

test("reports pip's last error, its exit code, or that it cannot start, and leaves no files", async (t) => {
  for (const [kind, expected] of [
    ["refuse", "pip cannot install pyspark 4.3.0: ERROR: no matching distribution"],
    ["other", "pip cannot install pyspark 4.3.0: pip exited with code 3"],
    ["nothing", "pyspark 4.3.0 contains no Spark"],
  ] as const) {
    const { download, cacheFolder } = await pip(t, kind);
    assert.deepEqual(await download(), { ok: false, error: expected });
    assert.deepEqual(await readdir(cacheFolder), kind === "nothing" ? ["pyspark-4.3.0"] : [], kind);
  }
  const { options } = await pip(t, "install");
  const missing = await downloadPyspark("4.3.0", { ...options, python: "/no/python" }, never);
  assert.match(missing.ok ? "" : missing.error, /ENOENT/);
});

test("replaces a folder in the cache that holds no Spark", async (t) => {
  const { download, cacheFolder } = await pip(t, "install");
  await mkdir(join(cacheFolder, "pyspark-4.3.0", "rest"), { recursive: true });
  assert.ok((await download()).ok);
  assert.deepEqual(await readdir(join(cacheFolder, "pyspark-4.3.0")), ["pyspark"]);
});

test("reports the share of a download by the size of its files, and no progress bars", async (t) => {
  const { download, seen } = await pip(t, "progress");
  await download();
  const line = "Downloading pyspark-4.3.0.tar.gz (2.0 MB)";
  assert.deepEqual(seen[0], { line, share: 0 });
  assert.ok(
    seen.some((one) => one.line === line && one.share === 0.5),
    JSON.stringify(seen),
  );
  assert.deepEqual(seen.at(-1), {
    ...{ line: "Installing collected packages: pyspark", share: undefined },
  });
  assert.equal(new Set(seen.map((one) => one.line)).size, 2);
});

test("ends pip and its processes when it is canceled, and leaves no files", async (t) => {
  const { download, cacheFolder } = await pip(t, "hang");
  const stop = new AbortController();
  const start = performance.now();
  setTimeout(() => {
    stop.abort();
  }, 300);
  await assert.rejects(download("4.3.0", stop.signal), { name: "AbortError" });
  assert.ok(performance.now() - start < 30_000);
  assert.deepEqual(await readdir(cacheFolder), []);
  await assert.rejects(download("4.3.0", AbortSignal.abort()));
});
