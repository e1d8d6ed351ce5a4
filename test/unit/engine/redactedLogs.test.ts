import assert from "node:assert/strict";
import { test } from "node:test";
import { ok } from "../../../src/base/result.ts";
import type { ClusterError } from "../../../src/engine/clusterError.ts";
import type {
  LogItem,
  LogRequest,
  LogSource,
  ObjectApi,
  PodPages,
} from "../../../src/engine/ports.ts";
import { readLogRule, redactedLogs } from "../../../src/engine/redactedLogs.ts";
import type { LogLine } from "../../../src/spark/logs/logLine.ts";
import { redactLine } from "../../../src/spark/logs/redactLine.ts";
import { driverFixture } from "../pods/podFixture.ts";
import { fakeCluster } from "./fakeCluster.ts";

const request: LogRequest = {
  namespace: "etl",
  pod: "orders-driver",
  container: undefined,
  follow: true,
  previous: false,
  tailLines: undefined,
  sinceTime: undefined,
};
const signal = new AbortController().signal;
const isSecret = (text: string): boolean => text.includes("password");
const gone: ClusterError = { kind: "invalid", detail: "gone", causes: [] };

const sourceOf = (...items: readonly LogItem[]): LogSource => ({
  async *readLog() {
    await Promise.resolve();
    yield* items;
  },
});

const linesOf = (lines: readonly LogLine[], took: () => void = () => undefined): LogItem => ({
  kind: "lines",
  take: () => {
    took();
    return lines;
  },
});

async function read(logs: LogSource): Promise<(readonly string[] | "failed")[]> {
  const told: (readonly string[] | "failed")[] = [];
  for await (const item of logs.readLog(request, signal)) {
    told.push(item.kind === "failed" ? item.kind : item.take().map(({ text }) => text));
  }
  return told;
}

test("lines come without secrets, and everything else as it is", async () => {
  const plain = [{ timestamp: "1", text: "a password that is wrong" }];
  const source = sourceOf(
    linesOf([]),
    linesOf(plain),
    linesOf([{ timestamp: "2", text: "password=hunter2" }, ...plain]),
    { kind: "failed", error: gone },
  );
  const logs = redactedLogs(source, () => Promise.resolve(isSecret));
  assert.deepEqual(await read(logs), [
    [],
    ["a password that is wrong"],
    ["password=*********(redacted)", "a password that is wrong"],
    "failed",
  ]);
});

test("a line that is told as unfinished stays so", async () => {
  const last: LogLine = { timestamp: "1", text: "password=hun", isUnfinished: true };
  const logs = redactedLogs(sourceOf(linesOf([last])), () => Promise.resolve(isSecret));
  for await (const item of logs.readLog(request, signal)) {
    assert.deepEqual(item.kind === "lines" && item.take(), [
      { ...last, text: "password=*********(redacted)" },
    ]);
  }
});

test("the rule is asked for at once, awaited before the first line, and lines are taken when they are wanted", async () => {
  let tellRule: (rule: (text: string) => boolean) => void = () => undefined;
  const rule = new Promise<(text: string) => boolean>((resolve) => {
    tellRule = resolve;
  });
  let [asked, taken] = [0, 0];
  const source = sourceOf(
    linesOf([{ timestamp: "1", text: "password=x" }], () => {
      taken += 1;
    }),
  );
  const logs = redactedLogs(source, () => {
    asked += 1;
    return rule;
  });
  const items = logs.readLog(request, signal)[Symbol.asyncIterator]();
  let isGiven = false;
  const first = items.next().then((result) => {
    isGiven = true;
    return result;
  });
  await new Promise(setImmediate);
  assert.deepEqual([asked, isGiven], [1, false]);
  tellRule(isSecret);
  const result: IteratorResult<LogItem, unknown> = await first;
  assert.ok(result.done !== true && result.value.kind === "lines");
  assert.equal(taken, 0);
  assert.equal(result.value.take()[0]?.text, "password=*********(redacted)");
});

const driver = driverFixture({ namespace: "etl", name: "orders-driver" });

/** A driver that says by which conf it runs. */
const pagesWith = (conf: readonly (readonly [string, string])[]): PodPages => ({
  read: (_, path) =>
    Promise.resolve(
      ok(path.endsWith("/environment") ? { sparkProperties: conf } : [{ id: "spark-1" }]),
    ),
});

test("the application's own pattern says what is secret in its logs, also one for whole keys", async () => {
  for (const [own, text, expected] of [
    [undefined, "x.token=abc", "x.token=*********(redacted)"],
    ["(?i)purple", "x.token=abc x.purple=abc", "x.token=abc x.purple=*********(redacted)"],
    ["^my[.]key$", "INFO App: my.key=abc", "INFO App: my.key=*********(redacted)"],
  ] as const) {
    const conf = own === undefined ? [] : [["spark.redaction.regex", own] as const];
    const connection = { objects: fakeCluster().objects, pages: pagesWith(conf) };
    const rule = await readLogRule(connection, driver);
    assert.equal(rule && redactLine(text, rule), expected);
  }
});

/** What spark-submit has left of an application's conf. */
const submittedWith = (conf: string): ObjectApi => {
  const volumes = [{ name: "spark-conf-volume-driver", configMap: { name: "conf" } }];
  return fakeCluster({
    manifests: [
      { apiVersion: "v1", kind: "Pod", metadata: { name: driver.name }, spec: { volumes } },
      {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "conf" },
        data: { "spark.properties": conf },
      },
    ],
  }).objects;
};

test("the pattern of the submission counts where the driver swallows the question", async (t) => {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  t.mock.method(AbortSignal, "timeout", (ms: number) => timeout(ms / 1000));
  // As a socket would.
  const awake = setInterval(() => undefined, 1000);
  t.after(() => {
    clearInterval(awake);
  });
  const pages: PodPages = {
    read: (_pod, _path, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => {
          reject(new DOMException("aborted", "AbortError"));
        });
      }),
  };
  const objects = submittedWith("spark.redaction.regex=(?i)purple\n");
  const rule = await readLogRule({ objects, pages }, driver);
  assert.ok(rule);
  assert.equal(
    redactLine("x.token=abc x.purple=abc", rule),
    "x.token=abc x.purple=*********(redacted)",
  );
});

test("where an application's conf cannot be read there is no rule of its own", async () => {
  const pages: PodPages = { read: () => Promise.resolve({ ok: false, error: gone }) };
  const rule = await readLogRule({ objects: fakeCluster().objects, pages }, driver);
  assert.equal(rule, undefined);
});
