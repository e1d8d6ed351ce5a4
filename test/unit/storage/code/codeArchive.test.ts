import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { SentFile } from "../../../../src/spark/submit/code/sentCode.ts";
import { codeCollector } from "../../../../src/storage/code/codeCollector.ts";
import { tarHeader } from "../../../../src/storage/code/tarEntry.ts";
import { temporaryFolder } from "../temporaryFolder.ts";

const inline = (name: string, bytes: Buffer, isExecutable = false): SentFile => ({
  name,
  size: bytes.length,
  isExecutable,
  role: { kind: "support" },
  content: { kind: "inline", base64: bytes.toString("base64") },
  members: [],
});

function onDisk(path: string, bytes: Buffer): SentFile {
  writeFileSync(path, bytes);
  const { mtimeMs } = statSync(path);
  const name = path.slice(path.lastIndexOf("/") + 1);
  return { ...inline(name, bytes), content: { kind: "disk", path, modifiedMs: mtimeMs } };
}

const signal = new AbortController().signal;

async function bytesOf(files: readonly SentFile[]): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  // A chunk is valid only until the next one is requested, so copy it.
  for await (const chunk of codeCollector.archive(files, signal))
    chunks.push(Uint8Array.from(chunk));
  return Buffer.concat(chunks);
}

/** Extracts an archive and checks the hashes, like the init container. Returns the files by name. */
function extract(folder: string, archive: Buffer): Readonly<Record<string, Buffer>> {
  mkdirSync(folder);
  execFileSync("tar", ["-xf", "-", "-C", folder, "--no-same-owner"], { input: archive });
  execFileSync("sha256sum", ["-c", "--strict", "--quiet", ".sha256sums"], { cwd: folder });
  const names = readdirSync(folder).filter((name) => name !== ".sha256sums");
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name))]));
}

const listed = (archive: Buffer): readonly string[] =>
  execFileSync("tar", ["-tvf", "-", "--numeric-owner", "--utc"], {
    input: archive,
    encoding: "utf8",
  })
    .trimEnd()
    .split("\n")
    .map((line) => line.replace(/ +/g, " "));

describe("the archive of a stream", () => {
  test("has constant modes, owners and times, and the hashes at the end", async (t) => {
    const folder = temporaryFolder(t);
    const files = [
      inline("a.py", Buffer.from("x = 1\n")),
      inline("b.sh", Buffer.from(""), true),
      onDisk(join(folder, "c.bin"), Buffer.alloc(1_000)),
    ];
    assert.deepEqual(listed(await bytesOf(files)), [
      "-r--r--r-- 0/0 6 1980-01-01 00:00 a.py",
      "-r-xr-xr-x 0/0 0 1980-01-01 00:00 b.sh",
      "-r--r--r-- 0/0 1000 1980-01-01 00:00 c.bin",
      "-r--r--r-- 0/0 214 1980-01-01 00:00 .sha256sums",
    ]);
  });

  test("is extracted by tar with all names, sizes and contents", async (t) => {
    const folder = temporaryFolder(t);
    let run = 0;
    const names = fc.uniqueArray(fc.stringMatching(/^[a-zA-Z0-9_.äß漢-]{0,70}x$/), {
      minLength: 1,
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(
        names,
        fc.array(fc.nat(600_000), { minLength: 4, maxLength: 4 }),
        async (all, sizes) => {
          run += 1;
          mkdirSync(join(folder, `from${run}`));
          const contents = all.map((_, index) =>
            Buffer.alloc(sizes[index] ?? 0, `${index}.${run}`),
          );
          const files = all.map((name, index) =>
            index % 2 === 0
              ? inline(name, contents[index] ?? Buffer.alloc(0))
              : onDisk(join(folder, `from${run}`, name), contents[index] ?? Buffer.alloc(0)),
          );
          const found = extract(join(folder, `to${run}`), await bytesOf(files));
          assert.deepEqual(
            found,
            Object.fromEntries(all.map((name, index) => [name, contents[index]])),
          );
        },
      ),
      { numRuns: 25 },
    );
  });

  test("writes names of 255 bytes and sizes above 8 GiB", () => {
    const name = `${"n".repeat(251)}.jar`;
    const header = tarHeader(name, 9 * 1024 ** 3, false);
    const input = Buffer.concat([header, tarHeader("b", 0, false)]);
    // tar lists the entry before it fails because the content is missing.
    const { stdout: line } = spawnSync("tar", ["-tvf", "-"], { input, encoding: "utf8" });
    assert.ok(line.includes(` ${9 * 1024 ** 3} `) && line.includes(name), line);
  });

  test("reads files only as fast as they are taken", async (t) => {
    const file = onDisk(join(temporaryFolder(t), "big.bin"), Buffer.alloc(8 * 1024 * 1024, 1));
    let largest = 0;
    let total = 0;
    for await (const chunk of codeCollector.archive([file], signal)) {
      largest = Math.max(largest, chunk.length);
      total += chunk.length;
    }
    assert.ok(largest <= 256 * 1024 && total > file.size);
  });

  test("fails if a file differs from its collection", async (t) => {
    const path = join(temporaryFolder(t), "a.bin");
    const changes: Readonly<Record<string, () => void>> = {
      grown: () => {
        appendFileSync(path, "x");
      },
      shorter: () => {
        truncateSync(path, 10);
      },
      touched: () => {
        utimesSync(path, 1, 1);
      },
      deleted: () => {
        rmSync(path);
      },
      "a folder": () => {
        rmSync(path);
        mkdirSync(path);
      },
    };
    for (const [name, change] of Object.entries(changes)) {
      const file = onDisk(path, Buffer.alloc(100));
      change();
      await assert.rejects(bytesOf([file]), { name: "CodeChanged", path }, name);
      rmSync(path, { recursive: true, force: true });
    }
  });

  test("fails if a file changes while it is sent", async (t) => {
    const path = join(temporaryFolder(t), "a.bin");
    const file = onDisk(path, Buffer.alloc(2 * 1024 * 1024));
    await assert.rejects(
      async () => {
        let count = 0;
        for await (const chunk of codeCollector.archive([file], signal)) {
          assert.ok(chunk.length <= file.size);
          count += 1;
          if (count === 3) appendFileSync(path, "x");
        }
      },
      { name: "CodeChanged", path },
    );
  });

  test("rejects with an AbortError when it is canceled, and closes the file", async (t) => {
    const canceled = new AbortController();
    const path = join(temporaryFolder(t), "a.bin");
    const file = onDisk(path, Buffer.alloc(2 * 1024 * 1024));
    await assert.rejects(
      async () => {
        for await (const chunk of codeCollector.archive([file], canceled.signal)) {
          assert.ok(chunk.length > 0);
          canceled.abort();
        }
      },
      { name: "AbortError" },
    );
    assert.ok(!openFiles().includes(path));
  });
});

function openFiles(): readonly string[] {
  return process.platform === "linux"
    ? execFileSync("ls", ["-l", `/proc/${process.pid}/fd`], { encoding: "utf8" }).split(/\s/)
    : [];
}
