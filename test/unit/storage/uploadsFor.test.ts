import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { UploadTarget } from "../../../src/engine/ports/files.ts";
import { systemClock } from "../../../src/engine/systemClock.ts";
import { parseS3Address } from "../../../src/storage/s3/s3Address.ts";
import { fileUploads, uploadsFor } from "../../../src/storage/door.ts";
import type { UploadProgress } from "../../../src/engine/ports/files.ts";
import { confOf, strangeDocument } from "./confOf.ts";
import { temporaryFolder } from "./temporaryFolder.ts";

const never = new AbortController().signal;

function uploadsWith(progress: (report: UploadProgress) => void): UploadTarget {
  const options = { environment: {}, homeDirectory: "/nowhere", clock: systemClock };
  return uploadsFor(confOf({}), {
    ...options,
    document: strangeDocument,
    random: Math.random,
    progress,
  });
}

interface Rig {
  readonly folder: string;
  readonly path: string;
  readonly content: Buffer;
}

function rigFor(t: TestContext): Rig {
  const folder = temporaryFolder(t);
  const path = join(folder, "app.jar");
  const content = Buffer.alloc(3_000_000, "jar");
  writeFileSync(path, content);
  return { folder, path, content };
}

test("copies a file to the path that Hadoop reads from the URI", async (t) => {
  const { folder, path, content } = rigFor(t);
  const rows = [
    [`file:${folder}/1/app.jar`, `${folder}/1/app.jar`],
    [`file://${folder}/2/app.jar`, `${folder}/2/app.jar`],
    [`${folder}/3/app.jar`, `${folder}/3/app.jar`],
    [`file:${folder}/4/a b%41#c?.jar`, `${folder}/4/a b%41#c?.jar`],
    [`file:${folder}//5//app.jar`, `${folder}/5/app.jar`],
  ] as const;
  for (const uploads of [fileUploads, uploadsWith(() => undefined)]) {
    for (const [target, expected] of rows) {
      const written = target.replace(folder, join(folder, uploads === fileUploads ? "x" : "y"));
      const place = expected.replace(folder, join(folder, uploads === fileUploads ? "x" : "y"));
      assert.deepEqual(await uploads.copy({ path, target: written }, never), {
        ok: true,
        value: undefined,
      });
      assert.deepEqual(readFileSync(place), content);
    }
  }
});

test("copies an owner-only file with default permissions", async (t) => {
  const { folder, path } = rigFor(t);
  chmodSync(path, 0o600);
  const target = join(folder, "up/app.jar");
  await fileUploads.copy({ path, target }, never);
  writeFileSync(join(folder, "usual"), "");
  assert.equal(statSync(target).mode, statSync(join(folder, "usual")).mode);
});

test("reports increasing progress up to all bytes", async (t) => {
  const { folder, path, content } = rigFor(t);
  const reports: UploadProgress[] = [];
  const upload = { path, target: `file:${folder}/up/app.jar` };
  await uploadsWith((report) => reports.push(report)).copy(upload, never);
  const done = reports.filter(({ stage }) => stage === "sending").map(({ doneBytes }) => doneBytes);
  assert.deepEqual(
    done,
    [...new Set(done)].toSorted((a, b) => a - b),
  );
  assert.deepEqual(reports.at(-1), {
    upload,
    stage: "sending",
    doneBytes: content.length,
    totalBytes: content.length,
  });
});

test("copies no byte of an unchanged large file again, and all of a changed one", async (t) => {
  const { folder } = rigFor(t);
  const path = join(folder, "large.jar");
  writeFileSync(path, Buffer.alloc(3 << 20, 1));
  const stages = new Set<string>();
  const uploads = uploadsWith(({ stage }) => stages.add(stage));
  const copy = async (id: number): Promise<readonly string[]> => {
    stages.clear();
    const copied = await uploads.copy({ path, target: `file:${folder}/up/${id}/large.jar` }, never);
    assert.ok(copied.ok);
    assert.deepEqual(readFileSync(join(folder, `up/${id}/large.jar`)), readFileSync(path));
    return [...stages];
  };
  assert.deepEqual(await copy(1), ["reading", "sending"]);
  assert.deepEqual(await copy(2), ["reading", "copying"]);
  writeFileSync(path, Buffer.alloc(3 << 20, 2));
  assert.deepEqual(await copy(3), ["reading", "sending"]);
  assert.deepEqual(await copy(4), ["reading", "copying"]);
});

test("trusts no symbolic link and no other size under the hash of a file", async (t) => {
  const { folder } = rigFor(t);
  const path = join(folder, "large.jar");
  writeFileSync(path, Buffer.alloc(1 << 20, 1));
  const copy = async (id: number): Promise<void> => {
    await fileUploads.copy({ path, target: `${folder}/up/${id}/large.jar` }, never);
    assert.deepEqual(readFileSync(`${folder}/up/${id}/large.jar`), readFileSync(path));
  };
  await copy(1);
  const name = readdirSync(join(folder, "up")).find((each) => each.startsWith("spark-upload-sha"));
  const kept = join(folder, "up", name ?? "");
  const other = join(folder, "other");
  renameSync(kept, other);
  writeFileSync(other, Buffer.alloc(1 << 20, 3));
  symlinkSync(other, kept);
  await copy(2);
  renameSync(other, kept);
  writeFileSync(kept, "short");
  await copy(3);
});

test("warns once that the driver needs the same folder", async (t) => {
  const { folder, path } = rigFor(t);
  const warnings: string[] = [];
  const options = { environment: {}, homeDirectory: folder, clock: systemClock, random: () => 0 };
  const uploads = uploadsFor(confOf({}), {
    ...options,
    document: strangeDocument,
    warn: (sentence) => warnings.push(sentence),
  });
  for (const id of [1, 2]) {
    await uploads.copy({ path, target: `file:${folder}/${id}/app.jar` }, never);
  }
  assert.equal(warnings.length, 1);
  assert.match(warnings[0] ?? "", /the same folder at the same path/);
});

test("leaves no file and no folder when a copy is aborted", async (t) => {
  const { folder, path } = rigFor(t);
  const cancel = new AbortController();
  const uploads = uploadsWith(() => {
    cancel.abort();
  });
  const target = `file:${folder}/up/app.jar`;
  await assert.rejects(uploads.copy({ path, target }, cancel.signal), { name: "AbortError" });
  assert.deepEqual(readdirSync(folder), ["app.jar"]);
  await assert.rejects(uploads.copy({ path, target }, AbortSignal.abort()), { name: "AbortError" });
  assert.ok(!existsSync(join(folder, "up")));
});

test("keeps an existing file and reports the system error", async (t) => {
  const { folder, path } = rigFor(t);
  const target = join(folder, "there");
  writeFileSync(target, "mine");
  const rows = [
    [path, target, /already exists$/],
    [join(folder, "nothing"), join(folder, "up/x"), /ENOENT: no such file or directory/],
    [folder, join(folder, "up/x"), /EISDIR/],
    [path, join(target, "x"), /EEXIST|ENOTDIR/],
  ] as const;
  for (const [source, place, expected] of rows) {
    const copied = await fileUploads.copy({ path: source, target: place }, never);
    assert.ok(!copied.ok);
    assert.match(copied.error.detail, expected);
    assert.equal(copied.error.upload.target, place);
  }
  assert.equal(readFileSync(target, "utf8"), "mine");
  assert.deepEqual(readdirSync(folder).toSorted(), ["app.jar", "there"]);
});

test("rejects other URI schemes with the alternatives", async () => {
  const uploads = uploadsWith(() => undefined);
  for (const scheme of ["hdfs", "gs", "abfss", "pvc", "claim"]) {
    const upload = { path: "/app.jar", target: `${scheme}://place/spark-upload-1/app.jar` };
    const refused = await uploads.copy(upload, never);
    assert.ok(!refused.ok);
    const { detail } = refused.error;
    assert.match(detail, new RegExp(`"s3a:", "s3:", "file:" addresses, not to "${scheme}:"`));
    assert.match(detail, /"spark\.kubernetes\.file\.upload\.path"/);
    assert.match(detail, /"local:\/\/\/path" for a file in the image or on a mounted volume claim/);
  }
});

test("parses an s3a URI like Hadoop", () => {
  const rows = [
    ["s3a://b/u/x.jar", "b u/x.jar"],
    ["s3://b.c-d_e//u///x y%41#z", "b.c-d_e u/x y%41#z"],
    ["s3a://b/u/./v/../x", "b u/x"],
    ["s3a://b/../../x", "b x"],
    ["s3a://b", undefined],
    ["s3a://b/", undefined],
    ["s3a:///x", undefined],
    ["s3a:x", undefined],
    ["s3a://id:key@b/x", undefined],
    ["s3a://b/\ud800", undefined],
  ] as const;
  for (const [address, expected] of rows) {
    const parsed = parseS3Address(address);
    assert.equal(parsed.ok ? `${parsed.value.bucket} ${parsed.value.key}` : undefined, expected);
  }
  const withSecret = parseS3Address("s3a://id:hunter22@b/x");
  assert.ok(!withSecret.ok && !withSecret.error.includes("hunter22"));
});
