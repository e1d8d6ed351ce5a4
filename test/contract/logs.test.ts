import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import type { LogRequest } from "../../src/engine/ports/logs.ts";
import { ManualClock } from "./clocks.ts";
import { type Reply, startServer } from "./hostileServer.ts";
import { collectLog, connectTo, never, type ReadItem, statusJson, withLines } from "./rig.ts";
import { eventually } from "../host/eventually.ts";

const follow: LogRequest = {
  namespace: "ns",
  pod: "driver.1",
  container: "main",
  follow: true,
  previous: false,
  tailLines: undefined,
  sinceTime: undefined,
};

const stamp = "2026-01-02T03:04:05.123456789Z";

const textsOf = (items: readonly ReadItem[]): string[] =>
  items.flatMap((item) =>
    item.kind === "failed" ? [`failed ${item.error.kind}`] : item.lines.map(({ text }) => text),
  );

test("requests a log with timestamps, and zero tail lines are not all lines", async (t) => {
  const server = await startServer(t, (_seen, reply) => {
    reply.stream("text/plain").end(`${stamp} one\n${stamp} two\n`);
  });
  const { connection } = await connectTo(t, server.url);
  const requests: LogRequest[] = [
    { ...follow, tailLines: 0 },
    { ...follow, container: undefined, follow: false, previous: true, sinceTime: stamp },
  ];
  for (const request of requests) {
    const items = await collectLog(connection.logs.readLog(request, never));
    assert.deepEqual(
      items.flatMap((item) => (item.kind === "lines" ? item.lines : [])),
      [
        { timestamp: stamp, text: "one" },
        { timestamp: stamp, text: "two" },
      ],
    );
  }
  assert.deepEqual(
    server.seen.map(({ path }) => path),
    [
      "/api/v1/namespaces/ns/pods/driver.1/log?container=main&follow=true&tailLines=0&timestamps=true",
      "/api/v1/namespaces/ns/pods/driver.1/log?previous=true&sinceTime=2026-01-02T03%3A04%3A05.123456789Z&timestamps=true",
    ],
  );
});

test("a log is not found when the pod has another uid, and is read when the uid check is forbidden", async (t) => {
  const uids = [
    ["1", 200],
    ["2", 200],
    ["", 403],
    ["", 404],
  ] as const;
  const server = await startServer(t, (seen, reply) => {
    const [uid, status] = uids[at] ?? ["", 500];
    if (seen.path.includes("/log?")) reply.stream("text/plain").end(`${stamp} one\n`);
    else if (status === 200) reply.json(200, { kind: "Pod", metadata: { name: "driver.1", uid } });
    else reply.json(status, statusJson(status, "No", "no"));
  });
  let at = 0;
  const { connection } = await connectTo(t, server.url);
  for (const expected of ["one", "failed notFound", "one", "failed notFound"]) {
    const items = await collectLog(connection.logs.readLog({ ...follow, uid: "1" }, never));
    assert.deepEqual(textsOf(items), [expected]);
    at += 1;
  }
});

test("splits the same lines from one-byte chunks, and accepts a last line without a line feed", async (t) => {
  const bytes = Buffer.concat([
    Buffer.from(`${stamp} ü💥\r\n\n${stamp} \u0000nul\n${stamp} `),
    Buffer.from([0xf0, 0x9f, 0x0a]),
    Buffer.from(`${stamp} last`),
  ]);
  const server = await startServer(t, (_seen, reply) => {
    const stream = reply.stream("text/plain");
    for (const byte of bytes) stream.write(Buffer.from([byte]));
    stream.end();
  });
  const { connection } = await connectTo(t, server.url);
  const items = await collectLog(connection.logs.readLog(follow, never));
  assert.deepEqual(textsOf(items), ["ü💥\r", "", "\u0000nul", "\ufffd", "last"]);
});

test("cuts a line of 5 MB at 1 MB and marks the cut", async (t) => {
  const server = await startServer(t, (_seen, reply) => {
    reply.stream("text/plain").end(`${stamp} ${"x".repeat(5 << 20)}\n${stamp} next\n`);
  });
  const { connection } = await connectTo(t, server.url);
  const [long = "", next] = textsOf(await collectLog(connection.logs.readLog(follow, never)));
  assert.ok(long.length > (1 << 20) - 100 && long.length < (1 << 20) + 100);
  assert.match(long, /x … \(truncated: the line is longer than 1 MB\)$/);
  assert.equal(next, "next");
});

test("reports a node error in place of a log as a failure, not as a line", async (t) => {
  const excuse = "unable to retrieve container logs for containerd://9a55df";
  const server = await startServer(t, (seen, reply) => {
    const isFirst = server.seen.length === 1 && seen.path !== "";
    reply.stream("text/plain").end(isFirst ? excuse : `${stamp} ${excuse}\n`);
  });
  const { connection } = await connectTo(t, server.url);
  assert.deepEqual(textsOf(await collectLog(connection.logs.readLog(follow, never))), [
    "failed badResponse",
  ]);
  assert.deepEqual(textsOf(await collectLog(connection.logs.readLog(follow, never))), [excuse]);
});

test("reports a trailing node error as a failure, and drops half of a timestamp", async (t) => {
  const rests = ["failed to create fsnotify watcher: too many open files", "2026-01-02T0", ""];
  const server = await startServer(t, (_seen, reply) => {
    reply.stream("text/plain").end(`${stamp} one\n${rests[server.seen.length - 1] ?? ""}`);
  });
  const { connection } = await connectTo(t, server.url);
  for (const expected of [["one", "failed badResponse"], ["one"], ["one"]]) {
    assert.deepEqual(textsOf(await collectLog(connection.logs.readLog(follow, never))), expected);
  }
});

test("a broken connection yields complete lines only, then the reason", async (t) => {
  const server = await startServer(t, (_seen, reply) => {
    reply.stream("text/plain").write(`${stamp} one\n${stamp} tw`, () => {
      reply.drop();
    });
  });
  const { connection } = await connectTo(t, server.url);
  const items = await collectLog(connection.logs.readLog(follow, never));
  assert.deepEqual(textsOf(items), ["one", "failed unreachable"]);
});

test("distinguishes a container that has not started from one that does not exist", async (t) => {
  const answers = [
    [400, 'container "main" in pod "driver.1" is waiting to start: ContainerCreating'],
    [400, "container nothing is not valid for pod driver.1"],
    [404, "the server could not find the requested resource ( pods/log driver.1)"],
    [400, 'container "main" in pod "driver.1" is not available'],
    [404, 'pods "driver.1" not found'],
    [403, "no"],
  ] as const;
  const server = await startServer(t, (_seen, reply) => {
    const [code, message] = answers[server.seen.length - 1] ?? [500, ""];
    reply.json(code, statusJson(code, "Reason", message));
  });
  const { connection } = await connectTo(t, server.url);
  const errors = [];
  for (const [, message] of answers) {
    const [item] = await collectLog(connection.logs.readLog(follow, never));
    assert.ok(item?.kind === "failed");
    assert.equal(item.error.detail, message);
    errors.push(item.error);
  }
  assert.deepEqual(
    errors.map(({ kind }) => kind),
    ["badResponse", "invalid", "badResponse", "badResponse", "notFound", "forbidden"],
  );
  assert.equal(errors[0]?.kind === "badResponse" && errors[0].status, 400);
  assert.equal(errors[5]?.kind === "forbidden" && errors[5].resource, "pods/log");
});

test("a followed log may be silent for hours, even before its first line", async (t) => {
  let answer: Reply | undefined;
  const server = await startServer(t, (_seen, reply) => {
    answer = reply;
  });
  const clock = new ManualClock();
  const { connection } = await connectTo(t, server.url, { clock });
  const items = connection.logs.readLog(follow, never)[Symbol.asyncIterator]();
  const first = items.next();
  await eventually(
    "the request",
    () => Promise.resolve(answer),
    (reply) => reply !== undefined,
  );
  assert.ok(answer);
  await clock.advance(3 * 3600_000);
  const stream = answer.stream("text/plain");
  await clock.advance(3 * 3600_000);
  const accepted = await first;
  assert.ok(accepted.done !== true);
  assert.deepEqual(withLines(accepted.value), { kind: "lines", lines: [] });
  const next = items.next();
  stream.end(`${stamp} one\n`);
  const step = await next;
  assert.ok(step.done !== true);
  assert.deepEqual(textsOf([withLines(step.value)]), ["one"]);
});

test("a log can be canceled at any moment, and its socket closes", async (t) => {
  const faults: unknown[] = [];
  const onFault = (error: unknown): void => {
    faults.push(error);
  };
  process.on("uncaughtException", onFault);
  process.on("unhandledRejection", onFault);
  t.after(() => {
    process.off("uncaughtException", onFault);
    process.off("unhandledRejection", onFault);
  });
  const server = await startServer(t, (seen, reply) => {
    if (seen.path.includes("tailLines=1")) return;
    reply.stream("text/plain").write(`${stamp} one\n${stamp} tw`);
  });
  const { connection } = await connectTo(t, server.url);
  // Cancels before the request, while connecting, while waiting for the headers, and within the body.
  const moments: readonly (readonly [number, number | undefined])[] = [
    [0, undefined],
    [1, undefined],
    [40, 1],
    [40, undefined],
  ];
  for (const [afterMs, tailLines] of moments) {
    const stop = new AbortController();
    const reading = collectLog(connection.logs.readLog({ ...follow, tailLines }, stop.signal));
    const ended = assert.rejects(reading, { name: "AbortError" });
    if (afterMs > 0) await wait(afterMs);
    stop.abort();
    await ended;
    await eventually(
      "a closed socket",
      () => Promise.resolve(server.open.size),
      (count) => count === 0,
    );
  }
  await wait(20);
  assert.deepEqual(faults, []);
});

test("never sends names that could escape the URL path", async (t) => {
  const server = await startServer(t, (_seen, reply) => {
    reply.stream("text/plain").end();
  });
  const { connection } = await connectTo(t, server.url);
  const bad = ["../secrets/db?x=", "a/b", "a%2fb", "", ".", "..", "a#b", "a b", "a\0b"];
  for (const name of [...bad, "A", "x".repeat(254)]) {
    const places = [{ pod: name }, { namespace: name }, { container: name }];
    for (const request of bad.includes(name) ? places : [{ container: name }]) {
      const [item] = await collectLog(connection.logs.readLog({ ...follow, ...request }, never));
      assert.ok(item?.kind === "failed" && item.error.kind === "invalid", JSON.stringify(request));
    }
  }
  assert.equal(server.seen.length, 0);
});
