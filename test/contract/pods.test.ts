import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { PodListRequest, PodWatchItem, PodWatchRequest } from "../../src/engine/ports/pods.ts";
import { ManualClock } from "./clocks.ts";
import { startServer } from "./hostileServer.ts";
import { listJson, podJson, watchLine } from "./podJson.ts";
import { collect, connectTo, errorOf, never, statusJson, valueOf } from "./rig.ts";

const list: PodListRequest = {
  namespace: "ns",
  labelSelector: "spark-role in (driver,executor)",
  resourceVersion: undefined,
  limit: 250,
  continueToken: undefined,
};

const watch: PodWatchRequest = {
  namespace: "ns",
  labelSelector: "",
  resourceVersion: "5",
  sendInitialEvents: false,
  timeoutSeconds: 300,
};

/** Returns a short string for each event, so that a test can compare a sequence. */
const words = (items: readonly PodWatchItem[]): string[] =>
  items.flatMap((item) =>
    item.kind === "failed"
      ? [`failed ${item.error.kind}`]
      : item.events.map((event) =>
          event.kind === "bookmark"
            ? `bookmark ${event.resourceVersion}${event.initialEventsEnd ? " end" : ""}`
            : `${event.kind} ${event.pod.name}@${event.pod.resourceVersion}`,
        ),
  );

test("lists page by page and decodes the pods", async (t) => {
  const server = await startServer(t, (seen, reply) => {
    const isLast = seen.path.includes("continue=");
    const pods = isLast ? [podJson("c", "3")] : [podJson("a", "1", "ü💥"), podJson("b", "2")];
    reply.json(
      200,
      listJson(pods, { resourceVersion: "9", ...(isLast ? {} : { continue: "t/1" }) }),
    );
  });
  const { connection } = await connectTo(t, server.url);
  const first = valueOf(await connection.pods.listPods(list, never));
  assert.deepEqual(
    first.pods.map(({ name }) => name),
    ["a", "b"],
  );
  assert.equal(first.pods[0]?.message, "ü💥");
  assert.equal(first.resourceVersion, "9");
  const second = valueOf(
    await connection.pods.listPods({ ...list, continueToken: first.continueToken }, never),
  );
  assert.deepEqual([second.pods.length, second.continueToken], [1, undefined]);
  assert.deepEqual(
    server.seen.map(({ path }) => path),
    [
      "/api/v1/namespaces/ns/pods?labelSelector=spark-role%20in%20(driver%2Cexecutor)&limit=250",
      "/api/v1/namespaces/ns/pods?labelSelector=spark-role%20in%20(driver%2Cexecutor)&limit=250&continue=t%2F1",
    ],
  );
});

test("a list from a resource version accepts nothing older", async (t) => {
  const server = await startServer(t, (_seen, reply) => {
    reply.json(200, listJson([], { resourceVersion: "9" }));
  });
  const { connection } = await connectTo(t, server.url);
  const request = { ...list, namespace: undefined, labelSelector: "", resourceVersion: "0" };
  assert.deepEqual(valueOf(await connection.pods.listPods(request, never)).pods, []);
  const query = "limit=250&resourceVersion=0&resourceVersionMatch=NotOlderThan";
  assert.equal(server.seen[0]?.path, `/api/v1/pods?labelSelector=&${query}`);
});

test("decodes the same list from one-byte chunks", async (t) => {
  const server = await startServer(t, (_seen, reply) => {
    const text = JSON.stringify(listJson([podJson("a", "1", "ü💥")], { resourceVersion: "9" }));
    const stream = reply.stream();
    for (const byte of Buffer.from(text)) stream.write(Buffer.from([byte]));
    stream.end();
  });
  const { connection } = await connectTo(t, server.url);
  const page = valueOf(await connection.pods.listPods(list, never));
  assert.equal(page.pods[0]?.message, "ü💥");
});

test("refuses responses that are no pod list", async (t) => {
  const bodies: readonly (readonly [string, string])[] = [
    ["application/json", "{"],
    ["application/json", '{"metadata":{"resourceVersion":"1"},"items":[{"no":"pod"}]}'],
    ["application/json", '{"metadata":{"resourceVersion":"1"},"items":[1]}'],
    ["application/json", '{"items":[]}'],
    ["text/html", "<html>Sign in</html>"],
  ];
  const server = await startServer(t, (seen, reply) => {
    const [type, body] = bodies[seen.path.includes("all") ? 0 : server.seen.length - 1] ?? ["", ""];
    reply.send(200, type, body);
  });
  const { connection } = await connectTo(t, server.url);
  for (const [, body] of bodies) {
    const error = errorOf(await connection.pods.listPods(list, never));
    assert.equal(error.kind, "badResponse", body);
  }
});

test("reports an expired page and a future resource version as expired", async (t) => {
  const server = await startServer(t, (seen, reply) => {
    if (seen.path.includes("continue=")) {
      reply.json(410, statusJson(410, "Expired", "The provided continue parameter is too old"));
    } else {
      const causes = [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }];
      reply.json(504, statusJson(504, "Timeout", "Too large resource version: 9", { causes }));
    }
  });
  const { connection } = await connectTo(t, server.url);
  for (const continueToken of ["t", undefined]) {
    const result = await connection.pods.listPods({ ...list, continueToken }, never);
    assert.equal(errorOf(result).kind, "expired");
  }
});

const events = [
  watchLine("ADDED", podJson("a", "6", "ü💥é")),
  watchLine("MODIFIED", podJson("a", "7")),
  watchLine("BOOKMARK", { kind: "Pod", metadata: { resourceVersion: "8" } }),
  watchLine("DELETED", podJson("a", "9")),
].join("");
const eventWords = ["added a@6", "modified a@7", "bookmark 8", "deleted a@9"];

test("a watch requests bookmarks and yields events until the server closes it", async (t) => {
  const server = await startServer(t, (_seen, reply) => {
    reply.stream().end(events);
  });
  const { connection } = await connectTo(t, server.url);
  assert.deepEqual(words(await collect(connection.pods.watchPods(watch, never))), eventWords);
  assert.equal(
    server.seen[0]?.path,
    "/api/v1/namespaces/ns/pods?labelSelector=&watch=true&allowWatchBookmarks=true&timeoutSeconds=300&resourceVersion=5",
  );
});

test("a watch may start with initial events", async (t) => {
  const end = {
    metadata: { resourceVersion: "9", annotations: { "k8s.io/initial-events-end": "true" } },
  };
  const server = await startServer(t, (_seen, reply) => {
    reply.stream().end(watchLine("ADDED", podJson("a", "6")) + watchLine("BOOKMARK", end));
  });
  const { connection } = await connectTo(t, server.url);
  const request = { ...watch, sendInitialEvents: true, resourceVersion: undefined };
  const items = await collect(connection.pods.watchPods(request, never));
  assert.deepEqual(words(items), ["added a@6", "bookmark 9 end"]);
  assert.match(
    server.seen[0]?.path ?? "",
    /&sendInitialEvents=true&resourceVersionMatch=NotOlderThan$/,
  );
});

test("decodes the same event for any split of its bytes", async (t) => {
  const line = Buffer.from(watchLine("ADDED", podJson("a", "6", "ü💥é")));
  const server = await startServer(t, (seen, reply) => {
    const cut = Number(/resourceVersion=(\d+)/.exec(seen.path)?.[1]);
    const stream = reply.stream();
    stream.write(line.subarray(0, cut));
    setImmediate(() => stream.end(line.subarray(cut)));
  });
  const { connection } = await connectTo(t, server.url);
  const cuts = Array.from({ length: line.length - 1 }, (_, index) => index + 1);
  // Sends batches of parallel requests, each on its own socket.
  for (let at = 0; at < cuts.length; at += 50) {
    await Promise.all(
      cuts.slice(at, at + 50).map(async (cut) => {
        const request = { ...watch, resourceVersion: String(cut) };
        const items = await collect(connection.pods.watchPods(request, never));
        assert.deepEqual(words(items), ["added a@6"], `cut at ${cut}`);
      }),
    );
  }
});

test("an ERROR event ends the watch with the error of its Status", async (t) => {
  const statuses = [
    statusJson(410, "Expired", "too old resource version: 5 (7)"),
    statusJson(429, "TooManyRequests", "slow down", { retryAfterSeconds: 3 }),
    statusJson(500, "InternalError", "etcd event received with PrevKv=nil"),
  ];
  const server = await startServer(t, (_seen, reply) => {
    const status = statuses[server.seen.length - 1];
    reply.stream().end(events + watchLine("ERROR", status) + events);
  });
  const { connection } = await connectTo(t, server.url);
  for (const kind of ["expired", "throttled", "badResponse"]) {
    const items = await collect(connection.pods.watchPods(watch, never));
    assert.deepEqual(words(items), [...eventWords, `failed ${kind}`]);
  }
});

test("a refused watch yields only the reason", async (t) => {
  const answers = [
    [410, "Expired", "expired"],
    [403, "Forbidden", "forbidden"],
    [429, "TooManyRequests", "throttled"],
  ] as const;
  const server = await startServer(t, (_seen, reply) => {
    const [code, reason] = answers[server.seen.length - 1] ?? [500, ""];
    reply.json(code, statusJson(code, reason, `because of ${reason}`), { "retry-after": "1" });
  });
  const { connection } = await connectTo(t, server.url);
  for (const [, reason, kind] of answers) {
    const [item, ...rest] = await collect(connection.pods.watchPods(watch, never));
    assert.ok(item?.kind === "failed");
    assert.equal(item.error.kind, kind);
    assert.equal(item.error.detail, `because of ${reason}`);
    if (item.error.kind === "forbidden") {
      assert.deepEqual(
        [item.error.verb, item.error.resource, item.error.namespace],
        ["watch", "pods", "ns"],
      );
    }
    assert.deepEqual(rest, []);
  }
});

test("an invalid line ends the watch as a bad response", async (t) => {
  const lines = [
    "garbage\n",
    '{"type":"ADDED","object":{"kind":"Status"}}\n',
    '{"type":"SOMETHING","object":{}}\n',
    '{"type":"BOOKMARK","object":{}}\n',
    // The last line is truncated although the server closed cleanly.
    '{"type":"ADDED","obj',
  ];
  const server = await startServer(t, (_seen, reply) => {
    reply.stream().end(events + (lines[server.seen.length - 1] ?? ""));
  });
  const { connection } = await connectTo(t, server.url);
  for (const line of lines) {
    const items = await collect(connection.pods.watchPods(watch, never));
    assert.deepEqual(words(items), [...eventWords, "failed badResponse"], line);
  }
});

test("a line of more than 8 MB ends the watch before it is complete", async (t) => {
  const server = await startServer(t, (_seen, reply) => {
    reply.stream().write(`{"type":"ADDED","object":{"x":"${"x".repeat(9 << 20)}`);
  });
  const { connection } = await connectTo(t, server.url);
  assert.deepEqual(words(await collect(connection.pods.watchPods(watch, never))), [
    "failed badResponse",
  ]);
});

test("reads an object of 3 MB", async (t) => {
  const server = await startServer(t, (_seen, reply) => {
    reply.stream().end(watchLine("ADDED", podJson("a", "6", "x".repeat(3 << 20))));
  });
  const { connection } = await connectTo(t, server.url);
  assert.deepEqual(words(await collect(connection.pods.watchPods(watch, never))), ["added a@6"]);
});

test("accepts CRLF line ends and skips empty lines", async (t) => {
  const server = await startServer(t, (_seen, reply) => {
    reply.stream().end(`\n${events.replaceAll("\n", "\r\n")}`);
  });
  const { connection } = await connectTo(t, server.url);
  assert.deepEqual(words(await collect(connection.pods.watchPods(watch, never))), eventWords);
});

test("a broken connection ends the watch as unreachable", async (t) => {
  const server = await startServer(t, (_seen, reply) => {
    reply.stream().write(events, () => {
      reply.drop();
    });
  });
  const { connection } = await connectTo(t, server.url);
  const items = await collect(connection.pods.watchPods(watch, never));
  assert.deepEqual(words(items), [...eventWords, "failed unreachable"]);
  const last = items.at(-1);
  assert.ok(last?.kind === "failed" && last.error.kind === "unreachable");
  assert.equal(last.error.requestSent, false);
});

/** Starts a server that sends some events and then falls silent, and a watch on it. */
async function fallsSilent(t: TestContext) {
  const server = await startServer(t, (_seen, reply) => {
    reply.stream().write(events);
  });
  const clock = new ManualClock();
  const { connection } = await connectTo(t, server.url, { clock });
  const items = connection.pods.watchPods(watch, never)[Symbol.asyncIterator]();
  return { server, clock, items };
}

test("closes a watch that stays silent longer than the bookmark interval allows", async (t) => {
  const { server, clock, items } = await fallsSilent(t);
  // The first item reports the accepted response, the second contains the events.
  await items.next();
  await items.next();
  const next = items.next();
  await clock.advance(80_000);
  assert.equal(server.open.size, 1, "eighty seconds are not too long");
  await clock.advance(30_000);
  const step = await next;
  assert.ok(step.done !== true);
  assert.deepEqual(words([step.value]), ["failed unreachable"]);
});

test("closes a silent watch in time although the clock is set back", async (t) => {
  const { clock, items } = await fallsSilent(t);
  await items.next();
  await items.next();
  const next = items.next();
  await clock.advance(30_000);
  clock.setBack(600_000);
  await clock.advance(80_000);
  const step = await next;
  assert.ok(step.done !== true);
  assert.deepEqual(words([step.value]), ["failed unreachable"]);
});

test("a slow reader does not count as a silent server", async (t) => {
  const { server, clock, items } = await fallsSilent(t);
  await items.next();
  await clock.advance(600_000);
  assert.equal(server.open.size, 1);
  await items.return?.();
});

test("aborting a watch ends it with an AbortError and closes its socket", async (t) => {
  let gone: Promise<void> | undefined;
  const server = await startServer(t, (_seen, reply) => {
    reply.stream().write(events);
    gone = reply.gone();
  });
  const { connection } = await connectTo(t, server.url);
  const stop = new AbortController();
  const seen: string[] = [];
  await assert.rejects(
    async () => {
      for await (const item of connection.pods.watchPods(watch, stop.signal)) {
        seen.push(...words([item]));
        setImmediate(() => {
          stop.abort(new Error("a reason of the caller's own"));
        });
      }
    },
    { name: "AbortError" },
  );
  await gone;
  assert.deepEqual(seen, eventWords);
});

for (const [moment, count] of [
  ["before its first event", 1],
  ["after it", 2],
] as const) {
  test(`leaving the loop over a watch ${moment} closes its socket`, async (t) => {
    let gone: Promise<void> | undefined;
    const server = await startServer(t, (_seen, reply) => {
      reply.stream().write(events);
      gone = reply.gone();
    });
    const { connection } = await connectTo(t, server.url);
    let seen = 0;
    for await (const item of connection.pods.watchPods(watch, never)) {
      assert.deepEqual(words([item]), seen === 0 ? [] : eventWords);
      seen += 1;
      if (seen === count) break;
    }
    await gone;
  });
}

test("disposing the connection ends its watches", async (t) => {
  const server = await startServer(t, (_seen, reply) => {
    reply.stream().write(events);
  });
  const { connection } = await connectTo(t, server.url);
  await assert.rejects(
    async () => {
      for await (const item of connection.pods.watchPods(watch, never)) {
        assert.equal(item.kind, "events");
        connection.dispose();
      }
    },
    { name: "AbortError" },
  );
});
