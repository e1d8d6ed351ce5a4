import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { inEnglish, msg } from "../../../src/base/message.ts";
import { LogConsole } from "../../../src/editor/logs/logConsole.ts";
import { endWords, noLogYetWords, noticeWords } from "../../../src/editor/logs/noticeWords.ts";
import { nextLevel } from "../../../src/editor/logs/viewChoices.ts";
import type { ClusterError } from "../../../src/engine/clusterError.ts";
import type { TailEnd, TailNotice } from "../../../src/engine/logs/tail.ts";
import type { Diagnosis } from "../../../src/spark/diagnosis/diagnosis.ts";
import type { DisplayState } from "../../../src/spark/pods/displayState.ts";
import { FakeLogSource } from "../engine/fakeLogSource.ts";
import { settle, VirtualClock } from "../engine/virtualClock.ts";
import { scriptedScreen } from "./screenFixture.ts";
import { strictLog } from "./sessionFixture.ts";

function consoleFixture(t: TestContext, ...answers: readonly (string | undefined)[]) {
  const clock = new VirtualClock();
  const screen = scriptedScreen(...answers);
  const opened: (number | undefined)[] = [];
  let text = "";
  const log = new LogConsole({
    ...{ name: "pi", clock, random: () => 0.5, log: strictLog, screen },
    heldRows: () => 1_000,
    write: (piece) => {
      text += piece;
    },
    openDocument: (_, number) => opened.push(number),
  });
  t.after(() => {
    log.dispose();
  });
  /** Returns the rows in the terminal, without colors. */
  const rows = async (): Promise<readonly string[]> => {
    await clock.advance(500);
    const last = text.split("\u001b[2J\u001b[3J\u001b[H").at(-1) ?? "";
    return last
      .replaceAll(/\u001b\[[\d;?]*[a-zA-Z]/g, "")
      .split("\r\n")
      .slice(0, -1);
  };
  const press = async (...keys: readonly string[]): Promise<readonly string[]> => {
    for (const key of keys) {
      log.press(key);
      await settle();
    }
    return rows();
  };
  const ended: string[] = [];
  const follow = () =>
    log.follow({
      mayGrow: () => false,
      shown: () => undefined,
      ended: (id) => ended.push(id),
    });
  const source = (...lines: readonly string[]): FakeLogSource => {
    const one = new FakeLogSource(clock);
    for (const line of lines) {
      one.write({ timestamp: "2026-01-02T03:04:05.000000001Z", text: line });
    }
    return one;
  };
  const labelled = (id: string, logs: FakeLogSource) => ({
    ...{ id, label: id, logs, tailLines: undefined },
    target: { namespace: "jobs", pod: id, uid: "1", container: "c" } as never,
    hasEnded: () => false,
  });
  return { ...{ log, clock, screen, rows, press, opened, follow, source, labelled, ended } };
}

describe("log console", () => {
  test("prints notes, texts and problems without their secrets", async (t) => {
    const { log, rows } = consoleFixture(t);
    log.note("submitted with --conf spark.password=hunter2");
    log.text("plain");
    log.problem("error", "no image");
    log.problem("warning", "old key");
    log.noteAtOnce("over");
    const shown = await rows();
    assert.ok(!shown.join("\n").includes("hunter2"));
    assert.deepEqual(shown.slice(1), [
      "plain",
      "error: no image",
      "warning: old key",
      "-- over --",
    ]);
  });

  test("prints the keys once", async (t) => {
    const { log, rows } = consoleFixture(t);
    log.noteKeys();
    log.noteKeys();
    assert.deepEqual(await rows(), [
      "-- p pause · l level · / filter · c clear · t time · f collapse · w wrap · o open as document · m menu --",
    ]);
  });

  test("filters by level and text, and shows all again", async (t) => {
    const { log, press, rows, screen } = consoleFixture(t, "three", "");
    const following = log.follow({
      ...{ mayGrow: () => false, shown: () => undefined, ended: () => undefined },
    });
    await rows();
    assert.match((await press("l")).at(-1) ?? "", /^-- Filter: minimum level: info\. /);
    assert.match((await press("l")).at(-1) ?? "", /minimum level: warn\. /);
    assert.match((await press("/")).at(-1) ?? "", /minimum level: warn, text: "three"\. /);
    assert.match(
      screen.shown[0] ?? "",
      /^input: Filter Log\nLeave empty to show everything\. \(\)/,
    );
    assert.ok(!(await press("/")).join().includes("text:"));
    assert.ok(!(await press("c")).join().includes("Filter"));
    following.dispose();
  });

  test("pauses and resumes", async (t) => {
    const { press, screen } = consoleFixture(t, undefined, undefined);
    await press("p", "m", " ", "m");
    const labels = screen.shown.map((menu) => menu.split("\n")[2]);
    assert.deepEqual(labels, ["Resume | p", "Pause | p"]);
  });

  test("opens the document by key and from the menu", async (t) => {
    const { press, opened, screen } = consoleFixture(t, "Open as Document", undefined);
    await press("o");
    await press("m");
    await press("?");
    assert.deepEqual(opened, [undefined, undefined]);
    assert.equal(
      screen.shown[0],
      [
        "pick: Log",
        "Log view options",
        "Pause | p",
        "Minimum Level | l | all levels",
        "Filter by Text… | / | no filter",
        "Clear Level and Filter | c",
        "Timestamps | t | off",
        "Collapse Stack Traces | f | on",
        "Wrap Lines | w | on",
        "Open as Document | o",
      ].join("\n"),
    );
  });

  test("changes the view by keys, as the menu shows", async (t) => {
    const { press, screen } = consoleFixture(t, undefined);
    await press("t", "f", "w", "l", "l", "m");
    const [menu = ""] = screen.shown;
    assert.match(menu, /Minimum Level \| l \| warn/);
    assert.match(menu, /Timestamps \| t \| on/);
    assert.match(menu, /Collapse Stack Traces \| f \| off/);
    assert.match(menu, /Wrap Lines \| w \| off/);
  });

  test("labels the lines of several logs, and says when they join and end", async (t) => {
    const { log, rows, follow, source, labelled, ended, clock } = consoleFixture(t);
    const following = follow();
    t.after(() => {
      following.dispose();
    });
    const [first, second] = [source("one"), source("two")];
    log.join(following, [labelled("driver", first)]);
    await clock.advance(3_000);
    assert.equal((await rows()).at(-1), "one");
    log.join(following, [labelled("driver", first), labelled("executor 12", second)]);
    await clock.advance(3_000);
    assert.equal(log.logCount, 2);
    const shown = await rows();
    assert.ok(shown.includes("-- executor 12 connected --"));
    assert.ok(shown.includes("executor 12 two"));
    assert.equal(log.labelOf("executor 12"), "executor 12");
    assert.equal(log.labelOf("unknown"), "unknown");
    assert.equal(log.records.length, 2);
    assert.deepEqual(ended, []);
  });

  test("clears the filter when it closes, and its link opens the document", async (t) => {
    const { log, press, rows, opened, clock, follow, source, labelled } = consoleFixture(t);
    const following = follow();
    log.join(following, [labelled("driver", source("one"))]);
    await press("l");
    following.dispose();
    await clock.advanceUntil(log.close());
    const shown = await rows();
    assert.deepEqual(shown.slice(-2), [
      "-- The level and the filter were cleared. --",
      "-- Open all lines as a document --",
    ]);
    assert.ok(log.isClosed);
    log.turn(7);
    assert.deepEqual(opened, [7]);
  });
});

test("the level becomes stricter, and then shows all again", () => {
  assert.deepEqual((["trace", "info", "warn", "error"] as const).map(nextLevel), [
    "info",
    "warn",
    "error",
    "trace",
  ]);
});

const gone: ClusterError = { kind: "unreachable", server: "s", requestSent: false, detail: "cut" };
const forbidden: ClusterError = {
  ...{ kind: "forbidden", verb: "get", resource: "pods/log", namespace: "jobs" },
  detail: 'User "ann" cannot get resource "pods/log"',
};

test("each notice of a log has its words", () => {
  const restarted = (lastEnd: object | undefined): TailNotice =>
    ({ kind: "restarted", lastEnd }) as TailNotice;
  const rows: readonly (readonly [TailNotice, string])[] = [
    [{ kind: "waiting" } as TailNotice, "waiting for the container to start"],
    [{ kind: "resumed" }, "reconnected"],
    [
      { kind: "reconnecting", error: gone },
      "connection lost, reconnecting: the cluster at s did not respond",
    ],
    [
      { kind: "reconnecting", error: forbidden },
      'cannot read the log, retrying: user "ann" does not have permission to get pods/log in namespace "jobs"',
    ],
    [
      { kind: "gap", after: undefined, before: "b" },
      "lines of earlier container runs may be missing because the node deleted them",
    ],
    [
      { kind: "gap", after: "a", before: undefined },
      "lines after a may be missing because the node deleted them",
    ],
    [
      { kind: "gap", after: "a", before: "b" },
      "lines between a and b may be missing because the node deleted them",
    ],
    [restarted(undefined), "the container restarted"],
    [restarted({ exitCode: 1 }), "the container exited with code 1 and restarted"],
    [
      restarted({ exitCode: 137, reason: "OOMKilled" }),
      "the container exited with code 137 (OOMKilled) and restarted",
    ],
  ];
  for (const [notice, words] of rows) assert.equal(inEnglish(noticeWords(notice)), words);
});

test("a log that its container has not begun has the reason of its row", () => {
  const words = (state: DisplayState, fact?: string): string => {
    const diagnosis = fact === undefined ? undefined : ({ fact: msg(fact) } as Diagnosis);
    return inEnglish(noLogYetWords("etl driver", { state }, diagnosis));
  };
  assert.equal(
    words({ kind: "pulling", image: "spark:9" }, "registry unreachable: spark:9"),
    '"etl driver" has no log yet: pending · registry unreachable: spark:9.',
  );
  assert.equal(
    words({ kind: "pulling", image: "spark:9" }),
    '"etl driver" has no log yet: pending: pulling image "spark:9".',
  );
});

test("each end of a log has its words", () => {
  const words = (end: object): string => inEnglish(endWords(end as TailEnd));
  assert.equal(words({ kind: "finished" }), "the container has ended");
  assert.equal(words({ kind: "gone" }), "the pod was deleted");
  assert.equal(
    words({ kind: "failed", error: forbidden }),
    'user "ann" does not have permission to get pods/log in namespace "jobs"',
  );
});
