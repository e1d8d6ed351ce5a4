import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import type { TreeNode } from "../../../src/editor/apps/treeNode.ts";
import {
  forgetKeptLogs,
  openKeptLog,
  searchKeptLogs,
} from "../../../src/editor/logs/keptLogsView.ts";
import type { OpenedLog } from "../../../src/editor/logs/logEditors.ts";
import {
  compareLogs,
  openLogDocuments,
  openLogErrors,
  openPreviousLogs,
  saveLog,
  type DocumentContext,
} from "../../../src/editor/logs/openDocuments.ts";
import type { KeptLog, LogRequest, LogSource } from "../../../src/engine/ports/logs.ts";
import type { LogLine } from "../../../src/spark/logs/logLine.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { driverFixture, endedFixture, executorFixture } from "../pods/podFixture.ts";
import { scriptedScreen } from "./screenFixture.ts";
import { missing, sessionFixture, strictLog } from "./sessionFixture.ts";
import { dateAndTime, timeOfDay } from "../../../src/base/timeOfDay.ts";

const key = "jobs/spark-1";
const driverPod = driverFixture().name;
const pi: TreeNode = { kind: "application", id: "a", key };
const executor = (id: number): TreeNode => {
  const uid = `exec-${id}`;
  return { kind: "executor", id: uid, key, uid };
};
const linesOf = (...texts: readonly string[]): readonly LogLine[] =>
  texts.map((text) => ({ timestamp: "", text }));

/**
 * Returns a log source with a log for each pod name; the key `previous NAME` gives the log of the previous run. The log
 * of the pod `failsAfter` fails after its last line.
 */
const logsOf = (
  texts: Readonly<Record<string, readonly string[]>>,
  failsAfter?: string,
): LogSource => ({
  readLog: async function* ({ pod, previous }: LogRequest) {
    await Promise.resolve();
    const found = texts[previous ? `previous ${pod}` : pod];
    if (found !== undefined) yield { kind: "lines", take: () => linesOf(...found) };
    if (found === undefined || failsAfter === pod) yield { kind: "failed", error: missing };
  },
});

const keptOf = (fields: Partial<KeptLog> = {}): KeptLog => ({
  ...{ context: "dev", namespace: "jobs", applicationId: "spark-1", application: "pi" },
  ...{ source: "executor 9", pod: "pi-exec-9", uid: "exec-9-of-pi", container: "executor" },
  ...{ lines: 2, bytes: 3 << 20, first: "", last: "", isCutOff: false },
  ...fields,
});

const failedExecutor = (id: number): PodRecord =>
  executorFixture(id, { phase: "Failed", containers: [endedFixture(1)] });

interface Given {
  readonly pods?: readonly PodRecord[];
  readonly answers?: readonly (string | undefined)[];
  readonly texts?: Readonly<Record<string, readonly string[]>>;
  readonly failsAfter?: string;
  readonly kept?: readonly KeptLog[];
  readonly keptLines?: readonly (readonly LogLine[] | undefined)[];
  readonly isBusy?: boolean;
}

async function documentsFixture(t: TestContext, given: Given) {
  const { pods = [driverFixture(), executorFixture(1), executorFixture(2)] } = given;
  const logs = logsOf(given.texts ?? {}, given.failsAfter);
  const { session } = await sessionFixture(t, pods, { logs });
  const screen = scriptedScreen(...(given.answers ?? []));
  const opened: { readonly log: OpenedLog; readonly at: string }[] = [];
  const [saved, forgotten]: [string[], string[]] = [[], []];
  const documents: Record<string, readonly string[]> = {};
  const context = {
    ...{ session, screen, log: strictLog, secrets: () => "shown" },
    documents: {
      keep: (path: string, lines: readonly string[]) => {
        documents[path] = lines;
        return path;
      },
    },
    editors: {
      open: (log: OpenedLog) => {
        opened.push({ log, at: "end" });
        return Promise.resolve();
      },
      openAt: (log: OpenedLog, page: number, line: number) => {
        opened.push({ log, at: `page ${page}, line ${line}` });
        return Promise.resolve();
      },
    },
    loadLogDisk: () =>
      Promise.resolve({
        kept: {
          list: () => Promise.resolve(given.kept ?? []),
          read: async function* () {
            await Promise.resolve();
            yield* given.keptLines ?? [];
          },
          forget: (of: string, id: string) => {
            forgotten.push(`${of} ${id}`);
            return Promise.resolve(given.isBusy !== true);
          },
        },
        save: async (path: string, pieces: AsyncIterable<string>) => {
          let text = "";
          for await (const piece of pieces) text += piece;
          saved.push(path, text);
        },
      }),
  } as unknown as DocumentContext;
  return { screen, context, opened, saved, forgotten, documents };
}

const textsOf = ({ pages }: OpenedLog): readonly string[] => pages.last.map(({ text }) => text);

describe("open log", () => {
  test("of an application opens the log of its driver", async (t) => {
    const { context, opened, screen } = await documentsFixture(t, {
      texts: { [driverPod]: ["one", "two"] },
    });
    await openLogDocuments(context, [pi]);
    const [{ log, at } = assert.fail()] = opened;
    assert.deepEqual([opened.length, log.name, log.id, at], [1, "pi driver", "uid-driv", "end"]);
    assert.deepEqual(textsOf(log), ["one", "two"]);
    assert.ok(log.live);
    assert.deepEqual(
      log.live.applications().map(({ name }) => name),
      ["pi"],
    );
    assert.deepEqual(screen.shown, ["progress: Reading the log of pi driver"]);
  });

  test("asks which logs to open if a row has several pods", async (t) => {
    const { context, opened, screen } = await documentsFixture(t, {
      answers: ["executor 2"],
      texts: { "pi-exec-1": ["1"], "pi-exec-2": ["2"] },
      pods: [driverFixture(), failedExecutor(1), failedExecutor(2)],
    });
    await openLogDocuments(context, [{ kind: "endedExecutors", id: "ended", key }]);
    assert.equal(
      screen.shown[0],
      "pick: Open Log\nLogs to open\nexecutor 1 | pi-exec-1\nexecutor 2 | pi-exec-2",
    );
    assert.deepEqual(
      opened.map(({ log }) => log.name),
      ["pi executor 2"],
    );
  });

  test("opens two selected pods without a question, and one pod once", async (t) => {
    const { context, opened } = await documentsFixture(t, {
      texts: { "pi-exec-1": ["1"], "pi-exec-2": ["2"] },
    });
    await openLogDocuments(context, [executor(1), executor(2), executor(1)]);
    assert.deepEqual(
      opened.map(({ log }) => log.name),
      ["pi executor 1", "pi executor 2"],
    );
  });

  test("shows the error if the node has no log and none is kept", async (t) => {
    const { context, opened, screen } = await documentsFixture(t, {
      kept: [keptOf({ uid: "uid-driver", context: "other" }), keptOf()],
    });
    await openLogDocuments(context, [pi]);
    assert.deepEqual(opened, []);
    assert.match(screen.shown.at(-1) ?? "", /^error: Cannot open the log: /);
  });

  test("opens the kept log if the node has no log", async (t) => {
    const container = driverFixture().containers[0]?.name ?? "";
    const { context, opened } = await documentsFixture(t, {
      kept: [
        keptOf({ uid: "uid-driver", context: "other", container }),
        keptOf({ uid: "uid-driver", container, source: "driver" }),
      ],
      keptLines: [linesOf("kept"), undefined],
    });
    await openLogDocuments(context, [pi]);
    const [{ log } = assert.fail()] = opened;
    assert.deepEqual([log.name, log.live], ["pi driver (kept)", undefined]);
    assert.deepEqual(textsOf(log), ["kept", "-- a part of the saved log cannot be read --"]);
    assert.deepEqual([log.pages.count, log.pages.first?.text], [1, "kept"]);
  });

  test("reads an older page of a kept log again", async (t) => {
    const long = "x".repeat(5 << 20);
    const { context, opened } = await documentsFixture(t, {
      answers: ["pi executor 9"],
      kept: [keptOf()],
      keptLines: [linesOf(long, `${long}2`), linesOf("last")],
    });
    await openKeptLog(context, []);
    const [{ log } = assert.fail()] = opened;
    assert.deepEqual([log.pages.count, log.pages.last.length], [2, 2]);
    const { signal } = new AbortController();
    const older = await log.pages.read(0, signal);
    assert.deepEqual(
      older?.map(({ text }) => text.length),
      [long.length],
    );
    assert.equal(await log.pages.read(1, signal), log.pages.last);
  });
});

describe("show error in log", () => {
  const error = "Exception in thread main java.lang.OutOfMemoryError: Java heap space";

  test("opens the log at the error that ended it", async (t) => {
    const { context, opened, screen } = await documentsFixture(t, {
      texts: { [driverPod]: ["start", error, "\tat a.B.c(B.scala:1)", "bye"] },
    });
    await openLogErrors(context, [pi]);
    assert.deepEqual(
      opened.map(({ at }) => at),
      ["page 0, line 1"],
    );
    assert.equal(screen.shown.filter((text) => text.startsWith("info")).length, 0);
  });

  test("opens the end of a log without an error, and says so", async (t) => {
    const { context, opened, screen } = await documentsFixture(t, {
      texts: { [driverPod]: ["start", "stop"] },
    });
    await openLogErrors(context, [pi]);
    assert.deepEqual(
      opened.map(({ at }) => at),
      ["end"],
    );
    assert.equal(
      screen.shown.at(-1),
      "info: No error found in the last 2 lines of the log of pi driver.",
    );
    const empty = await documentsFixture(t, { texts: { [driverPod]: [] } });
    await openLogErrors(empty.context, [pi]);
    assert.equal(empty.screen.shown.at(-1), "info: The log of pi driver is empty.");
  });
});

describe("open previous log", () => {
  test("opens the log of the run before the restart, which does not grow", async (t) => {
    const { context, opened } = await documentsFixture(t, {
      texts: { [driverPod]: ["now"], [`previous ${driverPod}`]: ["before"] },
    });
    await openPreviousLogs(context, [pi]);
    const [{ log } = assert.fail()] = opened;
    assert.deepEqual([log.name, log.live], ["pi driver (previous)", undefined]);
    assert.deepEqual(textsOf(log), ["before"]);
  });

  test("shows the error if there was no such run", async (t) => {
    const { context, opened, screen } = await documentsFixture(t, { texts: { [driverPod]: [] } });
    await openPreviousLogs(context, [pi]);
    assert.deepEqual(opened, []);
    assert.match(screen.shown.at(-1) ?? "", /^error: Cannot open the log/);
  });
});

describe("compare logs", () => {
  test("shows two executors side by side, without timestamps and colors", async (t) => {
    const { context, documents, screen } = await documentsFixture(t, {
      texts: {
        "pi-exec-1": ["26/01/01 10:00:00 INFO one", "\u001b[31mred\u001b[0m"],
        "pi-exec-2": ["26/01/01 10:00:09 INFO one"],
      },
    });
    await compareLogs(context, [executor(1), executor(2)]);
    assert.deepEqual(documents, {
      "/compared/exec-1/pi executor 1.log": ["INFO one", "red"],
      "/compared/exec-2/pi executor 2.log": ["INFO one"],
    });
    assert.equal(
      screen.shown.at(-1),
      'command: vscode.diff "/compared/exec-1/pi executor 1.log" "/compared/exec-2/pi executor 2.log" "pi executor 1 and pi executor 2" {"preview":false}',
    );
  });

  test("offers the other executors and the kept logs for the second", async (t) => {
    const { context, documents, screen } = await documentsFixture(t, {
      answers: ["executor 9 (kept)"],
      texts: { "pi-exec-1": ["one"] },
      kept: [keptOf()],
      keptLines: [linesOf("nine")],
    });
    await compareLogs(context, [executor(1)]);
    assert.equal(
      screen.shown.find((text) => text.startsWith("pick")),
      "pick: Compare Logs\nExecutor to compare executor 1 with\nexecutor 2 | pi-exec-2\nexecutor 9 (kept) | pi-exec-9",
    );
    assert.deepEqual(Object.values(documents), [["one"], ["nine"]]);
  });

  test("shows nothing if the user cancels the second", async (t) => {
    const { context, documents } = await documentsFixture(t, { texts: { "pi-exec-1": ["one"] } });
    await compareLogs(context, [executor(1)]);
    assert.deepEqual(documents, {});
  });
});

describe("save log", () => {
  test("writes the whole log under a file name without spaces", async (t) => {
    const { context, saved, screen } = await documentsFixture(t, {
      answers: ["/tmp/saved.log"],
      texts: { [driverPod]: ["one", "two"] },
    });
    await saveLog(context, [pi], undefined);
    assert.deepEqual(saved, ["/tmp/saved.log", "one\ntwo\n"]);
    assert.deepEqual(screen.shown, [
      "save: Save the Log of pi driver (pi-driver.log)",
      "progress: Saving the log of pi driver",
    ]);
  });

  test("says that the log is incomplete if it fails after some lines", async (t) => {
    const { context, saved, screen } = await documentsFixture(t, {
      answers: ["/tmp/saved.log"],
      texts: { [driverPod]: ["one"] },
      failsAfter: driverPod,
    });
    await saveLog(context, [pi], undefined);
    assert.match(saved[1] ?? "", /^one\n.*the rest of the log cannot be read/);
    assert.match(
      screen.shown.at(-1) ?? "",
      /^error: The log of "pi driver" was saved only partially: /,
    );
  });

  test("writes the kept log if the node has none", async (t) => {
    const container = driverFixture().containers[0]?.name ?? "";
    const { context, saved } = await documentsFixture(t, {
      answers: ["/tmp/saved.log"],
      kept: [keptOf({ uid: "uid-driver", container })],
      keptLines: [linesOf("kept"), linesOf("more")],
    });
    await saveLog(context, [pi], undefined);
    assert.deepEqual(saved, ["/tmp/saved.log", "kept\nmore\n"]);
  });

  test("writes nothing if the user cancels", async (t) => {
    const { context, saved } = await documentsFixture(t, { texts: { [driverPod]: ["one"] } });
    await saveLog(context, [pi], undefined);
    assert.deepEqual(saved, []);
  });

  test("writes the log of the active editor if no row is selected", async (t) => {
    const { context, opened, saved } = await documentsFixture(t, {
      answers: ["/tmp/again.log"],
      texts: { "pi-exec-1": ["1"] },
    });
    await openLogDocuments(context, [executor(1)]);
    await saveLog(context, [], opened[0]?.log);
    assert.deepEqual(saved, ["/tmp/again.log", "1\n"]);
  });
});

describe("open kept log", () => {
  const others = [keptOf(), keptOf({ applicationId: "spark-2", application: "etl", uid: "e" })];

  test("lists all kept logs with their lines and their time", async (t) => {
    const [first, last] = ["2026-01-01T09:00:00Z", "2026-01-01T10:00:00Z"];
    const { context, opened, screen } = await documentsFixture(t, {
      answers: ["etl executor 9"],
      kept: [
        others[0] ?? assert.fail(),
        keptOf({ application: "etl", first, last, isCutOff: true }),
      ],
      keptLines: [linesOf("kept")],
    });
    await openKeptLog(context, []);
    assert.equal(
      screen.shown[0],
      [
        "pick: Open Kept Log",
        "Log to open",
        "pi executor 9 | 2 lines | dev · jobs · pi-exec-9",
        `etl executor 9 | 2 lines; older lines were dropped, ${dateAndTime(Date.parse(first))} to ${timeOfDay(Date.parse(last))} | dev · jobs · pi-exec-9`,
      ].join("\n"),
    );
    assert.deepEqual(
      opened.map(({ log }) => log.name),
      ["etl executor 9 (kept)"],
    );
  });

  test("lists only those of the selected rows", async (t) => {
    const { context, screen } = await documentsFixture(t, { kept: others });
    await openKeptLog(context, [pi]);
    await openKeptLog(context, [{ kind: "executor", id: "e", key, uid: "e" }]);
    assert.deepEqual(
      screen.shown.map((text) => text.split("\n").slice(2)),
      [
        ["pi executor 9 | 2 lines | dev · jobs · pi-exec-9"],
        ["etl executor 9 | 2 lines | dev · jobs · pi-exec-9"],
      ],
    );
  });

  test("says that there is none", async (t) => {
    const { context, screen } = await documentsFixture(t, { kept: others });
    await openKeptLog(context, [executor(1)]);
    assert.deepEqual(screen.shown, [
      "info: No saved log. Use Keep Logs before the pods are deleted.",
    ]);
  });
});

describe("delete kept logs", () => {
  const kept = [
    keptOf(),
    keptOf({ uid: "another" }),
    keptOf({ context: "prod", application: "etl" }),
  ];

  test("deletes those of the chosen applications after a question", async (t) => {
    const { context, forgotten, screen } = await documentsFixture(t, {
      answers: ["pi", "Delete"],
      kept,
    });
    await forgetKeptLogs(context);
    assert.deepEqual(forgotten, ["dev spark-1"]);
    assert.deepEqual(screen.shown, [
      "pick: Delete Kept Logs\nSelect the applications whose kept logs to delete\npi | 2 logs, 6.0 MB | dev · jobs · spark-1\netl | 1 log, 3.0 MB | prod · jobs · spark-1",
      'warning: Delete the kept logs of "pi"?\nThey cannot be restored if the pods were deleted.\n[Delete]',
    ]);
  });

  test("deletes nothing without the confirmation, or if nothing is chosen", async (t) => {
    for (const answers of [["pi", undefined], ["", "Delete"], [undefined]]) {
      const { context, forgotten } = await documentsFixture(t, { answers, kept });
      await forgetKeptLogs(context);
      assert.deepEqual(forgotten, []);
    }
  });

  test("names the applications whose logs another window is saving", async (t) => {
    const { context, screen } = await documentsFixture(t, {
      answers: ["pi|etl", "Delete"],
      kept,
      isBusy: true,
    });
    await forgetKeptLogs(context);
    assert.equal(
      screen.shown.at(-1),
      'info: The logs of "pi", "etl" were not deleted because a window is saving them.',
    );
  });

  test("says that there are none", async (t) => {
    const { context, screen } = await documentsFixture(t, {});
    await forgetKeptLogs(context);
    assert.deepEqual(screen.shown, ["info: No saved logs found."]);
  });
});

describe("search in kept logs", () => {
  const keptLines = [linesOf("first", "an Error"), linesOf("\u001b[31mERROR two\u001b[0m")];

  test("opens a hit at its line, in upper or lower case", async (t) => {
    const { context, opened, screen } = await documentsFixture(t, {
      answers: ["error", "ERROR two"],
      kept: [keptOf()],
      keptLines,
    });
    await searchKeptLogs(context);
    assert.deepEqual(
      opened.map(({ at }) => at),
      ["page 0, line 2"],
    );
    assert.equal(
      screen.shown[2],
      'pick: Lines with "error"\n2 lines\nan Error | pi executor 9\nERROR two | pi executor 9',
    );
  });

  test("stops at 500 lines", async (t) => {
    const many = linesOf(...Array.from({ length: 600 }, (_, index) => `error ${index}`));
    const { context, screen } = await documentsFixture(t, {
      answers: ["error"],
      kept: [keptOf(), keptOf()],
      keptLines: [many],
    });
    await searchKeptLogs(context);
    const rows = screen.shown.at(-1)?.split("\n") ?? [];
    assert.deepEqual([rows[1], rows.length], ["First 500 lines", 502]);
  });

  test("says that there are no results", async (t) => {
    const { context, opened, screen } = await documentsFixture(t, {
      answers: ["nothing like it"],
      kept: [keptOf()],
      keptLines,
    });
    await searchKeptLogs(context);
    assert.equal(screen.shown.at(-1), 'info: No results for "nothing like it" in kept logs.');
    assert.deepEqual(opened, []);
  });

  test("does not search for an empty text", async (t) => {
    const { context, screen } = await documentsFixture(t, { answers: [""], kept: [keptOf()] });
    await searchKeptLogs(context);
    assert.equal(screen.shown.length, 1);
  });
});
