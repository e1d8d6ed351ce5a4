import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, test, type TestContext } from "node:test";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { DisposableStore } from "../../../src/base/disposable.ts";
import { readEventLog } from "../../../src/storage/eventLog/readEventLog.ts";
import { recordedLog } from "../eventLog/recordedLogs.ts";
import { temporaryFolder } from "../storage/temporaryFolder.ts";
import { replaceVscode } from "./ui/replaceVscode.ts";
import { answerTo, given, reset, Uri } from "./ui/stubVscode.ts";

replaceVscode();
const { showEventLog } = await import("../../../src/editor/describe/showEventLog.ts");

beforeEach(() => {
  reset();
});

/** Selects a file in the dialog, accepts the offer to open the Spark UI, and returns all effects. */
async function choose(t: TestContext, file: string) {
  const shown: [title: string, text: string][] = [];
  const served: string[] = [];
  answerTo("showOpenDialog", () => Promise.resolve([new Uri(file)]));
  answerTo("withProgress", (_, work) =>
    (work as (progress: unknown, token: unknown) => unknown)(undefined, {
      isCancellationRequested: false,
      onCancellationRequested: () => ({ dispose: () => undefined }),
    }),
  );
  answerTo("showInformationMessage", (...values) => Promise.resolve(values.at(-1)));
  const updates = new DisposableStore();
  t.after(() => {
    updates.dispose();
  });
  await showEventLog({
    documents: {
      show: (title: string, text: string) => {
        shown.push([title, text]);
        return Promise.resolve();
      },
    } as never,
    readEventLog,
    findSpark: () =>
      Promise.resolve({
        version: "4.3.0",
        startHistoryServer: (path) => {
          served.push(path);
          return Promise.resolve({ ok: false, error: "no port" });
        },
      }),
    updates,
  });
  const errors = given
    .filter(({ name }) => name === "showErrorMessage")
    .map(({ values }) => values);
  return { shown, served, errors };
}

test("the dialog selects files only, as it can select files or folders on Windows and Linux", async (t) => {
  const file = join(temporaryFolder(t), "a");
  await writeFile(file, recordedLog("4.3.0-fail"));
  await choose(t, file);
  const dialog = given.find(({ name }) => name === "showOpenDialog")?.values[0];
  assert.deepEqual(dialog, { title: "Open Event Log", openLabel: "Open", canSelectFiles: true });
});

test("reads and serves the folder of a rolling log when one of its files is chosen", async (t) => {
  const folder = join(temporaryFolder(t), "eventlog_v2_app-1");
  await mkdir(folder);
  const lines = recordedLog("4.3.0-fail").split("\n");
  const half = Math.floor(lines.length / 2);
  for (const [at, part] of [lines.slice(0, half), lines.slice(half)].entries())
    await writeFile(
      join(folder, `events_${at + 1}_app-1.zstd`),
      zstdCompressSync(`${part.join("\n")}\n`),
    );
  await writeFile(join(folder, "appstatus_app-1"), "");
  const shown = [];
  for (const name of ["events_2_app-1.zstd", "appstatus_app-1"]) {
    const effects = await choose(t, join(folder, name));
    assert.deepEqual(effects.served, [folder]);
    shown.push(...effects.shown);
  }
  assert.equal(shown.length, 2);
  for (const [, text] of shown) assert.match(text, /Jobs: +5\n/);
});

test("the title names the application, or the log if the start of the application is missing", async (t) => {
  const folder = temporaryFolder(t);
  const log = recordedLog("4.3.0-fail");
  const headless = log
    .split("\n")
    .filter((line) => !line.includes("SparkListenerApplicationStart"))
    .join("\n");
  await writeFile(join(folder, "a"), log);
  await writeFile(join(folder, "spark-1.zstd"), zstdCompressSync(headless));
  const titles = [];
  for (const name of ["a", "spark-1.zstd"])
    titles.push(...(await choose(t, join(folder, name))).shown.map(([title]) => title));
  assert.deepEqual(titles, ["hrest-fail event log.txt", "spark-1 event log.txt"]);
});

test("says that a log was cut off, and why one cannot be read", async (t) => {
  const folder = temporaryFolder(t);
  const log = gzipSync(recordedLog("4.3.0-fail"));
  const half = join(folder, "half.gz");
  const little = join(folder, "little.gz");
  await writeFile(half, log.subarray(0, log.length / 2));
  await writeFile(little, log.subarray(0, log.length / 20));
  const [shown] = (await choose(t, half)).shown;
  assert.match(shown?.[1] ?? "", /^hrest-fail\n=+\n\nThe log is incomplete: it is cut off/);
  const { errors } = await choose(t, little);
  assert.match(
    String(errors.at(-1)?.[0]),
    /^Cannot read ".*little\.gz": it is truncated or corrupted/,
  );
});
