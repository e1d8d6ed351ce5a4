import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import type { ClusterError } from "../../../../src/engine/clusterError.ts";
import { FailedLogReader } from "../../../../src/engine/logs/failedLogReader.ts";
import type { LogItem, LogRequest } from "../../../../src/engine/ports/logs.ts";
import type { SparkPod } from "../../../../src/spark/pods/application.ts";
import { displayState } from "../../../../src/spark/pods/displayState.ts";
import { failedDriver } from "../../diagnosis/diagnosedFixture.ts";
import { VirtualClock } from "../virtualClock.ts";

const heapLog = ["INFO begin", "java.lang.OutOfMemoryError: Java heap space", "INFO end"];
const forbidden: ClusterError = {
  kind: "forbidden",
  verb: "get",
  resource: "pods/log",
  namespace: "jobs",
  detail: "no",
};
const unreachable: ClusterError = {
  kind: "unreachable",
  server: "https://s",
  detail: "no",
  requestSent: false,
};
const gone: ClusterError = { kind: "notFound", resource: "pods", name: "p", detail: "no" };

interface Answers {
  lines?: readonly string[];
  error?: ClusterError | undefined;
  /** True if the server accepts requests but never responds. */
  isSilent?: boolean;
}

function endsOf(t: TestContext, answers: Answers, keeps: "kept" | "notKept" = "notKept") {
  const clock = new VirtualClock();
  const asked: LogRequest[] = [];
  const changed: string[] = [];
  const state = { open: 0, mostOpen: 0 };
  async function* readLog(request: LogRequest, signal: AbortSignal): AsyncGenerator<LogItem> {
    asked.push(request);
    state.open += 1;
    state.mostOpen = Math.max(state.mostOpen, state.open);
    try {
      await clock.sleep(answers.isSilent === true ? 3_600_000 : 100, signal);
      const { error, lines = heapLog } = answers;
      yield error !== undefined
        ? { kind: "failed", error }
        : {
            kind: "lines",
            take: () =>
              lines.slice(-(request.tailLines ?? 0)).map((text) => ({ timestamp: "", text })),
          };
    } finally {
      state.open -= 1;
    }
  }
  const ends = new FailedLogReader({
    clock,
    log: {
      debug: () => undefined,
      warn: () => undefined,
      error: (error) => assert.fail(String(error)),
    },
    logsOf: () => ({ readLog }),
    keepsLines: () => keeps === "kept",
    changed: (keys) => changed.push(...keys),
  });
  t.after(() => {
    ends.dispose();
  });
  return { ends, clock, asked, changed, state };
}

function podNamed(name: string): SparkPod {
  const pod = { ...failedDriver(1), uid: `uid-of-${name}`, name };
  return { pod, state: displayState(pod) };
}

const one = podNamed("pi-driver");

describe("the ends of logs", () => {
  test("are read once, in bounded size, and reported if they explain the failure", async (t) => {
    const { ends, clock, asked, changed } = endsOf(t, {});
    ends.look(true);
    assert.equal(ends.causeOf("jobs/pi", one), undefined);
    await clock.advance(1_000);
    assert.deepEqual(changed, ["jobs/pi"]);
    assert.equal(ends.causeOf("jobs/pi", one)?.kind, "heap");
    await clock.advance(3_600_000);
    assert.equal(ends.causeOf("jobs/pi", one)?.at, 1);
    assert.equal(asked.length, 1);
    assert.equal(asked[0]?.tailLines, 200);
    assert.equal(asked[0].uid, one.pod.uid);
    assert.equal(asked[0].follow, false);
    assert.equal(clock.pending, 0);
  });

  test("are read further back once if the last lines have no error", async (t) => {
    const lines = [...heapLog, ...Array.from({ length: 1_000 }, (_, at) => `INFO ${at}`)];
    const { ends, clock, asked } = endsOf(t, { lines });
    ends.look(true);
    ends.causeOf("jobs/pi", one);
    await clock.advance(1_000);
    assert.equal(ends.causeOf("jobs/pi", one)?.kind, "heap");
    assert.deepEqual(
      asked.map(({ tailLines }) => tailLines),
      [200, 3_000],
    );
  });

  test("are read only while the view is visible", async (t) => {
    const { ends, clock, asked } = endsOf(t, {});
    ends.causeOf("jobs/pi", one);
    await clock.advance(60_000);
    assert.equal(asked.length, 0);
    ends.look(true);
    await clock.advance(1_000);
    assert.equal(asked.length, 1);
  });

  test("without an error are not reported and not read again", async (t) => {
    const { ends, clock, asked, changed } = endsOf(t, { lines: ["INFO", "Pi is 3.14"] });
    ends.look(true);
    for (let look = 0; look < 3; look += 1) {
      assert.equal(ends.causeOf("jobs/pi", one), undefined);
      await clock.advance(600_000);
    }
    assert.deepEqual([asked.length, changed.length], [1, 0]);
  });

  test("are read again after a failure, but not from a deleted pod", async (t) => {
    const answers: Answers = { error: unreachable };
    const { ends, clock, asked } = endsOf(t, answers);
    ends.look(true);
    ends.causeOf("jobs/pi", one);
    await clock.advance(10_000);
    ends.causeOf("jobs/pi", one);
    await clock.advance(25_000);
    assert.equal(asked.length, 1);
    answers.error = gone;
    ends.causeOf("jobs/pi", one);
    await clock.advance(60_000);
    ends.causeOf("jobs/pi", one);
    await clock.advance(60_000);
    assert.equal(asked.length, 2);
  });

  test("without the right are asked for once in ten minutes, and again on wake", async (t) => {
    const { ends, clock, asked } = endsOf(t, { error: forbidden });
    ends.look(true);
    for (const name of ["a", "b", "c"]) {
      ends.causeOf("jobs/pi", podNamed(name));
      await clock.advance(60_000);
    }
    assert.equal(asked.length, 1);
    ends.wake();
    ends.causeOf("jobs/pi", one);
    await clock.advance(1_000);
    assert.equal(asked.length, 2);
  });

  test("of a driver without executors are read again every 30 s, while it is asked about", async (t) => {
    const answers: Answers = {
      lines: ["INFO", "WARN S: Initial job has not accepted any resources"],
    };
    const { ends, clock, asked, changed } = endsOf(t, answers);
    ends.look(true);
    ends.causeOf("jobs/pi", one, "latest");
    await clock.advance(1_000);
    assert.equal(ends.causeOf("jobs/pi", one, "latest")?.kind, "noResources");
    await clock.advance(28_000);
    assert.equal(ends.causeOf("jobs/pi", one, "latest")?.kind, "noResources");
    assert.equal(asked.length, 1);
    answers.lines = ["SparkException: Exceed the pod creation limit: 3"];
    await clock.advance(2_000);
    ends.causeOf("jobs/pi", one, "latest");
    await clock.advance(1_000);
    assert.equal(ends.causeOf("jobs/pi", one, "latest")?.kind, "podLimit");
    await clock.advance(600_000);
    assert.deepEqual([asked.length, changed.length], [2, 2]);
  });

  test("of a driver without a reason for its lack of executors are read less and less often", async (t) => {
    const { ends, clock, asked } = endsOf(t, { lines: ["INFO idle"] });
    ends.look(true);
    for (let second = 0; second < 600; second += 5) {
      ends.causeOf("jobs/pi", one, "latest");
      await clock.advance(5_000);
    }
    assert.equal(asked.length, 5);
  });

  test("are read two at a time, and at most twenty of an application", async (t) => {
    const { ends, clock, asked, state } = endsOf(t, {});
    ends.look(true);
    for (let look = 0; look < 5; look += 1) {
      for (let pod = 0; pod < 60; pod += 1) ends.causeOf("jobs/pi", podNamed(`exec-${pod}`));
      await clock.advance(5_000);
    }
    assert.deepEqual([asked.length, state.mostOpen], [20, 2]);
    ends.causeOf("jobs/other", podNamed("other"));
    await clock.advance(1_000);
    assert.equal(asked.length, 21);
  });

  test("that do not come within 10 s are given up", async (t) => {
    const { ends, clock, state } = endsOf(t, { isSilent: true });
    ends.look(true);
    ends.causeOf("jobs/pi", one);
    await clock.advance(1_000);
    assert.equal(state.open, 1);
    await clock.advance(10_000);
    assert.equal(state.open, 0);
    assert.equal(clock.pending, 0);
  });

  test("with huge lines are cut", async (t) => {
    const huge = `java.lang.IllegalStateException: ${"x".repeat(1 << 20)}`;
    const { ends, clock } = endsOf(t, { lines: [huge] });
    ends.look(true);
    ends.causeOf("jobs/pi", one);
    await clock.advance(1_000);
    assert.ok((ends.causeOf("jobs/pi", one)?.error.length ?? 0) <= 2_000);
  });
});

describe("the last lines of a log that is kept", () => {
  const never = new AbortController().signal;
  const textsOf = (lines: readonly { readonly text: string }[] | undefined) =>
    lines?.map(({ text }) => text);

  test("come from the read that found the cause", async (t) => {
    const { ends, clock, asked } = endsOf(t, {}, "kept");
    ends.look(true);
    ends.causeOf("jobs/pi", one);
    await clock.advance(1_000);
    assert.deepEqual(textsOf(await ends.linesOf("jobs/pi", one, never)), heapLog);
    assert.deepEqual(
      asked.map(({ tailLines }) => tailLines),
      [500],
    );
  });

  test("come from a read that is in progress, also one for the cause", async (t) => {
    const { ends, clock, asked } = endsOf(t, {}, "kept");
    ends.look(true);
    const other = podNamed("other");
    ends.causeOf("jobs/pi", one);
    const lines = ends.linesOf("jobs/pi", one, never);
    const others = ends.linesOf("jobs/pi", other, never);
    ends.causeOf("jobs/pi", other);
    await clock.advance(1_000);
    assert.deepEqual([await lines, await others].map(textsOf), [heapLog, heapLog]);
    assert.equal(ends.causeOf("jobs/pi", one)?.kind, "heap");
    assert.equal(ends.causeOf("jobs/pi", other)?.kind, "heap");
    assert.equal(asked.length, 2);
  });

  test("are read without a visible view, and give the cause to a later row", async (t) => {
    const { ends, clock, asked, changed } = endsOf(t, {}, "kept");
    const lines = ends.linesOf("jobs/pi", one, never);
    await clock.advance(1_000);
    assert.deepEqual(textsOf(await lines), heapLog);
    ends.look(true);
    assert.equal(ends.causeOf("jobs/pi", one)?.kind, "heap");
    assert.deepEqual([asked.length, changed], [1, ["jobs/pi"]]);
  });

  test("give the cause from before a thread dump, without a request of its own", async (t) => {
    const dump = Array.from({ length: 300 }, (_, at) => `\tat Thread.park(Thread.java:${at})`);
    const { ends, clock, asked } = endsOf(t, { lines: [...heapLog, ...dump] }, "kept");
    const read = ends.linesOf("jobs/pi", one, never);
    await clock.advance(1_000);
    assert.equal((await read)?.length, 303);
    assert.equal(ends.causeOf("jobs/pi", one)?.kind, "heap");
    assert.equal(asked.length, 1);
  });

  test("are not requested again from a namespace that denies logs", async (t) => {
    const { ends, clock, asked } = endsOf(t, { error: forbidden }, "kept");
    for (const name of ["a", "b", "c"]) {
      const lines = ends.linesOf("jobs/pi", podNamed(name), never);
      await clock.advance(1_000);
      assert.equal(await lines, undefined);
    }
    assert.equal(asked.length, 1);
  });

  test("are dropped beyond 4 MiB of text, the oldest first", async (t) => {
    const huge = Array.from({ length: 3 }, () => "x".repeat(1 << 20));
    const { ends, clock, asked } = endsOf(t, { lines: [...huge, ...huge, "the end"] }, "kept");
    ends.look(true);
    for (const name of ["a", "b"]) ends.causeOf("jobs/pi", podNamed(name));
    await clock.advance(1_000);
    const last = await ends.linesOf("jobs/pi", podNamed("b"), never);
    assert.deepEqual([last?.length, last?.at(-1)?.text, asked.length], [4, "the end", 2]);
    const again = ends.linesOf("jobs/pi", podNamed("a"), never);
    await clock.advance(1_000);
    assert.deepEqual([(await again)?.length, asked.length], [4, 3]);
  });

  test("are undefined after the connection ended", async (t) => {
    const { ends, clock, asked } = endsOf(t, { isSilent: true }, "kept");
    const lines = ends.linesOf("jobs/pi", one, never);
    await clock.advance(1_000);
    ends.dispose();
    assert.equal(await lines, undefined);
    assert.equal(await ends.linesOf("jobs/pi", one, never), undefined);
    assert.equal(asked.length, 1);
  });
});
