import { msg } from "../../../src/base/message.ts";
import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { err, ok, type Result } from "../../../src/base/result.ts";
import { PodPty } from "../../../src/editor/lifecycle/podPty.ts";
import type { LabelledLog } from "../../../src/editor/logs/logConsole.ts";
import { LogPty, type WaitingReason } from "../../../src/editor/logs/logPty.ts";
import { RunPty, type RunWork } from "../../../src/editor/submit/runPty.ts";
import type { ClusterError } from "../../../src/engine/clusterError.ts";
import type { ExecItem, ExecRequest, ExecSession } from "../../../src/engine/ports/channels.ts";
import { FakeLogSource } from "../engine/fakeLogSource.ts";
import { settle, VirtualClock } from "../engine/virtualClock.ts";
import { driverFixture } from "../pods/podFixture.ts";
import { inText, scriptedScreen } from "./screenFixture.ts";
import { strictLog } from "./sessionFixture.ts";

const shown = () => ({ screen: scriptedScreen(), heldRows: () => 1_000 });
const plain = (text: string): readonly string[] =>
  text
    .replaceAll(/\u001b\[[\d;?]*[a-zA-Z]/g, "")
    .split("\r\n")
    .filter((line) => line !== "");
const size = { columns: 100, rows: 30 };
const forbidden: ClusterError = {
  ...{
    kind: "forbidden",
    verb: "create",
    resource: "pods/exec",
    namespace: "jobs",
    detail: 'User "ann" cannot create resource "pods/exec"',
  },
};

/** Returns a session in a container that prints a prompt. When it is disposed, it yields `last` and ends. */
function program(last: ExecItem | undefined) {
  const done: string[] = [];
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const session = {
    items: (async function* () {
      yield { kind: "output" as const, from: "stdout" as const, text: "$ " };
      await ended;
      if (last !== undefined) yield last;
    })(),
    type: (text: string) => done.push(`type ${text}`),
    resize: ({ columns, rows }: { readonly columns: number; readonly rows: number }) =>
      done.push(`${columns}x${rows}`),
    dispose: () => {
      done.push("dispose");
      end();
    },
  } as unknown as ExecSession;
  return {
    session,
    done,
    end: () => {
      end();
    },
  };
}

describe("terminal in a pod", () => {
  function podFixture(
    started: Result<ExecSession, ClusterError>,
    command: "shell" | "attached" = "shell",
  ) {
    const requests: ExecRequest[] = [];
    const closed: number[] = [];
    const state = { text: "", closes: 0 };
    const pty = new PodPty(
      {
        name: "pi driver",
        pod: driverFixture(),
        command: command === "shell" ? ["/bin/sh"] : undefined,
        exec: {
          start: (request) => {
            requests.push(request);
            return Promise.resolve(started);
          },
        },
        closed: () => {
          state.closes += 1;
        },
        log: strictLog,
      },
      { translated: inText, explainClusterError: ({ kind }) => `It is ${kind}.` },
    );
    pty.onDidWrite((text) => {
      state.text += text;
    });
    pty.onDidClose((code) => closed.push(code));
    return { pty, requests, closed, state };
  }

  test("runs the program in Spark's container", async () => {
    const { session, done, end } = program({ kind: "ended", exitCode: 0 });
    const { pty, requests, closed, state } = podFixture(ok(session));
    pty.open(size);
    await settle();
    pty.handleInput("ls\r");
    pty.setDimensions({ columns: 90, rows: 20 });
    assert.deepEqual(requests, [
      {
        namespace: "jobs",
        pod: "pi-0123456789abcdef-driver",
        container: "spark-kubernetes-driver",
        command: ["/bin/sh"],
        terminal: size,
      },
    ]);
    assert.equal(state.text, "$ ");
    end();
    await settle();
    assert.deepEqual(done, ["100x30", "type ls\r", "90x20", "dispose"]);
    assert.deepEqual(closed, [0]);
  });

  test("closes after Ctrl+C, and says other exit codes first", async () => {
    for (const [exitCode, expected] of [
      [130, [130]],
      [1, []],
    ] as const) {
      const { session, end } = program({ kind: "ended", exitCode });
      const { pty, closed, state } = podFixture(ok(session));
      pty.open(undefined);
      await settle();
      end();
      await settle();
      assert.deepEqual(closed, expected);
      if (exitCode === 130) continue;
      assert.equal(
        plain(state.text).at(-1),
        "-- The shell ended with exit code 1. Press any key to close. --",
      );
      pty.handleInput("x");
      assert.deepEqual(closed, [0]);
    }
  });

  test("says why a program did not start or broke", async () => {
    const refused = podFixture(err(forbidden));
    refused.pty.open(size);
    await settle();
    assert.deepEqual(plain(refused.state.text), ["-- It is forbidden. Press any key to close. --"]);
    const { session, end } = program({ kind: "failed", error: forbidden });
    const broken = podFixture(ok(session));
    broken.pty.open(size);
    await settle();
    end();
    await settle();
    assert.equal(plain(broken.state.text).at(-1), "-- It is forbidden. Press any key to close. --");
  });

  test("attaches to the first process without a command", async () => {
    const { session, done } = program(undefined);
    const { pty, state, closed } = podFixture(ok(session), "attached");
    pty.open(size);
    await settle();
    assert.deepEqual(plain(state.text), ["-- Attached. Press Enter to see the prompt. --", "$ "]);
    pty.close();
    await settle();
    assert.deepEqual([done.at(-1), state.closes, closed], ["dispose", 1, []]);
  });
});

describe("terminal of a run", () => {
  function runFixture(work: RunWork, mayStart = true) {
    const clock = new VirtualClock();
    const closed: number[] = [];
    const state = { text: "", ends: 0, opened: 0 };
    const pty = new RunPty(
      {
        ...{ name: "pi", clock, random: () => 0.5, work },
        log: { ...strictLog, error: () => undefined },
        shownLogs: {
          opened: () => {
            state.opened += 1;
          },
          openDocument: () => undefined,
        } as never,
        mayStart: () => Promise.resolve(mayStart),
        stoppedWords: () => "stopped; nothing is left",
        ended: () => {
          state.ends += 1;
        },
      },
      shown(),
    );
    pty.onDidWrite((text) => {
      state.text += text;
    });
    pty.onDidClose((code) => closed.push(code));
    return { pty, clock, closed, state };
  }

  test("closes with the exit code of its work", async () => {
    const { pty, clock, closed, state } = runFixture((output) => {
      output.note("submitted");
      return Promise.resolve(0);
    });
    pty.open(size);
    await clock.advance(500);
    assert.deepEqual([closed, state.ends, state.opened], [[0], 1, 1]);
    assert.deepEqual(plain(state.text), ["-- submitted --"]);
  });

  test("stays open for a moment after an early failure", async () => {
    const { pty, clock, closed } = runFixture(() => Promise.resolve(3));
    pty.open(undefined);
    await clock.advance(500);
    assert.deepEqual(closed, []);
    await clock.advance(500);
    assert.deepEqual(closed, [3]);
  });

  test("ends without an agreement", async () => {
    const { pty, clock, closed, state } = runFixture(() => Promise.resolve(0), false);
    pty.open(size);
    await clock.advance(2_000);
    assert.deepEqual([plain(state.text), closed], [["-- not submitted --"], [1]]);
  });

  const untilAbort: RunWork = (_, signal) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => {
        reject(new DOMException("aborted", "AbortError"));
      });
    });

  test("is stopped by Ctrl+C", async () => {
    const { pty, clock, closed, state } = runFixture(untilAbort);
    pty.open(size);
    await clock.advance(2_000);
    pty.handleInput("\x03");
    await clock.advance(2_000);
    assert.deepEqual(closed, [130]);
    assert.deepEqual(plain(state.text), ["-- stopped; nothing is left --"]);
  });

  test("reports an internal error", async () => {
    const { pty, clock, closed, state } = runFixture(() => Promise.reject(new Error("bug")));
    pty.open(size);
    await clock.advance(2_000);
    assert.deepEqual(closed, [1]);
    assert.deepEqual(plain(state.text), ["error: Internal error. See the log for details."]);
  });

  test("passes all keys to a program, and the others to its console", async () => {
    const { session, done, end } = program({ kind: "ended", exitCode: 0 });
    const { pty, clock, closed, state } = runFixture(async (_, signal, relay) => {
      await relay.run(session, signal);
      return 0;
    });
    pty.open(size);
    await clock.advance(100);
    pty.handleInput("\x03");
    pty.setDimensions({ columns: 70, rows: 10 });
    assert.deepEqual(done, ["100x30", "type \x03", "70x10"]);
    end();
    await clock.advance(1_000);
    assert.deepEqual(closed, [0]);
    assert.ok(state.text.includes("$ "));
  });

  test("ends its work when it is closed", async () => {
    let isAborted = false;
    const { pty, clock } = runFixture((_, signal) => {
      signal.addEventListener("abort", () => {
        isAborted = true;
      });
      return new Promise(() => undefined);
    });
    pty.open(size);
    await clock.advance(100);
    pty.close();
    assert.equal(isAborted, true);
  });
});

describe("terminal of logs", () => {
  function logFixture(t: TestContext, mayGrow = false, reasons: readonly WaitingReason[] = []) {
    const clock = new VirtualClock();
    const state = { text: "", closes: 0, ends: 0 };
    let join: (logs: readonly LabelledLog[]) => void = () => undefined;
    const stopped: string[] = [];
    const pty = new LogPty(
      {
        ...{ name: "pi", clock, random: () => 0.5, log: strictLog, title: "all logs of pi" },
        openDocument: () => undefined,
        waiting: () => reasons,
        mayGrow: () => mayGrow,
        shown: () => undefined,
        follow: (joined) => {
          join = joined;
          return { dispose: () => stopped.push("follow") };
        },
      },
      shown(),
      () => {
        state.closes += 1;
      },
    );
    pty.onDidWrite((text) => {
      state.text += text;
    });
    pty.onDidClose(() => {
      state.ends += 1;
    });
    t.after(() => {
      pty.close();
    });
    const source = new FakeLogSource(clock);
    const log = (id: string): LabelledLog => ({
      ...{ id, label: id, logs: source, tailLines: undefined, hasEnded: () => source.isOver },
      target: { namespace: "jobs", pod: id, uid: "1", container: "c" },
    });
    const rows = async (): Promise<readonly string[]> => {
      await clock.advance(3_000);
      return plain(state.text);
    };
    return {
      pty,
      clock,
      state,
      stopped,
      source,
      log,
      rows,
      join: (id: string) => {
        join([log(id)]);
      },
      changed: () => {
        join([]);
      },
    };
  }

  test("waits for the first container", async (t) => {
    const reasons = [{ id: "unscheduled", words: msg("executor 1: pending: no node yet") }];
    const { pty, rows, changed, join } = logFixture(t, true, reasons);
    pty.open();
    changed();
    assert.deepEqual(
      [(await rows())[0], ...(await rows()).slice(-2)],
      [
        "-- all logs of pi --",
        "-- waiting for a container to start --",
        "-- executor 1: pending: no node yet --",
      ],
    );
    assert.equal(pty.isFollowing, true);
    changed();
    reasons.push({ id: "D01", words: msg("executor 1: not enough memory") });
    changed();
    assert.equal((await rows()).filter((row) => row.includes("executor 1")).length, 2);
    join("executor 1");
    reasons.push({ id: "D02", words: msg("executor 2: no node yet") });
    changed();
    assert.ok(!(await rows()).includes("-- executor 2: no node yet --"));
  });

  test("ends with its last log, and closes on Ctrl+C and q", async (t) => {
    const { pty, rows, join, source, state, stopped } = logFixture(t);
    pty.open();
    join("driver");
    source.write({ timestamp: "2026-01-02T03:04:05.000000001Z", text: "one" });
    assert.ok((await rows()).includes("one"));
    source.end();
    assert.equal((await rows()).at(-1), "-- End of log. Press Ctrl+C to close. --");
    assert.deepEqual([pty.isFollowing, stopped], [false, ["follow"]]);
    pty.handleInput("q");
    pty.handleInput("\x03");
    assert.equal(state.ends, 2);
  });

  test("stops on Ctrl+C", async (t) => {
    const { pty, rows, join, state } = logFixture(t, true);
    pty.open();
    join("driver");
    pty.handleInput("q");
    assert.equal(pty.isFollowing, true);
    pty.handleInput("\x03");
    assert.equal((await rows()).at(-1), "-- Stopped. Press Ctrl+C to close. --");
    assert.deepEqual([pty.isFollowing, state.ends], [false, 0]);
  });

  test("tells its owner when it is closed", (t) => {
    const { pty, state } = logFixture(t, true);
    pty.close();
    assert.equal(state.closes, 1);
  });
});
