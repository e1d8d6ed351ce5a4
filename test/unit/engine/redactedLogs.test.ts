import assert from "node:assert/strict";
import { test } from "node:test";
import { err, ok } from "../../../src/base/result.ts";
import type { ClusterError } from "../../../src/engine/clusterError.ts";
import type {
  LogItem,
  LogRequest,
  LogSource,
  ObjectApi,
  PodPages,
} from "../../../src/engine/ports.ts";
import {
  askedOnce,
  LogRules,
  logRuleOf,
  redactedLogs,
  type LogRule,
} from "../../../src/engine/redactedLogs.ts";
import type { LogLine } from "../../../src/spark/logs/logLine.ts";
import { redactLine } from "../../../src/spark/logs/redactLine.ts";
import { driverFixture } from "../pods/podFixture.ts";
import { fakeCluster, forbidden } from "./fakeCluster.ts";
import { unreachable } from "./fakePodServer.ts";

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

test("lines come without secrets, and everything else as it is", async () => {
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

test("a line that is told as unfinished stays so", async () => {
  const last: LogLine = { timestamp: "1", text: "password=hun", isUnfinished: true };
  const logs = redactedLogs(sourceOf(linesOf([last])), () => Promise.resolve(rule));
  for await (const item of logs.readLog(request, signal)) {
    assert.deepEqual(item.kind === "lines" && item.take(), [
      { ...last, text: "password=*********(redacted)" },
    ]);
  }
});

test("the rule is asked for at once, awaited before the first line, and lines are taken when they are wanted", async () => {
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

/** A driver that says by which conf it runs. */
const pagesWith = (conf: readonly (readonly [string, string])[]): PodPages => ({
  read: (_, path) =>
    Promise.resolve(
      ok(path.endsWith("/environment") ? { sparkProperties: conf } : [{ id: "spark-1" }]),
    ),
});

const server = "https://cluster.test";

/** A line as the rule of an application leaves it, and the rules that are known then. */
async function redacted(
  text: string,
  connection: { readonly objects: ObjectApi; readonly pages: PodPages },
  rules = new LogRules(),
): Promise<string | ClusterError> {
  const found = await logRuleOf(rules, "orders", { ...connection, server }, driver);
  return found.ok ? redactLine(text, found.value) : found.error;
}

test("the application's own pattern says what is secret in its logs, also one for whole keys", async () => {
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
  assert.equal(
    await redacted("x.token=abc x.purple=abc", { objects, pages }),
    "x.token=abc x.purple=*********(redacted)",
  );
});

const unheard: PodPages = { read: () => Promise.resolve(err(gone)) };
const text = "x.token=abc x.purple=abc";

test("the default rule counts where the conf may not be read, says nothing or is not there", async () => {
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

test("no line is given while the conf cannot be read for a moment, and then by its rule", async () => {
  const rules = new LogRules();
  let objects = fakeCluster({ refused: { "read Pod": unreachable } }).objects;
  const ask = askedOnce(() =>
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

test("a connection that ends while the conf is read leaves the rule open", async () => {
  const ended = new DOMException("aborted", "AbortError");
  const objects = { ...fakeCluster().objects, read: () => Promise.reject(ended) };
  const found = await redacted(text, { objects, pages: unheard });
  assert.ok(typeof found === "object" && found.kind === "unreachable");
});

test("a rule that is known counts for the next log, too, also when the driver is gone", async () => {
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

test("a pattern of the application's own counts in a window that is opened when its driver is gone", async () => {
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
  // Where the conf may not be read any more, too.
  const { objects: refusing } = fakeCluster({ refused: { "read Pod": forbidden("get", "pods") } });
  const unread = await redacted(text, { objects: refusing, pages: unheard }, new LogRules(memory));
  assert.equal(unread, expected);
});
