import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import type { Uri } from "vscode";
import { LogEditors, type LogWindow, type OpenedLog } from "../../../src/editor/logs/logEditors.ts";
import type { LogLine } from "../../../src/spark/logs/logLine.ts";
import { FakeLogSource } from "../engine/fakeLogSource.ts";
import { VirtualClock } from "../engine/virtualClock.ts";
import { scriptedScreen } from "./screenFixture.ts";
import { strictLog } from "./sessionFixture.ts";
import { uri } from "./submitFixture.ts";

const line = (second: number, text: string): LogLine => ({
  timestamp: `2026-01-02T03:04:${String(second).padStart(2, "0")}.000000000Z`,
  text,
});

interface Given {
  /** The pages, oldest first; undefined for a page that the node has deleted. */
  readonly pages: readonly (readonly LogLine[] | undefined)[];
  readonly hasEnded?: boolean;
  /** A new line with this text starts the next page. */
  readonly pageBreak?: string;
}

function rig(t: TestContext, { pages: given, hasEnded = false, pageBreak }: Given) {
  const clock = new VirtualClock();
  const screen = scriptedScreen();
  const documents = new Map<string, readonly string[]>();
  const [followed, shownAt]: [string[], string[]] = [[], []];
  let active: Uri | undefined;
  let close: (uri: Uri) => void = () => undefined;
  const window: LogWindow = {
    keep: (path, lines) => {
      documents.set(path, lines);
      return uri(path, "log");
    },
    show: (shown, at) => {
      active = shown;
      shownAt.push(`${shown.path}:${at}`);
      return Promise.resolve();
    },
    activeUri: () => active,
    keepEndVisible: (shown, at) => shownAt.push(`end of ${shown.path}:${at}`),
    onDidClose: (closed) => {
      close = closed;
      return { dispose: () => undefined };
    },
  };
  const source = new FakeLogSource(clock);
  const all = [...given];
  for (const each of all.flatMap((page) => page ?? [])) source.write(each);
  const log: OpenedLog = {
    id: "1",
    name: "driver",
    pages: {
      get count() {
        return all.length;
      },
      get last() {
        return all.at(-1) ?? [];
      },
      read: (page: number) => Promise.resolve(all[page]),
    } as unknown as OpenedLog["pages"],
    live: hasEnded
      ? undefined
      : {
          logs: source,
          target: { namespace: "jobs", pod: "p", uid: "1", container: "c" },
          news: { hasEnded: () => source.isOver },
          add: ({ text }) => {
            if (text !== pageBreak) return false;
            all.push([]);
            return true;
          },
          applications: () => [],
        },
  };
  const editors = new LogEditors(
    {
      ...{ clock, screen, log: strictLog, random: () => 0.5 },
      followed: () => {
        followed.push("followed");
        return { dispose: () => followed.push("left") };
      },
    },
    window,
  );
  t.after(() => {
    editors.dispose();
  });
  return {
    ...{ editors, log, clock, source, documents, shownAt, followed, shown: screen.shown },
    look: (path: string | undefined) => {
      active = path === undefined ? undefined : uri(path, "log");
    },
    close: (path: string) => {
      close(uri(path, "log"));
    },
  };
}

const three = [[line(1, "a"), line(2, "b")], [line(3, "c"), line(4, "d")], [line(5, "e")]];
const page = (number: number) => `/1/driver, page ${number} of 3.log`;

describe("pages of a log", () => {
  test("open with the newest one at its end, without colors", async (t) => {
    const { editors, log, documents, shownAt } = rig(t, {
      pages: [[line(1, "a"), line(2, "\u001b[31mb\u001b[0m")]],
    });
    await editors.open(log);
    assert.deepEqual(shownAt, ["/1/driver.log:1"]);
    assert.deepEqual(documents.get("/1/driver.log"), ["a", "b"]);
    assert.equal(editors.active, log);
  });

  test("open at a line, unless the node has deleted them", async (t) => {
    const { editors, log, shownAt } = rig(t, { pages: [undefined, ...three.slice(1)] });
    await editors.openAt(log, 1, 1);
    await editors.openAt(log, 0, 0);
    assert.deepEqual(shownAt, [`${page(2)}:1`]);
  });

  test("of an empty log open at the first line", async (t) => {
    const { editors, log, shownAt } = rig(t, { pages: [[]] });
    await editors.open(log);
    assert.deepEqual(shownAt, ["/1/driver.log:0"]);
  });

  test("turn to the adjacent end of the older and the newer page", async (t) => {
    const { editors, log, shownAt, shown } = rig(t, { pages: three });
    await editors.open(log);
    await editors.turn("newer");
    assert.deepEqual(shown, ["info: This is the newest page of the log."]);
    await editors.turn("older");
    await editors.turn("older");
    await editors.turn("older");
    assert.equal(shown[1], "info: This is the oldest page of the log.");
    await editors.turn("newer");
    assert.deepEqual(shownAt, [`${page(3)}:0`, `${page(2)}:1`, `${page(1)}:1`, `${page(2)}:0`]);
  });

  test("do not turn to one that the node has deleted", async (t) => {
    const { editors, log, shownAt, shown } = rig(t, { pages: [undefined, ...three.slice(1)] });
    await editors.open(log);
    await editors.turn("older");
    await editors.turn("older");
    assert.equal(shownAt.length, 2);
    assert.match(shown.join(), /^info: The page cannot be read\./);
  });

  test("do nothing in another editor, or after they are closed", async (t) => {
    const { editors, log, shownAt, shown, look, close } = rig(t, { pages: three });
    await editors.open(log);
    look("/other");
    await editors.turn("older");
    editors.follow();
    look(page(3));
    close(page(3));
    await editors.turn("older");
    assert.deepEqual([shownAt.length, shown, editors.active], [1, [], undefined]);
  });
});

describe("followed page of a log", () => {
  test("grows once a second while there are new lines", async (t) => {
    const { editors, log, clock, source, documents, shownAt, shown, followed } = rig(t, {
      pages: [[line(1, "a")]],
    });
    await editors.open(log);
    editors.follow();
    assert.deepEqual([shown, followed], [["status: Following driver"], ["followed"]]);
    await clock.advance(3_000);
    assert.equal(shownAt.length, 1);
    source.write(line(2, "b"));
    source.write(line(3, "\u001b[31mc\u001b[0m"));
    await clock.advance(1_500);
    assert.deepEqual(documents.get("/1/driver.log"), ["a", "b", "c"]);
    assert.deepEqual(shownAt.slice(1), ["end of /1/driver.log:2"]);
  });

  test("reads an unfinished line again as a whole", async (t) => {
    const { editors, log, clock, source, documents } = rig(t, { pages: [[line(1, "a")]] });
    const cut = { ...line(2, "hal"), isUnfinished: true } as const;
    (log.pages.last as LogLine[]).push(cut);
    await editors.open(log);
    editors.follow();
    source.write(line(2, "half"));
    await clock.advance(2_000);
    assert.deepEqual(documents.get("/1/driver.log"), ["a", "half"]);
  });

  test("stops on the second request, and when its document closes", async (t) => {
    for (const how of ["request", "close"] as const) {
      const { editors, log, clock, source, documents, followed, close } = rig(t, {
        pages: [[line(1, "a")]],
      });
      await editors.open(log);
      editors.follow();
      if (how === "request") editors.follow();
      else close("/1/driver.log");
      assert.deepEqual(followed, ["followed", "left"]);
      source.write(line(2, "b"));
      await clock.advance(3_000);
      assert.deepEqual(documents.get("/1/driver.log"), ["a"]);
      assert.equal(source.openStreams, 0);
    }
  });

  test("is only the newest one, of a log that has not ended", async (t) => {
    const older = rig(t, { pages: three });
    await older.editors.open(older.log);
    await older.editors.turn("older");
    older.editors.follow();
    assert.deepEqual(older.shown, ["info: Only the newest page can be followed."]);
    const ended = rig(t, { pages: three, hasEnded: true });
    await ended.editors.open(ended.log);
    ended.editors.follow();
    assert.deepEqual([ended.shown, ended.followed], [["info: This log has ended."], []]);
  });

  test("starts empty when it is full, and is the newest page again", async (t) => {
    const { editors, log, clock, source, documents, shown } = rig(t, {
      ...{ pages: [[line(1, "a")], [line(2, "b")]], pageBreak: "full" },
    });
    await editors.open(log);
    editors.follow();
    source.write(line(3, "full"));
    await clock.advance(2_000);
    assert.deepEqual(documents.get("/1/driver, page 2 of 2.log"), [
      ...["-- earlier lines are on the older page --", "full"],
    ]);
    await editors.turn("newer");
    assert.equal(shown.at(-1), "info: This is the newest page of the log.");
  });

  test("ends with the log", async (t) => {
    const { editors, log, clock, source, documents } = rig(t, { pages: [[line(1, "a")]] });
    await editors.open(log);
    editors.follow();
    source.end();
    await clock.advance(30_000);
    assert.match(documents.get("/1/driver.log")?.at(-1) ?? "", /^-- .+ --$/);
  });
});
