import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { inEnglish } from "../../../src/base/message.ts";
import { EventLogReader } from "../../../src/spark/eventLog/eventLogReader.ts";
import { summarizeLog } from "../../../src/spark/eventLog/summarizeLog.ts";
import { readEventLog } from "../../../src/storage/eventLog/readEventLog.ts";
import { recordedLog, recording } from "../eventLog/recordedLogs.ts";
import { temporaryFolder } from "./temporaryFolder.ts";

const { signal } = new AbortController();

test("reads plain, gzip and zstd logs, and the folder of a rolling log", async (t) => {
  const folder = temporaryFolder(t);
  const lines = recordedLog("4.3.0-fail").split("\n");
  const half = Math.floor(lines.length / 2);
  const [first, second] = [lines.slice(0, half), lines.slice(half)].map((part) => part.join("\n"));
  const rolling = join(folder, "eventlog_v2_a");
  await mkdir(rolling);
  await writeFile(join(rolling, "appstatus_a"), "");
  await writeFile(join(rolling, "events_1_a.zstd"), zstdCompressSync(`${first ?? ""}\n`));
  await writeFile(join(rolling, "events_2_a.zstd"), zstdCompressSync(second ?? ""));
  await writeFile(join(folder, "a"), lines.join("\n"));
  await writeFile(join(folder, "a.gz"), gzipSync(lines.join("\n")));
  const logs = await Promise.all(
    ["a", "a.gz", "eventlog_v2_a"].map((name) => readEventLog(join(folder, name), signal)),
  );
  const [plain, ...others] = logs;
  assert.ok(plain?.ok === true);
  assert.equal(plain.value.application.exitCode, 1);
  for (const other of others) assert.deepEqual(other, plain);
});

test("reads the complete lines of a log whose last frame is torn", async (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, "events_1_a.zstd");
  const bytes = recording("4.3.0-running.zstd");
  await writeFile(file, bytes.subarray(0, bytes.length - 1_000));
  const log = await readEventLog(file, signal);
  assert.ok(log.ok);
  assert.ok(log.value.stages.length > 0);
  assert.equal(log.value.application.endedAt, undefined);
  assert.ok(log.value.isTorn);
});

for (const [name, pack] of [
  ["a", (text: string) => Buffer.from(text)],
  ["a.gz", gzipSync],
  ["a.zstd", zstdCompressSync],
] as const) {
  test(`tells how much of "${name}" is missing when it is cut at any byte`, async (t) => {
    const file = join(temporaryFolder(t), name);
    const bytes: Buffer = pack(recordedLog("4.3.0-fail"));
    const jobs: number[] = [];
    for (const part of [0.02, 0.2, 0.4, 0.6, 0.8, 0.99, 1]) {
      await writeFile(file, bytes.subarray(0, Math.floor(bytes.length * part)));
      const log = await readEventLog(file, signal);
      if (log.ok) assert.equal(log.value.isTorn, part < 1);
      else assert.equal(log.error.kind, "torn");
      jobs.push(log.ok ? log.value.jobs.length : -1);
    }
    // A zstd block contains 128 KB of text, so the smallest part of the file contains no complete block.
    assert.equal(jobs[0], -1);
    assert.ok((jobs[5] ?? 0) >= 3);
    assert.equal(jobs[6], 5);
    assert.deepEqual(
      jobs,
      [...jobs].sort((a, b) => a - b),
    );
  });
}

test("summarizes the events before a damaged frame", async (t) => {
  const file = join(temporaryFolder(t), "a.gz");
  const bytes = gzipSync(recordedLog("4.3.0-fail"));
  await writeFile(file, bytes.fill(0x5a, bytes.length - 5_000, bytes.length - 4_980));
  const log = await readEventLog(file, signal);
  assert.ok(log.ok);
  assert.ok(log.value.isTorn);
  assert.ok(log.value.jobs.length >= 4);
});

test("finds an uncompressed log complete that ends without a line break", async (t) => {
  const file = join(temporaryFolder(t), "a");
  await writeFile(file, recordedLog("4.3.0-fail").trimEnd());
  const log = await readEventLog(file, signal);
  assert.ok(log.ok);
  assert.ok(!log.value.isTorn);
  assert.equal(log.value.application.exitCode, 1);
});

test("names a missing file, an unsupported codec and a file of another format", async (t) => {
  const folder = temporaryFolder(t);
  await writeFile(join(folder, "a.lz4"), "x");
  await writeFile(join(folder, "b"), "hello\n{}\n");
  await writeFile(join(folder, "c.zstd"), "no frame");
  const problems = await Promise.all(
    ["none", "a.lz4", "b", "c.zstd"].map((name) => readEventLog(join(folder, name), signal)),
  );
  assert.deepEqual(
    problems.map((problem) => (problem.ok ? "ok" : problem.error.kind)),
    ["missing", "codec", "notEvents", "torn"],
  );
});

test("the summary shows failures first, and each text in one line", async (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, "a");
  await writeFile(file, recordedLog("4.3.0-fail"));
  const log = await readEventLog(file, signal);
  assert.ok(log.ok);
  const text = summarizeLog(log.value, inEnglish, String);
  assert.match(text, /^hrest-fail\n=+\n/);
  assert.match(text, /Exit code: +1\n/);
  assert.match(text, /Failures\n-+\njob 3: \[USER_RAISED_EXCEPTION\] planted SQL failure/);
  assert.match(text, /stage 5: 4 times \[USER_RAISED_EXCEPTION\]/);
  assert.ok(text.indexOf("Failures") < text.indexOf("Jobs\n----"));
  assert.ok(text.split("\n").every((line) => line.length < 700));
  assert.doesNotMatch(text, /incomplete/);
});

test("the summary names what is missing at the end of a log", () => {
  const reader = new EventLogReader();
  const lines = recordedLog("4.3.0-fail").trimEnd().split("\n");
  for (const line of lines.slice(0, -1)) reader.takeLine(line);
  assert.match(
    summarizeLog(reader.facts(), inEnglish, String),
    /\n\nThe log does not contain the end of the application\. /,
  );
  reader.takeRest(lines.at(-1)?.slice(0, -5) ?? "");
  const text = summarizeLog(reader.facts(), inEnglish, String);
  assert.match(text, /\n\nThe log is incomplete: it is cut off in the middle of an event/);
  assert.doesNotMatch(text, /does not contain the end/);
});

test("the summary sorts the stages of a job and counts those beyond the column", () => {
  const reader = new EventLogReader();
  for (const stages of [
    [5, 3, 4],
    [23, 12, 9, 14, 15, 16, 17, 18, 10, 11],
  ])
    reader.takeLine(
      JSON.stringify({
        ...{ Event: "SparkListenerJobStart", "Job ID": stages[0], "Stage IDs": stages },
        ...{ "Submission Time": 1, Properties: { "spark.job.description": "count" } },
      }),
    );
  const text = summarizeLog(reader.facts(), inEnglish, String);
  assert.match(text, /\n5 +running +3 4 5 +count\n/);
  assert.match(text, /\n23 +running +9 10 11 12 14 15 16 17 \+2 +count\n/);
});
