import { inEnglish } from "../../../../src/base/message.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { err, ok } from "../../../../src/base/result.ts";
import type { ClusterError } from "../../../../src/engine/clusterError.ts";
import type { LogItem, LogRequest, LogSource } from "../../../../src/engine/ports/logs.ts";
import type { ObjectApi } from "../../../../src/engine/ports/objects.ts";
import type { PodPages } from "../../../../src/engine/ports/channels.ts";
import {
  memoizeOnSuccess,
  LogRules,
  logRuleOf,
  redactedLogs,
  type LogRule,
} from "../../../../src/engine/logs/redactedLogs.ts";
import type { LogLine } from "../../../../src/spark/logs/logLine.ts";
import { redactLine } from "../../../../src/spark/redactLine.ts";
import { driverFixture } from "../../pods/podFixture.ts";
import { fakeCluster, forbidden } from "../fakeCluster.ts";
import { unreachable } from "../fakePodServer.ts";

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
const rule: LogRule = ok((text: string): boolean => text.includes("password"));
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

test("redacts secrets and changes nothing else", async () => {
  const plain = [{ timestamp: "1", text: "a password that is wrong" }];
  const source = sourceOf(
    linesOf([]),
    linesOf(plain),
    linesOf([{ timestamp: "2", text: "password=hunter2" }, ...plain]),
    { kind: "failed", error: gone },
  );
  const logs = redactedLogs(source, () => Promise.resolve(rule));
  assert.deepEqual(await read(logs), [
    [],
    ["a password that is wrong"],
    ["password=*********(redacted)", "a password that is wrong"],
    "failed",
  ]);
});

test("keeps the mark of an unfinished line", async () => {
  const last: LogLine = { timestamp: "1", text: "password=hun", isUnfinished: true };
  const logs = redactedLogs(sourceOf(linesOf([last])), () => Promise.resolve(rule));
  for await (const item of logs.readLog(request, signal)) {
    assert.deepEqual(item.kind === "lines" && item.take(), [
      { ...last, text: "password=*********(redacted)" },
    ]);
  }
});

test("requests the rule at once, awaits it before the first line, and takes lines lazily", async () => {
  let tellRule: (rule: LogRule) => void = () => undefined;
  const awaited = new Promise<LogRule>((resolve) => {
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
    return awaited;
  });
  const items = logs.readLog(request, signal)[Symbol.asyncIterator]();
  let isGiven = false;
  const first = items.next().then((result) => {
    isGiven = true;
    return result;
  });
  await new Promise(setImmediate);
  assert.deepEqual([asked, isGiven], [1, false]);
  tellRule(rule);
  const result: IteratorResult<LogItem, unknown> = await first;
  assert.ok(result.done !== true && result.value.kind === "lines");
  assert.equal(taken, 0);
  assert.equal(result.value.take()[0]?.text, "password=*********(redacted)");
});

const driver = driverFixture({ namespace: "etl", name: "orders-driver" });

/** Returns a driver that serves this conf. */
const pagesWith = (conf: readonly (readonly [string, string])[]): PodPages => ({
  read: (_, path) =>
    Promise.resolve(
      ok(path.endsWith("/environment") ? { sparkProperties: conf } : [{ id: "spark-1" }]),
    ),
});

const server = "https://cluster.test";

/** Redacts a text by the application's rule. Returns the error if the rule cannot be read. `rules`: a cache. */
async function redacted(
  text: string,
  connection: { readonly objects: ObjectApi; readonly pages: PodPages },
  rules = new LogRules(),
): Promise<string | ClusterError> {
  const found = await logRuleOf(rules, "orders", { ...connection, server }, driver);
  return found.ok ? redactLine(text, found.value) : found.error;
}

test("redacts by the application's own pattern, also one that matches whole keys", async () => {
  for (const [own, text, expected] of [
    [undefined, "x.token=abc", "x.token=*********(redacted)"],
    ["(?i)purple", "x.token=abc x.purple=abc", "x.token=abc x.purple=*********(redacted)"],
    ["^my[.]key$", "INFO App: my.key=abc", "INFO App: my.key=*********(redacted)"],
  ] as const) {
    const conf = own === undefined ? [] : [["spark.redaction.regex", own] as const];
    const connection = { objects: fakeCluster().objects, pages: pagesWith(conf) };
    assert.equal(await redacted(text, connection), expected);
  }
});

/** Returns a cluster with the submitted conf of an application. */
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

test("uses the submitted pattern if the driver does not answer", async (t) => {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  t.mock.method(AbortSignal, "timeout", (ms: number) => timeout(ms / 1000));
  // Keeps the process alive, as the open socket of a real request does.
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
  assert.equal(
    await redacted("x.token=abc x.purple=abc", { objects, pages }),
    "x.token=abc x.purple=*********(redacted)",
  );
});

const unheard: PodPages = { read: () => Promise.resolve(err(gone)) };
const text = "x.token=abc x.purple=abc";

test("uses the default rule if the conf is forbidden, missing or has no pattern", async () => {
  const manifests = [{ apiVersion: "v1", kind: "Pod", metadata: { name: driver.name } }];
  for (const { objects } of [
    fakeCluster(),
    fakeCluster({ refused: { "read Pod": forbidden("get", "pods") } }),
    fakeCluster({ manifests }),
    { objects: submittedWith("spark.app.name=orders\n") },
  ]) {
    const expected = "x.token=*********(redacted) x.purple=abc";
    assert.equal(await redacted(text, { objects, pages: unheard }), expected);
  }
});

test("yields no line while the conf is temporarily unreadable, and then redacts by it", async () => {
  const rules = new LogRules();
  let objects = fakeCluster({ refused: { "read Pod": unreachable } }).objects;
  const ask = memoizeOnSuccess(() =>
    logRuleOf(rules, "orders", { objects, pages: unheard, server }, driver),
  );
  const logs = redactedLogs(sourceOf(linesOf([{ timestamp: "1", text }])), ask);
  assert.deepEqual(await read(logs), ["failed"]);
  objects = submittedWith("spark.redaction.regex=(?i)purple\n");
  const expected = ["x.token=abc x.purple=*********(redacted)"];
  assert.deepEqual(await read(logs), [expected]);
  objects = submittedWith("");
  assert.deepEqual(await read(logs), [expected], "it is the same to the end of the log");
});

test("leaves the rule open if the connection closes while the conf is read", async () => {
  const ended = new DOMException("aborted", "AbortError");
  const objects = { ...fakeCluster().objects, read: () => Promise.reject(ended) };
  const found = await redacted(text, { objects, pages: unheard });
  assert.ok(typeof found === "object" && found.kind === "unreachable");
});

test("a pattern that backtracks in other engines takes no time, and later windows know it", async () => {
  const patterns = new Map<string, string>();
  const memory = {
    patternOf: (name: string) => patterns.get(name),
    keep: (name: string, pattern: string) => void patterns.set(name, pattern),
  };
  const objects = submittedWith("spark.redaction.regex=(a+)+$\n");
  const line = `${"a".repeat(100_000)}! x.token=abc`;
  const start = process.cpuUsage().user;
  assert.equal(
    await redacted(line, { objects, pages: unheard }, new LogRules(memory)),
    line.replace("abc", "abc"),
  );
  const later = await logRuleOf(
    new LogRules(memory),
    "orders",
    { objects: fakeCluster().objects, pages: unheard, server },
    undefined,
  );
  assert.ok(later.ok);
  assert.equal(redactLine(line, later.value), line);
  // A backtracking engine takes 42 s for 31 letters, and twice as long for each further letter.
  assert.ok(process.cpuUsage().user - start < 5_000_000);
});

test("hides all values of a log, and says so once, if the pattern cannot be matched in linear time", async () => {
  const told: string[] = [];
  const rules = new LogRules(undefined, (problem) => told.push(inEnglish(problem)));
  const objects = submittedWith("spark.redaction.regex=(?=a)b\n");
  const expected = "x.token=*********(redacted) x.purple=*********(redacted)";
  assert.equal(await redacted(text, { objects, pages: unheard }, rules), expected);
  assert.equal(await redacted(text, { objects, pages: unheard }, rules), expected);
  assert.equal(told.length, 1);
  assert.match(told[0] ?? "", /^All values are hidden/);
});

test("applies a known rule to the next log, also after the driver is deleted", async () => {
  const rules = new LogRules();
  const expected = "x.token=abc x.purple=*********(redacted)";
  const objects = submittedWith("spark.redaction.regex=(?i)purple\n");
  assert.equal(await redacted(text, { objects, pages: unheard }, rules), expected);
  const found = await logRuleOf(
    rules,
    "orders",
    { objects: fakeCluster().objects, pages: unheard, server },
    undefined,
  );
  assert.ok(found.ok);
  assert.equal(redactLine(text, found.value), expected);
});

test("applies the application's own pattern in a window that opens after the driver is deleted", async () => {
  const patterns = new Map<string, string>();
  const memory = {
    patternOf: (name: string) => patterns.get(name),
    keep: (name: string, pattern: string) => void patterns.set(name, pattern),
  };
  const expected = "x.token=abc x.purple=*********(redacted)";
  const objects = submittedWith("spark.redaction.regex=(?i)purple\n");
  const first = await redacted(text, { objects, pages: unheard }, new LogRules(memory));
  assert.equal(first, expected);
  const connection = { objects: fakeCluster().objects, pages: unheard, server };
  const later = await logRuleOf(new LogRules(memory), "orders", connection, undefined);
  assert.ok(later.ok);
  assert.equal(redactLine(text, later.value), expected);
  // The result is the same if the conf is no longer readable.
  const { objects: refusing } = fakeCluster({ refused: { "read Pod": forbidden("get", "pods") } });
  const unread = await redacted(text, { objects: refusing, pages: unheard }, new LogRules(memory));
  assert.equal(unread, expected);
});
