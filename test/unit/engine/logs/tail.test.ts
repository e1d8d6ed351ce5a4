import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { ClusterError } from "../../../../src/engine/clusterError.ts";
import type { Disposable } from "../../../../src/base/disposable.ts";
import {
  startTail,
  type Tail,
  type TailEnd,
  type TailNotice,
  type TailOptions,
  type TailSink,
} from "../../../../src/engine/logs/tail.ts";
import type { LogLine } from "../../../../src/spark/logs/logLine.ts";
import { ResumeCursor } from "../../../../src/spark/logs/resumeCursor.ts";
import { FakeLogSource } from "../fakeLogSource.ts";
import { unreachable } from "../fakePodServer.ts";
import { VirtualClock } from "../virtualClock.ts";

const notStarted: ClusterError = {
  kind: "badResponse",
  status: 400,
  detail: 'container "c" in pod "p" is waiting to start: ContainerCreating',
};
const forbidden: ClusterError = {
  kind: "forbidden",
  verb: "get",
  resource: "pods/log",
  namespace: "jobs",
  detail: "no",
};
const unknownToNode: ClusterError = {
  kind: "badResponse",
  status: 404,
  detail: "the server could not find the requested resource ( pods/log p)",
};
const excuse: ClusterError = {
  kind: "badResponse",
  status: undefined,
  detail: "unable to retrieve container logs for containerd://9a55df",
};
const notFound: ClusterError = { kind: "notFound", resource: "pods", name: "p", detail: "gone" };

interface Rig {
  readonly clock: VirtualClock;
  readonly source: FakeLogSource;
  readonly tail: Tail;
  readonly printed: LogLine[];
  readonly notices: TailNotice[];
  /** The printed lines, with the kinds of notices in parentheses. */
  readonly shown: string[];
  readonly ends: TailEnd[];
  readonly close: () => Promise<void>;
}

function rig(
  options: {
    readonly onDidChange?: (look: () => void) => Disposable;
    readonly prepare?: (source: FakeLogSource) => void;
    readonly tailLines?: number;
    readonly hasEnded?: (source: FakeLogSource) => boolean | undefined;
    readonly isGone?: () => boolean;
    readonly restarts?: TailOptions["restarts"];
  } = {},
): Rig {
  const clock = new VirtualClock();
  const source = new FakeLogSource(clock);
  options.prepare?.(source);
  const printed: LogLine[] = [];
  const notices: TailNotice[] = [];
  const shown: string[] = [];
  const ends: TailEnd[] = [];
  const tail = startTail(
    source,
    { namespace: "jobs", pod: "p", uid: "1", container: "c" },
    {
      lines: (lines) => {
        assert.equal(ends.length, 0, "no line after the end");
        printed.push(...lines);
        shown.push(...texts(lines));
      },
      notice: (notice) => {
        notices.push(notice);
        shown.push(`(${notice.kind})`);
      },
      ended: (end) => {
        ends.push(end);
      },
    },
    {
      clock,
      random: () => 0.5,
      tailLines: options.tailLines,
      hasEnded: () => options.hasEnded?.(source),
      ...(options.isGone && { isGone: options.isGone }),
      ...(options.restarts && { restarts: options.restarts }),
      ...(options.onDidChange && { onDidChange: options.onDidChange }),
    },
  );
  const close = async (): Promise<void> => {
    tail.dispose();
    await tail.done;
    await clock.advance(0);
    assert.equal(clock.pending, 0, "no timer outlives the tail");
    assert.equal(source.openStreams, 0, "no stream outlives the tail");
  };
  return { clock, source, tail, printed, notices, shown, ends, close };
}

/** Returns a line with a timestamp this many nanoseconds after 03:04:10. */
const line = (nanoseconds: number, text: string): LogLine => {
  const seconds = String(10 + Math.floor(nanoseconds / 1e9)).padStart(2, "0");
  const rest = String(((nanoseconds % 1e9) + 1e9) % 1e9).padStart(9, "0");
  return { timestamp: `2026-01-02T03:04:${seconds}.${rest}Z`, text };
};

const texts = (lines: readonly LogLine[]): string[] => lines.map(({ text }) => text);

test("prints lines as they arrive, and ends with the container", async () => {
  const { clock, source, printed, ends, notices, close } = rig({
    prepare: (source) => {
      source.write(line(1, "one"));
    },
    hasEnded: ({ isOver }) => isOver,
  });
  await clock.advance(10);
  source.write(line(2, "two"));
  await clock.advance(10);
  assert.deepEqual(texts(printed), ["one", "two"]);
  assert.deepEqual(ends, []);
  source.end();
  await clock.advance(10);
  assert.deepEqual(ends, [{ kind: "finished" }]);
  assert.deepEqual(notices, []);
  await close();
});

test("starts with the requested number of lines", async () => {
  const { clock, printed, close } = rig({
    prepare: (source) => {
      for (let n = 0; n < 5; n += 1) source.write(line(n, `line ${n}`));
    },
    tailLines: 2,
  });
  await clock.advance(10);
  assert.deepEqual(texts(printed), ["line 3", "line 4"]);
  await close();
});

test("reports a cut once, resumes from the second of the last line, and repeats no line", async () => {
  const { clock, source, printed, notices, close } = rig();
  await clock.advance(10);
  for (const text of ["same", "same", "other"]) source.write(line(5e8, text));
  await clock.advance(10);
  source.cutAfter(0, unreachable);
  source.refuse(unreachable);
  source.refuse(unreachable);
  source.write(line(5e8, "same"));
  await clock.advance(60_000);
  assert.deepEqual(texts(printed), ["same", "same", "other", "same"]);
  assert.equal(source.requests.at(-1)?.sinceTime, "2026-01-02T03:04:10Z");
  assert.deepEqual(notices, [{ kind: "reconnecting", error: unreachable }, { kind: "resumed" }]);
  await close();
});

test("keeps lines of two writers that are slightly out of order around a cut", async () => {
  const { clock, source, printed, close } = rig();
  await clock.advance(10);
  source.write(line(999_999_990, "out 1"));
  source.write(line(1_000_000_010, "out 2"));
  await clock.advance(10);
  source.cutAfter(0, unreachable);
  source.write(line(999_999_999, "err 1"));
  source.write(line(1_000_000_020, "out 3"));
  await clock.advance(5_000);
  assert.deepEqual(texts(printed), ["out 1", "out 2", "err 1", "out 3"]);
  await close();
});

test("reports a gap for lines that the node dropped during a cut", async () => {
  const { clock, source, printed, notices, close } = rig();
  await clock.advance(10);
  source.write(line(1, "one"));
  await clock.advance(10);
  source.cutAfter(0, unreachable);
  for (const n of [2, 3, 4]) source.write(line(n, `line ${n}`));
  source.rotate(1);
  await clock.advance(5_000);
  assert.deepEqual(texts(printed), ["one", "line 4"]);
  assert.deepEqual(notices.at(-1), {
    kind: "gap",
    after: line(1, "").timestamp,
    before: line(4, "").timestamp,
  });
  await close();
});

test("reopens a stream that the server closed while the container runs, without a notice", async () => {
  const { clock, source, printed, notices, ends, close } = rig({ hasEnded: () => false });
  await clock.advance(10);
  source.write(line(1, "one"));
  await clock.advance(10_000);
  source.cutAfter(0, "closed");
  source.write(line(2, "two"));
  await clock.advance(10);
  assert.deepEqual(texts(printed), ["one", "two"]);
  assert.deepEqual([notices, ends], [[], []]);
  await close();
});

test("keeps lines written after a normal close, before the container ended", async () => {
  let isKnown = false;
  const { clock, source, printed, ends, close } = rig({
    hasEnded: () => isKnown,
  });
  await clock.advance(10);
  source.cutAfter(0, "closed");
  source.write(line(1, "last words"));
  source.end();
  isKnown = true;
  await clock.advance(1_000);
  assert.deepEqual(texts(printed), ["last words"]);
  assert.deepEqual(ends, [{ kind: "finished" }]);
  await close();
});

test("ends after a second read without new lines if the container's state is unknown", async () => {
  const { clock, source, printed, ends, close } = rig();
  await clock.advance(10);
  source.write(line(1, "one"));
  source.end();
  await clock.advance(5_000);
  assert.deepEqual(texts(printed), ["one"]);
  assert.deepEqual(ends, [{ kind: "finished" }]);
  await close();
});

test("does not end on quiet streams that the server closes now and then if the state is unknown", async () => {
  const { clock, source, printed, ends, close } = rig();
  for (let times = 0; times < 4; times += 1) {
    await clock.advance(20_000);
    source.cutAfter(0, "closed");
  }
  await clock.advance(1_000);
  source.write(line(1, "one"));
  await clock.advance(1_000);
  assert.deepEqual(texts(printed), ["one"]);
  assert.deepEqual(ends, []);
  await close();
});

test("backs off while an ended container is reported as running", async () => {
  const { clock, source, ends, close } = rig({ hasEnded: () => false });
  source.end();
  await clock.advance(600_000);
  assert.ok(source.requests.length < 40, `asked ${source.requests.length} times`);
  assert.deepEqual(ends, []);
  await close();
});

test("waits for a container that has not started, reports that once, and starts with its first line", async () => {
  const { clock, source, printed, notices, close } = rig({
    prepare: (source) => {
      for (let times = 0; times < 8; times += 1) source.refuse(notStarted);
    },
  });
  await clock.advance(10_000);
  source.write(line(1, "one"));
  await clock.advance(60_000);
  assert.deepEqual(texts(printed), ["one"]);
  assert.deepEqual(notices, [{ kind: "waiting", detail: notStarted.detail }]);
  await close();
});

test("wake ends the wait for a container", async () => {
  const { clock, source, tail, printed, close } = rig({
    prepare: (source) => {
      for (let times = 0; times < 6; times += 1) source.refuse(notStarted);
    },
  });
  source.write(line(1, "one"));
  for (let times = 0; times < 6; times += 1) {
    await clock.advance(2);
    tail.wake();
  }
  await clock.advance(2);
  assert.deepEqual(texts(printed), ["one"]);
  await close();
});

test("reopens a stream that stays silent after a rotation", async () => {
  const { clock, source, printed, notices, close } = rig({ hasEnded: () => false });
  await clock.advance(10);
  source.mute();
  source.write(line(1, "one"));
  await clock.advance(61_000);
  assert.deepEqual(texts(printed), ["one"]);
  assert.deepEqual(notices, []);
  await close();
});

test("ends when the pod is deleted or its log is forbidden", async () => {
  for (const [error, expected] of [
    [notFound, { kind: "gone" }],
    [forbidden, { kind: "failed", error: forbidden }],
  ] as const) {
    const { clock, ends, close } = rig({
      prepare: (source) => {
        source.refuse(error);
      },
    });
    await clock.advance(10);
    assert.deepEqual(ends, [expected]);
    await close();
  }
});

test("survives the brief denial of a restarted server, and ends after half a minute of denials", async () => {
  for (const [denials, ended] of [
    [2, []],
    [100, [{ kind: "failed", error: forbidden }]],
  ] as const) {
    const { clock, source, printed, ends, close } = rig();
    source.write(line(1, "one"));
    await clock.advance(5_000);
    source.cutAfter(0, unreachable);
    for (let times = 0; times < denials; times += 1) source.refuse(forbidden);
    source.write(line(2, "two"));
    await clock.advance(20_000);
    assert.deepEqual(ends, []);
    await clock.advance(40_000);
    assert.deepEqual(ends, ended);
    assert.deepEqual(texts(printed), ended.length === 0 ? ["one", "two"] : ["one"]);
    await close();
  }
});

test("does not read another pod of the same name after a deletion", async () => {
  for (const [known, hasEnded, isGone] of [
    ["it is known to be gone", true, true],
    ["nobody knows of it", undefined, false],
    ["it is taken to be there still", false, false],
  ] as const) {
    let isAway = false;
    const { clock, source, printed, notices, ends, close } = rig({
      hasEnded: () => (isAway ? hasEnded : false),
      isGone: () => isAway && isGone,
    });
    await clock.advance(10);
    source.write(line(1, "of the first"));
    await clock.advance(10);
    isAway = true;
    source.replacePod("2");
    source.runBefore = [line(2, "run before of the second")];
    source.write(line(3, "of the second"));
    await clock.advance(60_000);
    assert.deepEqual(texts(printed), ["of the first"], known);
    assert.deepEqual(ends, [{ kind: "gone" }], known);
    assert.ok(!notices.some(({ kind }) => kind === "gap" || kind === "restarted"), known);
    await close();
  }
});

test("gives up on last lines that the node does not serve", async () => {
  const { clock, ends, close } = rig({
    prepare: (source) => {
      for (let times = 0; times < 100; times += 1) source.refuse(excuse);
    },
    hasEnded: () => true,
  });
  await clock.advance(300_000);
  assert.deepEqual(ends, [{ kind: "failed", error: excuse }]);
  await close();
});

test("keeps the last lines through a long outage", async () => {
  const { clock, source, printed, ends, close } = rig({
    prepare: (source) => {
      for (let times = 0; times < 20; times += 1) source.refuse(unreachable);
    },
    hasEnded: () => true,
  });
  source.write(line(1, "last words"));
  source.end();
  await clock.advance(3_600_000);
  assert.deepEqual(texts(printed), ["last words"]);
  assert.deepEqual(ends, [{ kind: "finished" }]);
  await close();
});

test("reads a container as soon as it starts", async () => {
  let look: () => void = () => undefined;
  const { clock, source, printed, close } = rig({
    prepare: (source) => {
      for (let times = 0; times < 8; times += 1) source.refuse(notStarted);
    },
    onDidChange: (listener) => {
      look = listener;
      return { dispose: () => undefined };
    },
    hasEnded: () => false,
  });
  source.write(line(1, "one"));
  for (let times = 0; times < 8; times += 1) {
    await clock.advance(2);
    look();
  }
  await clock.advance(2);
  assert.deepEqual(texts(printed), ["one"]);
  await close();
});

test("handles a state change during a request after that request", async () => {
  let look: () => void = () => undefined;
  const { clock, source, printed, close } = rig({
    prepare: (source) => {
      source.refuse(notStarted);
      source.write(line(1, "one"));
    },
    onDidChange: (listener) => {
      look = listener;
      return { dispose: () => undefined };
    },
    hasEnded: () => false,
  });
  look();
  await clock.advance(3);
  assert.deepEqual(texts(printed), ["one"]);
  assert.equal(source.openStreams, 1);
  look();
  await clock.advance(3);
  assert.equal(source.requests.length, 2, "a stream that is open stays");
  await close();
});

test("does not end while a starting kubelet does not know its pods", async () => {
  const { clock, source, printed, ends, close } = rig({ hasEnded: ({ isOver }) => isOver });
  await clock.advance(10);
  source.write(line(1, "one"));
  await clock.advance(10);
  source.cutAfter(0, "closed");
  for (let times = 0; times < 3; times += 1) source.refuse(unknownToNode);
  source.write(line(2, "two"));
  source.end();
  await clock.advance(60_000);
  assert.deepEqual(texts(printed), ["one", "two"]);
  assert.deepEqual(ends, [{ kind: "finished" }]);
  await close();
});

test("waits for a pod that its kubelet does not know yet", async () => {
  const { clock, source, printed, notices, close } = rig({
    prepare: (source) => {
      source.refuse(unknownToNode);
      source.write(line(1, "one"));
    },
    hasEnded: () => false,
  });
  await clock.advance(3_000);
  assert.deepEqual(texts(printed), ["one"]);
  assert.deepEqual(notices, [{ kind: "waiting", detail: unknownToNode.detail }]);
  assert.equal(source.requests.length, 2);
  await close();
});

test("does not wait for a previous run that the node has deleted", async () => {
  const { clock, source, printed, notices, close } = rig({ hasEnded: () => false });
  await clock.advance(10);
  source.write(line(1, "first run"));
  await clock.advance(10);
  source.runBefore = excuse;
  source.cutAfter(0, "closed");
  source.rotate(0);
  source.write(line(1e9, "second run"));
  await clock.advance(2_500);
  assert.deepEqual(texts(printed), ["first run", "second run"]);
  assert.deepEqual(
    notices.map(({ kind }) => kind),
    ["gap"],
  );
  await close();
});

for (const [beginAt, cursorAt, expected] of [
  ["runBefore", undefined, ["run before", "this run"]],
  ["runBefore", 1, ["this run"]],
  [undefined, undefined, ["this run"]],
] as const) {
  const where = beginAt === undefined ? "from this run on" : "from the run before on";
  const known = cursorAt === undefined ? "nothing was read" : "something was read";
  test(`a log that is read ${where} begins there where ${known}`, async () => {
    const clock = new VirtualClock();
    const source = new FakeLogSource(clock);
    source.runBefore = [line(0, "run before")];
    source.write(line(1, "read by an earlier tail"));
    const cursor = new ResumeCursor();
    if (cursorAt === undefined) source.rotate(0);
    else cursor.accept([line(cursorAt, "read by an earlier tail")]);
    source.write(line(2, "this run"));
    source.end();
    const printed: LogLine[] = [];
    const kinds: string[] = [];
    const tail = startTail(
      source,
      { namespace: "jobs", pod: "p", container: "c" },
      sinkInto(printed, kinds),
      {
        ...{ clock, random: () => 0.5, tailLines: undefined, cursor },
        ...(beginAt && { beginAt }),
        hasEnded: () => source.isOver,
        restarts: () => ({ count: 1, lastEnd: undefined }),
      },
    );
    await clock.advanceUntil(tail.done);
    assert.deepEqual(texts(printed), expected);
    assert.deepEqual(kinds, expected.length === 2 ? ["restarted"] : []);
  });
}

/** Returns a sink that collects the lines and the kinds of notices. */
const sinkInto = (printed: LogLine[], kinds: string[]): TailSink => ({
  lines: (lines) => {
    printed.push(...lines);
  },
  notice: ({ kind }) => {
    kinds.push(kind);
  },
  ended: () => undefined,
});

interface KeptRig {
  readonly clock: VirtualClock;
  readonly source: FakeLogSource;
  readonly printed: readonly LogLine[];
  readonly kinds: readonly string[];
  readonly restart: () => void;
  /** Opens a window that resumes where the previous one stopped. */
  readonly open: () => Tail;
}

function keptRig(): KeptRig {
  const clock = new VirtualClock();
  const source = new FakeLogSource(clock);
  const printed: LogLine[] = [];
  const kinds: string[] = [];
  let count = 0;
  const restart = (): void => {
    source.restart();
    count += 1;
  };
  const open = (): Tail => {
    const cursor = new ResumeCursor();
    cursor.accept(printed);
    return startTail(
      source,
      { namespace: "jobs", pod: "p", container: "c" },
      sinkInto(printed, kinds),
      {
        ...{ clock, random: () => 0.5, tailLines: undefined, cursor, beginAt: "runBefore" },
        hasEnded: () => source.isOver,
        restarts: () => ({ count, lastEnd: undefined }),
      },
    );
  };
  return { clock, source, printed, kinds, restart, open };
}

test("reads the rest of a run that ended without a window, even if the new run is silent", async () => {
  const { clock, source, printed, kinds, restart, open } = keptRig();
  source.write(line(1, "one"));
  for (const [rest, lines, notices] of [
    [[line(2, "last words")], ["one", "last words"], ["restarted"]],
    [[], ["one", "last words"], ["restarted"]],
  ] as const) {
    let tail = open();
    await clock.advance(5_000);
    tail.dispose();
    for (const one of rest) source.write(one);
    if (rest.length > 0) restart();
    tail = open();
    await clock.advance(5_000);
    assert.deepEqual(texts(printed), lines);
    assert.deepEqual(kinds, notices);
    tail.dispose();
  }
});

test("reads lines again if the search for the previous run is cut", async () => {
  const { clock, source, tail, printed, notices, close } = rig({ hasEnded: () => false });
  await clock.advance(10);
  source.write(line(1, "one"));
  await clock.advance(10);
  source.cutAfter(0, "closed");
  source.rotate(0);
  source.runBefore = excuse;
  source.write(line(2, "two"));
  await clock.advance(1_200);
  assert.deepEqual(texts(printed), ["one"]);
  tail.wake();
  await clock.advance(5_000);
  assert.deepEqual(texts(printed), ["one", "two"]);
  assert.deepEqual(
    notices.map(({ kind }) => kind),
    ["gap"],
  );
  await close();
});

test("prints a line once if the container restarts while its lost lines are looked for", async () => {
  const { clock, source, printed, notices, close } = rig({ hasEnded: () => false });
  await clock.advance(10);
  source.write(line(1, "one"));
  await clock.advance(10);
  source.cutAfter(0, "closed");
  source.rotate(0);
  source.write(line(2, "two"));
  source.onPrevious = () => {
    source.onPrevious = () => undefined;
    source.restart();
    source.write(line(3, "three"));
  };
  await clock.advance(5_000);
  assert.deepEqual(texts(printed), ["one", "two", "three"]);
  assert.deepEqual(
    notices.map(({ kind }) => kind),
    ["gap", "restarted"],
  );
  await close();
});

test("reports a missed run before it prints the lines of the next one", async () => {
  let count = 0;
  const { clock, source, tail, shown, close } = rig({
    hasEnded: () => false,
    restarts: () => ({ count, lastEnd: undefined }),
    prepare: (log) => {
      log.refuse(unreachable);
    },
  });
  const restart = (): void => {
    source.restart();
    count += 1;
  };
  await clock.advance(10);
  source.write(line(1, "one"));
  restart();
  source.write(line(2, "two"));
  source.onPrevious = () => {
    source.onPrevious = () => undefined;
    restart();
  };
  tail.wake();
  await clock.advance(5_000);
  assert.deepEqual(
    shown.filter((one) => one !== "(reconnecting)"),
    ["(gap)", "two", "(restarted)"],
  );
  await close();
});

test("prints the whole new run after a restart, if only the last lines were requested", async () => {
  const { clock, source, printed, close } = rig({ hasEnded: () => false, tailLines: 1 });
  source.write(line(1, "one"));
  await clock.advance(10);
  source.write(line(2, "two"));
  await clock.advance(10);
  source.restart();
  for (const [n, text] of ["three", "four", "five"].entries()) source.write(line(3 + n, text));
  await clock.advance(5_000);
  assert.deepEqual(texts(printed), ["one", "two", "three", "four", "five"]);
  await close();
});

test("reconnects quickly after each cut of streams that worked for a while", async () => {
  const { clock, source, printed, close } = rig({ hasEnded: () => false });
  for (let n = 1; n <= 10; n += 1) {
    source.write(line(n, `line ${n}`));
    await clock.advance(8_000);
    source.cutAfter(0, unreachable);
    await clock.advance(1_000);
    assert.equal(source.openStreams, 1, `cut ${n}`);
  }
  assert.equal(printed.length, 10);
  await close();
});

test("a slow reader pauses the tail", async () => {
  const clock = new VirtualClock();
  const source = new FakeLogSource(clock);
  const printed: string[] = [];
  let release: () => void = () => undefined;
  const tail = startTail(
    source,
    { namespace: "jobs", pod: "p", container: "c" },
    {
      lines: (lines) => {
        printed.push(...texts(lines));
        return new Promise((resolve) => {
          release = resolve;
        });
      },
      notice: () => undefined,
      ended: () => undefined,
    },
    { clock, random: () => 0.5, tailLines: undefined, hasEnded: () => false },
  );
  source.write(line(1, "one"));
  await clock.advance(10);
  source.write(line(2, "two"));
  await clock.advance(10);
  assert.deepEqual(printed, ["one"]);
  release();
  await clock.advance(10);
  assert.deepEqual(printed, ["one", "two"]);
  release();
  tail.dispose();
  await tail.done;
});

type Step =
  | { readonly do: "write"; readonly after: number; readonly texts: readonly string[] }
  | { readonly do: "advance"; readonly ms: number }
  | { readonly do: "cut"; readonly after: number; readonly how: ClusterError | "closed" }
  | { readonly do: "refuse"; readonly how: ClusterError | "closed" }
  | { readonly do: "mute" | "wake" };

const ways = fc.constantFrom<ClusterError | "closed">(unreachable, "closed", {
  kind: "badResponse",
  status: 500,
  detail: "the node does not answer",
});

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("write" as const),
      after: fc.constantFrom(0, 0, 1, 300, 999_999, 400_000_000, 1_000_000_000),
      texts: fc.array(fc.constantFrom("a", "b", ""), { minLength: 1, maxLength: 6 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("advance" as const),
      ms: fc.constantFrom(0, 1, 2, 900, 5_000, 61_000),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("cut" as const),
      after: fc.integer({ min: 0, max: 7 }),
      how: ways,
    }),
  },
  fc.record({ do: fc.constant("refuse" as const), how: ways }),
  fc.record({ do: fc.constantFrom("mute" as const, "wake" as const) }),
);

async function play(
  script: readonly Step[],
  { clock, source, tail }: Pick<Rig, "clock" | "source" | "tail">,
): Promise<readonly LogLine[]> {
  const written: LogLine[] = [];
  let stamp = 0;
  for (const step of script) {
    if (step.do === "write") {
      stamp += step.after;
      for (const text of step.texts) {
        written.push(line(stamp, text));
        source.write(line(stamp, text));
      }
    } else if (step.do === "advance") await clock.advance(step.ms);
    else if (step.do === "cut") source.cutAfter(step.after, step.how);
    else if (step.do === "refuse") source.refuse(step.how);
    else if (step.do === "mute") source.mute();
    else tail.wake();
  }
  return written;
}

test("for any cuts, prints the lines that were written, once each, in order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { maxLength: 40 }), async (script) => {
      const { clock, source, tail, printed, ends, close } = rig({
        hasEnded: ({ isOver }) => isOver,
      });
      const written = await play(script, { clock, source, tail });
      source.end();
      await clock.advance(3_600_000);
      assert.deepEqual(printed, written);
      assert.deepEqual(ends, [{ kind: "finished" }]);
      await close();
    }),
    { numRuns: 500 },
  );
});

test("prints no line of another pod of the same name, with any knowledge of the pod", async () => {
  const script = fc.array(steps, { maxLength: 20 });
  const knowledge = fc.constantFrom("gone", "ended", "unknown", "there");
  await fc.assert(
    fc.asyncProperty(script, script, knowledge, async (first, second, known) => {
      let isReplaced = false;
      const { clock, source, tail, printed, ends, close } = rig({
        hasEnded: () => (isReplaced ? hasEndedAs[known] : false),
        isGone: () => isReplaced && known === "gone",
      });
      // Before its first line, a tail that considers the pod running cannot detect that it was replaced.
      source.write(line(0, "first"));
      await clock.advance(10);
      const written = [line(0, "first"), ...(await play(first, { clock, source, tail }))];
      isReplaced = true;
      source.replacePod("2");
      source.write(line(45e9, "of another pod"));
      await play(second, { clock, source, tail });
      source.end();
      await clock.advance(3_600_000);
      assert.deepEqual(printed, written.slice(0, printed.length));
      assert.deepEqual(ends, [{ kind: "gone" }]);
      await close();
    }),
    { numRuns: 300, examples: [[closedTwice, [], "unknown"]] },
  );
});

// The second request is sent while the pod is still considered running.
const closedTwice: Step[] = [
  { do: "advance", ms: 61_000 },
  { do: "cut", after: 0, how: "closed" },
  { do: "refuse", how: "closed" },
  { do: "advance", ms: 0 },
];

const hasEndedAs = { gone: true, ended: true, unknown: undefined, there: false } as const;

interface Period {
  readonly restarts: "open" | "closed" | "never";
  /** How many lines are written before and after a restart: while a window is open, and then while none is open. */
  readonly open: readonly [number, number];
  readonly closed: readonly [number, number];
}

const counts = fc.tuple(fc.nat(3), fc.nat(2));
const periods: fc.Arbitrary<readonly Period[]> = fc.array(
  fc.record({
    restarts: fc.constantFrom("open", "closed", "never"),
    open: counts,
    closed: counts,
  }),
  { minLength: 1, maxLength: 8 },
);

test("keeps each line once and in order over restarts, seen or unseen, and silent runs", async () => {
  await fc.assert(
    fc.asyncProperty(periods, async (script) => {
      const { clock, source, printed, restart, open } = keptRig();
      const written: LogLine[] = [];
      const write = (count: number): void => {
        for (let n = 0; n < count; n += 1) {
          const one = line(written.length * 100_000_000, String(written.length));
          written.push(one);
          source.write(one);
        }
      };
      for (const { restarts, open: seen, closed: unseen } of script) {
        const tail = open();
        await clock.advance(5_000);
        for (const [when, [before, after]] of [
          ["open", seen],
          ["closed", unseen],
        ] as const) {
          write(before);
          if (restarts === when) restart();
          write(after);
          await clock.advance(5_000);
          if (when === "open") tail.dispose();
        }
        await tail.done;
      }
      const tail = open();
      await clock.advance(5_000);
      source.end();
      await clock.advanceUntil(tail.done);
      assert.deepEqual(texts(printed), texts(written));
    }),
    { numRuns: 300 },
  );
});

test("reports no lost connection while the node has no log of a stopped pod", async () => {
  let isGone = false;
  const { clock, source, notices, ends, close } = rig({ isGone: () => isGone });
  await clock.advance(10);
  source.write(line(1, "one"));
  await clock.advance(10);
  for (let answer = 0; answer < 3; answer += 1) source.refuse(excuse);
  source.cutAfter(0, excuse);
  await clock.advance(1_500);
  isGone = true;
  await clock.advance(20_000);
  assert.deepEqual(notices, []);
  assert.deepEqual(ends, [{ kind: "gone" }]);
  await close();
});

test("reports a missing log once if the node does not return it for a long time", async () => {
  const { clock, source, notices, close } = rig({ hasEnded: () => false });
  await clock.advance(10);
  source.write(line(1, "one"));
  await clock.advance(10);
  for (let answer = 0; answer < 8; answer += 1) source.refuse(excuse);
  source.cutAfter(0, excuse);
  await clock.advance(600_000);
  source.write(line(2, "two"));
  await clock.advance(10);
  assert.deepEqual(notices, [{ kind: "reconnecting", error: excuse }, { kind: "resumed" }]);
  await close();
});
