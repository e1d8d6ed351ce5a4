import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import fc from "fast-check";
import type { LogQuery } from "../../../../src/sandbox/node/node.ts";
import { LogWriter, nanosecondsOf } from "../../../../src/sandbox/node/logs/logFiles.ts";
import { readLog } from "../../../../src/sandbox/node/logs/readLog.ts";

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "spark-k8s-logs-"));
});
after(() => rm(folder, { recursive: true }));

const all: LogQuery = {
  container: "main",
  follow: false,
  previous: false,
  tailLines: undefined,
  since: undefined,
  timestamps: false,
  limitBytes: undefined,
};
const never = new AbortController().signal;

async function read(
  place: string,
  query: Partial<LogQuery> = {},
  writer?: LogWriter,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of readLog(place, { ...all, ...query }, writer, never)) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

test("reads what was printed, for any chunks, with and without follow", async () => {
  const line = fc.oneof(fc.stringMatching(/^[^\n\r]{0,40}$/), fc.constant("x".repeat(40_000)));
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 12 }),
      fc.array(fc.nat(60_000), { maxLength: 6 }),
      fc.option(fc.nat(14), { nil: undefined }),
      async (lines, cuts, tailLines) => {
        const place = await mkdtemp(join(folder, "case-"));
        const text = lines.map((one) => `${one}\n`).join("");
        const bytes = Buffer.from(text);
        const writer = await LogWriter.open(
          place,
          nanosecondsOf(() => 5),
        );
        const followed = read(place, { follow: true }, writer);
        let from = 0;
        for (const cut of [...cuts.sort((a, b) => a - b), bytes.length]) {
          const to = Math.min(cut, bytes.length);
          writer.write("stdout", bytes.subarray(from, to));
          from = to;
          await new Promise(setImmediate);
        }
        writer.dispose();
        assert.equal(await followed, text);
        assert.equal(await read(place), text);
        const last =
          tailLines === undefined
            ? lines
            : lines.slice(lines.length - Math.min(tailLines, lines.length));
        assert.equal(await read(place, { tailLines }), last.map((one) => `${one}\n`).join(""));
      },
    ),
    { numRuns: 60 },
  );
});

test("stops following when it is canceled", async () => {
  const place = join(folder, "canceled");
  const writer = await LogWriter.open(
    place,
    nanosecondsOf(() => 5),
  );
  writer.write("stdout", Buffer.from("one\n"));
  const controller = new AbortController();
  const lines = readLog(place, { ...all, follow: true }, writer, controller.signal);
  const followed = lines[Symbol.asyncIterator]();
  const first = await followed.next();
  assert.equal(String(first.value), "one\n");
  const second = followed.next();
  setImmediate(() => {
    controller.abort();
  });
  await assert.rejects(second, { name: "AbortError" });
  const late = readLog(place, { ...all, follow: true }, writer, controller.signal);
  await assert.rejects(late[Symbol.asyncIterator]().next(), { name: "AbortError" });
  writer.dispose();
});

test("stores lines in the CRI format with increasing times", async () => {
  const place = join(folder, "times");
  const writer = await LogWriter.open(
    place,
    nanosecondsOf(() => Date.UTC(2026, 0, 2, 3, 4, 5, 678)),
  );
  writer.write("stdout", Buffer.from("one\ntw"));
  writer.write("stderr", Buffer.from("err\n"));
  writer.write("stdout", Buffer.from("o\nrest"));
  writer.dispose();
  assert.equal(
    await readFile(join(place, "000000.log"), "utf8"),
    [
      "2026-01-02T03:04:05.678000000Z stdout F one",
      "2026-01-02T03:04:05.678001000Z stderr F err",
      "2026-01-02T03:04:05.678002000Z stdout F two",
      "2026-01-02T03:04:05.678003000Z stdout P rest",
      "",
    ].join("\n"),
  );
  assert.equal(
    await read(place, { timestamps: true, tailLines: 1 }),
    "2026-01-02T03:04:05.678002000Z two\n2026-01-02T03:04:05.678003000Z rest",
  );
  assert.equal(await read(place, { since: Date.UTC(2026, 0, 2, 3, 4, 6) }), "");
  assert.equal(await read(place, { limitBytes: 6 }), "one\ner");
});

test("keeps the last files of a long log", async () => {
  const place = join(folder, "long");
  const writer = await LogWriter.open(
    place,
    nanosecondsOf(() => 5),
  );
  const chunk = Buffer.from(`${"x".repeat(1023)}\n`.repeat(1024));
  for (let written = 0; written < 70; written += 1) writer.write("stdout", chunk);
  writer.write("stdout", Buffer.from("end\n"));
  writer.dispose();
  assert.equal((await readdir(place)).length, 5);
  assert.equal(await read(place, { tailLines: 1 }), "end\n");
});
