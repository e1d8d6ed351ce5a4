// The driver's REST API through the API server's proxy, events of pods, and custom resources of operators.
import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test, type TestContext } from "node:test";
import type { DriverAddress } from "../../src/engine/ports/reports.ts";
import type { ResourceEvent, ResourceKind } from "../../src/engine/ports/resources.ts";
import type { WatchBookmark, WatchItem } from "../../src/engine/ports/watch.ts";
import { gzipSync } from "node:zlib";
import { activeStages } from "../../src/spark/progress/driverQuery.ts";
import { startServer } from "./hostileServer.ts";
import { connectTo, errorOf, never, statusJson, valueOf } from "./rig.ts";

const driver: DriverAddress = {
  namespace: "ns",
  pod: "pi-driver",
  port: 4040,
  applicationId: "spark-1",
};
const proxied = "/api/v1/namespaces/ns/pods/pi-driver:4040/proxy";

test("reports registered executors without those that the driver has removed", async (t) => {
  const server = await startServer(t, (_seen, reply) => {
    reply.json(200, [
      { id: "driver", isActive: true, totalGCTime: 70 },
      { id: "1", isActive: true, isExcluded: true, activeTasks: 4, executorLogs: { stdout: "]}" } },
      { id: "2", isActive: false, isExcluded: true, removeReason: "Executor killed by driver." },
    ]);
  });
  const { connection } = await connectTo(t, server.url);
  const told = valueOf(await connection.drivers.executors(driver, never));
  const { registered, removed, excluded, activeTasks } = told;
  assert.deepEqual([...(excluded ?? [])], ["1"]);
  assert.deepEqual([...registered], ["1"]);
  assert.deepEqual([...activeTasks], [["1", 4]]);
  assert.deepEqual([...(told.usage?.keys() ?? [])], ["driver", "1"]);
  assert.equal(told.usage?.get("driver")?.gcMs, 70);
  assert.deepEqual([...removed], [["2", "Executor killed by driver."]]);
  assert.deepEqual(
    server.seen.map(({ path }) => path),
    [`${proxied}/api/v1/applications/spark-1/allexecutors`],
  );
});

test("reports a bad response when a driver's answer cannot be parsed", async (t) => {
  const answers = ['{"items":1}', "[{", "<html>", '[{"id":"1","isActive":true}'];
  for (const answer of answers) {
    const server = await startServer(t, (_seen, reply) => {
      reply.send(200, "application/json", answer);
    });
    const { connection } = await connectTo(t, server.url);
    const refused = errorOf(await connection.drivers.executors(driver, never));
    assert.equal(refused.kind, "badResponse", answer);
  }
});

test("reads the answer of a slow driver to its end after the caller has stopped waiting", async (t) => {
  let sent = 0;
  let isCut = false;
  const finish = new EventEmitter();
  const server = await startServer(t, (_seen, reply) => {
    sent += 1;
    const answer = reply.stream();
    answer.on("close", () => (isCut ||= !answer.writableFinished));
    answer.write('[{"id":"1","isActive":true}');
    finish.once("now", () => answer.end("]"));
  });
  const { connection } = await connectTo(t, server.url);
  const impatient = new AbortController();
  const given = connection.drivers.executors(driver, impatient.signal);
  while (sent === 0) await new Promise((resolve) => setImmediate(resolve));
  impatient.abort();
  await assert.rejects(given, { name: "AbortError" });
  const next = connection.drivers.executors(driver, never);
  finish.emit("now");
  assert.deepEqual([...valueOf(await next).registered], ["1"]);
  assert.equal(sent, 1, "a second caller shares the request that is running");
  assert.equal(isCut, false);
});

test("stops reading a driver that lists executors without end", async (t) => {
  const server = await startServer(t, (_seen, reply) => {
    const answer = reply.stream();
    const executor = `{"id":"1","isActive":true,"executorLogs":{"stdout":"${"x".repeat(512 << 10)}"}},`;
    answer.write("[");
    const more = (): void => {
      while (!answer.destroyed && answer.write(executor));
      if (!answer.destroyed) answer.once("drain", more);
    };
    more();
  });
  const { connection } = await connectTo(t, server.url);
  const refused = errorOf(await connection.drivers.executors(driver, never));
  assert.ok(refused.kind === "badResponse");
  assert.match(refused.detail, /the list from the driver is larger than/);
});

test("refuses a page of a pod that is too long to parse without blocking", async (t) => {
  const server = await startServer(t, (_seen, reply) => {
    reply.json(200, { sparkProperties: [["spark.app.name", "x".repeat(5 << 20)]] });
  });
  const { connection } = await connectTo(t, server.url);
  const page = { namespace: "ns", name: "pi-driver", port: 4040 };
  const refused = errorOf(await connection.pages.read(page, "/", never));
  assert.equal(refused.kind, "badResponse");
});

test("names the missing right when the proxy request is forbidden", async (t) => {
  const server = await startServer(t, (_seen, reply) => {
    reply.json(403, statusJson(403, "Forbidden", "no"));
  });
  const { connection } = await connectTo(t, server.url);
  assert.deepEqual(errorOf(await connection.drivers.executors(driver, never)), {
    kind: "forbidden",
    verb: "get",
    resource: "pods/proxy",
    namespace: "ns",
    detail: "no",
  });
});

test("a 401 or 403 from the driver's UI is not reported as a refusal by the cluster", async (t) => {
  for (const status of [401, 403]) {
    for (const [type, text] of [
      ["text/html;charset=iso-8859-1", "<html><title>Error</title></html>"],
      ["text/plain", "user dr.who is not authorized"],
      ["application/json", '{"servlet":"x","message":"no","status":"403"}'],
    ] as const) {
      const server = await startServer(t, (_seen, reply) => {
        reply.send(status, type, text);
      });
      const { connection } = await connectTo(t, server.url);
      const refused = errorOf(await connection.drivers.executors(driver, never));
      assert.ok(refused.kind === "badResponse" && refused.status === status, refused.kind);
      const page = { namespace: "ns", name: "pi-driver", port: 4040 };
      assert.equal(errorOf(await connection.pages.read(page, "/", never)).kind, "badResponse");
    }
  }
});

test("reads the dynamic allocation target from the gauges, and the bounds once from the conf", async (t) => {
  const server = await startServer(t, ({ path }, reply) => {
    if (path.endsWith("/metrics/json/")) {
      const name = "spark-1.driver.ExecutorAllocationManager.executors.numberTargetExecutors";
      const gauges = { [name]: { value: 7 } };
      reply.send(200, "text/json;charset=utf-8", JSON.stringify({ gauges }));
    } else {
      reply.json(200, {
        sparkProperties: [
          ["spark.dynamicAllocation.enabled", "true"],
          ["spark.dynamicAllocation.maxExecutors", "9"],
        ],
      });
    }
  });
  const { connection } = await connectTo(t, server.url);
  const first = valueOf(await connection.drivers.allocation(driver, undefined, never));
  const start = { minRegistered: 0, ratio: 0.8, maxWaitMs: 30_000 };
  assert.deepEqual(first, { kind: "dynamic", min: 0, max: 9, target: 7, start });
  assert.deepEqual(valueOf(await connection.drivers.allocation(driver, first, never)), first);
  assert.deepEqual(
    server.seen.map(({ path }) => path.slice(proxied.length)),
    ["/api/v1/applications/spark-1/environment", "/metrics/json/", "/metrics/json/"],
  );
});

test("requests a fixed number of executors only once", async (t) => {
  const server = await startServer(t, (_seen, reply) => {
    reply.json(200, { sparkProperties: [["spark.executor.instances", "4"]] });
  });
  const { connection } = await connectTo(t, server.url);
  const first = valueOf(await connection.drivers.allocation(driver, undefined, never));
  const start = { minRegistered: 4, ratio: 0.8, maxWaitMs: 30_000 };
  assert.deepEqual(first, { kind: "fixed", instances: 4, start });
  valueOf(await connection.drivers.allocation(driver, first, never));
  assert.equal(server.seen.length, 1);
});

test("checks the right to the proxy as the subresource pods/proxy", async (t) => {
  const server = await startServer(t, (_seen, reply) => {
    reply.json(201, { status: { allowed: false } });
  });
  const { connection } = await connectTo(t, server.url);
  const right = { verb: "get", group: "", namespace: "ns", subject: undefined };
  valueOf(await connection.rights.can({ ...right, resource: "pods/proxy" }, never));
  const asked = JSON.parse(server.seen[0]?.body ?? "") as {
    spec: { resourceAttributes: Record<string, unknown> };
  };
  const { resource, subresource } = asked.spec.resourceAttributes;
  assert.deepEqual([resource, subresource], ["pods", "proxy"]);
});

test("asks for the name of the user, which old API servers do not tell", async (t) => {
  const server = await startServer(t, (_seen, reply) => {
    if (server.seen.length > 1) reply.json(404, {});
    else reply.json(201, { status: { userInfo: { username: "ann" } } });
  });
  const { connection } = await connectTo(t, server.url);
  assert.equal(valueOf(await connection.rights.user(never)), "ann");
  const [asked] = server.seen;
  assert.equal(asked?.path, "/apis/authentication.k8s.io/v1/selfsubjectreviews");
  assert.deepEqual(JSON.parse(asked.body), {
    apiVersion: "authentication.k8s.io/v1",
    kind: "SelfSubjectReview",
  });
  assert.equal((await connection.rights.user(never)).ok, false);
});

test("lists the events of a pod newest first", async (t) => {
  const server = await startServer(t, (_seen, reply) => {
    reply.json(200, {
      items: [
        {
          reason: "FailedMount",
          message: "m",
          type: "Warning",
          lastTimestamp: "2026-01-02T03:00:00Z",
        },
        { reason: "Pulled", series: { count: 3, lastObservedTime: "2026-01-02T03:05:00.000000Z" } },
      ],
    });
  });
  const { connection } = await connectTo(t, server.url);
  const pod = { namespace: "ns", name: "p", uid: "u-1" };
  const events = valueOf(await connection.podEvents.eventsOf(pod, [], never));
  assert.deepEqual(
    events.map(({ reason, count, isWarning }) => [reason, count, isWarning]),
    [
      ["Pulled", 3, false],
      ["FailedMount", 1, true],
    ],
  );
  assert.equal(
    server.seen[0]?.path,
    "/api/v1/namespaces/ns/events?fieldSelector=involvedObject.uid%3Du-1&limit=100",
  );
});

test("returns the newest event of a pod from any position on any page", async (t) => {
  const noted = (reason: string, minute: number): unknown => ({
    reason,
    lastTimestamp: new Date(Date.UTC(2026, 0, 2, 3, minute)).toISOString(),
  });
  let isEndless = false;
  const server = await startServer(t, ({ path }, reply) => {
    const page = Number(/continue=(\d+)/.exec(path)?.[1] ?? 0);
    const items = Array.from({ length: 60 }, (_, index) => noted("BackOff", index % 50));
    if (page === 2) items.push(noted("FailedMount", 59));
    reply.json(200, {
      metadata: { continue: page < 2 || isEndless ? String(page + 1) : "" },
      items,
    });
  });
  const { connection } = await connectTo(t, server.url);
  const pod = { namespace: "ns", name: "p", uid: "u-1" };
  const events = valueOf(await connection.podEvents.eventsOf(pod, [], never));
  assert.equal(events[0]?.reason, "FailedMount");
  assert.equal(events.length, 100);
  assert.equal(server.seen.length, 3);
  isEndless = true;
  valueOf(await connection.podEvents.eventsOf(pod, [], never));
  assert.equal(server.seen.length, 13);
});

test("reads the events of related objects by kind and name, and of generated names by their beginning", async (t) => {
  const about = (name: string, reason: string) => ({ involvedObject: { name }, reason });
  const server = await startServer(t, ({ path }, reply) => {
    reply.json(200, {
      items: path.includes("ReplicaSet")
        ? [about("spark-d-1-0-5f6", "FailedCreate"), about("another-5f6", "Other")]
        : path.includes("Claim")
          ? [about("data", "ProvisioningFailed")]
          : [],
    });
  });
  const { connection } = await connectTo(t, server.url);
  const pod = { namespace: "ns", name: "p", uid: "u-1" };
  const events = valueOf(
    await connection.podEvents.eventsOf(
      pod,
      [
        { kind: "PersistentVolumeClaim", name: "data", isPrefix: false },
        { kind: "ReplicaSet", name: "spark-d-1-0-", isPrefix: true },
      ],
      never,
    ),
  );
  assert.deepEqual(
    events.map(({ reason }) => reason),
    ["ProvisioningFailed", "FailedCreate"],
  );
  assert.deepEqual(
    server.seen.map(({ path }) => decodeURIComponent(path).replace(/^.*fieldSelector=|&.*$/g, "")),
    [
      "involvedObject.uid=u-1",
      "involvedObject.kind=PersistentVolumeClaim,involvedObject.name=data",
      "involvedObject.kind=ReplicaSet",
    ],
  );
});

test("reads the usage of a pod from metrics-server, and tells its absence from a pod without metrics", async (t) => {
  const server = await startServer(t, ({ path }, reply) => {
    if (path.includes("/young")) {
      reply.json(
        404,
        statusJson(404, "NotFound", 'podmetrics.metrics.k8s.io "ns/young" not found'),
      );
    } else if (path.includes("/ns/")) {
      reply.json(200, { containers: [{ usage: { cpu: "250m", memory: "1Gi" } }] });
    } else reply.send(404, "text/plain", "404 page not found\n");
  });
  const { connection } = await connectTo(t, server.url);
  const pod = { namespace: "ns", name: "pi-exec-1" };
  assert.deepEqual(valueOf(await connection.metrics.usageOf(pod, never)), {
    cores: 0.25,
    memoryBytes: 2 ** 30,
  });
  assert.equal(server.seen[0]?.path, "/apis/metrics.k8s.io/v1beta1/namespaces/ns/pods/pi-exec-1");
  const young = errorOf(await connection.metrics.usageOf({ ...pod, name: "young" }, never));
  assert.match(`${young.kind}: ${young.detail}`, /^notFound: .*podmetrics/);
  const absent = errorOf(await connection.metrics.usageOf({ ...pod, namespace: "other" }, never));
  assert.equal(absent.kind, "notFound");
  assert.doesNotMatch(absent.detail, /podmetrics/);
});

test("finds the largest node and the taints on any page, and gives up on a list without an end", async (t) => {
  const etl = { key: "dedicated", value: "etl", effect: "NoSchedule" };
  const preferred = { key: "spot", effect: "PreferNoSchedule" };
  const nodeOf = (cpu: string, memory: string): unknown => ({
    spec: { taints: [etl, preferred, "no taint"] },
    status: { allocatable: { cpu, memory } },
  });
  let isEndless = false;
  const server = await startServer(t, ({ path }, reply) => {
    const isSecond = path.includes("continue=");
    reply.json(200, {
      metadata: { continue: isSecond && !isEndless ? "" : "2" },
      items: isSecond ? [nodeOf("8", "16Gi"), "no node", {}] : [nodeOf("3900m", "24Gi")],
    });
  });
  const { connection } = await connectTo(t, server.url);
  assert.deepEqual(valueOf(await connection.nodes.largest(never)), {
    cores: 8,
    memoryBytes: 24 * 2 ** 30,
    taints: [etl],
  });
  assert.deepEqual(
    server.seen.map(({ path }) => path),
    ["/api/v1/nodes?limit=50", "/api/v1/nodes?limit=50&continue=2"],
  );
  isEndless = true;
  assert.equal(valueOf(await connection.nodes.largest(never)), undefined);
  assert.equal(server.seen.length, 102);
});

const kind = { apiVersion: "sparkoperator.k8s.io/v1beta2", kind: "SparkApplication" };
const orders = (state: string, resourceVersion: string): unknown => ({
  metadata: { name: "orders", namespace: "ns", uid: "u-1", resourceVersion },
  status: { applicationState: { state } },
});

test("lists custom resources page by page", async (t) => {
  const server = await startServer(t, ({ path }, reply) => {
    const isFirst = !path.includes("continue=");
    reply.json(200, {
      metadata: { resourceVersion: "9", continue: isFirst ? "more" : "" },
      items: isFirst ? [orders("RUNNING", "3"), { metadata: {} }] : [],
    });
  });
  const { connection } = await connectTo(t, server.url);
  const list = valueOf(await connection.resources.listResources(kind, "ns", never));
  assert.deepEqual(
    list.resources.map(({ name, word }) => [name, word]),
    [["orders", "RUNNING"]],
  );
  assert.equal(list.resourceVersion, "9");
  assert.equal(server.seen.length, 2);
});

test("a resource watch reports changes and its resourceVersion until 410 Expired", async (t) => {
  const server = await startServer(t, (_seen, reply) => {
    const lines = [
      { type: "MODIFIED", object: orders("FAILING", "11") },
      { type: "DELETED", object: orders("FAILING", "12") },
      { type: "BOOKMARK", object: { metadata: { resourceVersion: "20" } } },
      { type: "ERROR", object: statusJson(410, "Expired", "too old") },
    ];
    reply.send(200, "application/json", lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  });
  const { connection } = await connectTo(t, server.url);
  const items: WatchItem<ResourceEvent>[] = [];
  for await (const item of connection.resources.watchResources(kind, undefined, "9", never)) {
    items.push(item);
  }
  const events = items.flatMap((item) => (item.kind === "events" ? item.events : []));
  assert.deepEqual(events.map(toWords), ["changed FAILING", "deleted FAILING", "version 20"]);
  const last = items.at(-1);
  assert.ok(last?.kind === "failed");
  assert.equal(last.error.kind, "expired");
  assert.match(
    server.seen[0]?.path ?? "",
    /^\/apis\/sparkoperator.k8s.io\/v1beta2\/sparkapplications\?watch=true.*&resourceVersion=9$/,
  );
});

const toWords = (event: ResourceEvent | WatchBookmark): string =>
  event.kind === "bookmark"
    ? `version ${event.resourceVersion}`
    : `${event.kind} ${event.resource.word}`;

async function watchOf(
  t: TestContext,
  lines: readonly string[],
  watched: ResourceKind = kind,
  namespace?: string,
): Promise<{ readonly items: readonly WatchItem<ResourceEvent>[]; readonly requests: number }> {
  const server = await startServer(t, (_seen, reply) => {
    reply.send(200, "application/json", lines.map((line) => `${line}\n`).join(""));
  });
  const { connection } = await connectTo(t, server.url);
  const items: WatchItem<ResourceEvent>[] = [];
  const all = connection.resources.watchResources(watched, namespace, "9", never);
  for await (const item of all) items.push(item);
  return { items, requests: server.seen.length };
}

const errorOfWatch = (items: readonly WatchItem<ResourceEvent>[]): string => {
  const last = items.at(-1);
  return last?.kind === "failed" ? `${last.error.kind}: ${last.error.detail}` : "none";
};

test("sends no request for an invalid kind or namespace of custom resources", async (t) => {
  const unknown = { apiVersion: "a/b/c", kind: "SparkApplication" };
  for (const [watched, namespace] of [
    [unknown, "ns"],
    [kind, "../x"],
  ] as const) {
    const { items, requests } = await watchOf(t, [], watched, namespace);
    assert.equal(items.length, 1);
    assert.equal(items[0]?.kind, "failed");
    assert.equal(requests, 0);
    const { connection } = await connectTo(t, "http://127.0.0.1:9");
    errorOf(await connection.resources.listResources(watched, namespace, never));
  }
});

test("a resource watch begins with an empty batch and ends without an error", async (t) => {
  const change = JSON.stringify({ type: "ADDED", object: orders("RUNNING", "11") });
  const annotations = { "k8s.io/initial-events-end": "true" };
  const metadata = { resourceVersion: "12", annotations };
  const other = JSON.stringify({ type: "ADDED", object: { metadata } });
  const { items } = await watchOf(t, [change, other, ""]);
  assert.deepEqual(items[0], { kind: "events", events: [] });
  assert.deepEqual(
    items.flatMap((item) =>
      item.kind === "events" ? item.events.map(toWords) : item.error.detail,
    ),
    ["changed RUNNING", "version 12"],
  );
  const last = items.at(-1);
  const bookmark = last?.kind === "events" ? last.events.at(-1) : undefined;
  assert.equal(bookmark?.kind === "bookmark" && bookmark.initialEventsEnd, false);
});

test("a resource watch ends at a line that is not JSON", async (t) => {
  const change = JSON.stringify({ type: "ADDED", object: orders("RUNNING", "11") });
  const broken = await watchOf(t, ["{", change]);
  assert.match(errorOfWatch(broken.items), /^badResponse: .*: a line is not JSON$/);
  const refused = await watchOf(t, [change, "no JSON", change]);
  assert.deepEqual(
    refused.items.map((item) => (item.kind === "events" ? item.events.length : item.kind)),
    [0, 1, "failed"],
  );
});

test("a resource watch ends at an object without a resource version", async (t) => {
  const { items } = await watchOf(t, ['{"type":"ADDED","object":{}}']);
  assert.match(errorOfWatch(items), /^badResponse: the watch on custom resources cannot be read: /);
});

test("a list of custom resources is refused if it is invalid", async (t) => {
  const item = JSON.stringify(orders("RUNNING", "1"));
  const metadata = '"metadata":{"resourceVersion":"9"}';
  const server = await startServer(t, () => undefined);
  const { connection } = await connectTo(t, server.url);
  const listOf = async (body: string) => {
    server.script = (_seen, reply) => {
      reply.send(200, "application/json", body);
    };
    return connection.resources.listResources(kind, undefined, never);
  };
  assert.equal(valueOf(await listOf(`{${metadata},"items":[${item}]}`)).resources.length, 1);
  for (const body of [
    "no JSON",
    "{}",
    `{"items":[${item}]}`,
    `{${metadata},"items":[${item}`,
    `{"metadata":{"resourceVersion":""},"items":[]}`,
  ]) {
    const { kind: failure, detail } = errorOf(await listOf(body));
    assert.equal(failure, "badResponse", body);
    assert.match(detail, /the response is not a list of custom resources$/, body);
  }
});

const manyStages = (count: number): string =>
  JSON.stringify(
    Array.from({ length: count }, (_, stageId) => ({
      ...{ stageId, attemptId: 0, numTasks: 10_000, numCompletedIndices: 314 },
      details: "org.apache.spark.rdd.RDD.collect(RDD.scala:1122)\n".repeat(40),
    })),
    undefined,
    2,
  );

test("asks a driver for gzip and reads compressed and plain answers", async (t) => {
  for (const isCompressed of [true, false]) {
    const server = await startServer(t, (seen, reply) => {
      assert.equal(seen.headers["accept-encoding"], "gzip");
      const encoding = isCompressed ? { "content-encoding": "gzip" } : {};
      const answer = reply.stream("application/json", 200, encoding);
      answer.end(isCompressed ? gzipSync(manyStages(3)) : manyStages(3));
    });
    const { connection } = await connectTo(t, server.url);
    const stages = valueOf(await connection.drivers.rows(driver, activeStages, never));
    assert.deepEqual(
      stages.map(({ stageId, tasks, done }) => [stageId, tasks, done]),
      [0, 1, 2].map((id) => [id, 10_000, 314]),
    );
    assert.equal(
      server.seen[0]?.path,
      `${proxied}/api/v1/applications/spark-1/stages?status=active`,
    );
  }
});

test("an answer of a driver that is cut, damaged or not from Spark is an error", async (t) => {
  const whole = gzipSync(manyStages(3));
  const bodies: readonly (readonly [type: string, encoding: string, body: Buffer])[] = [
    ["application/json", "gzip", whole.subarray(0, whole.length - 20)],
    ["application/json", "gzip", Buffer.from("[]")],
    ["application/json", "br", Buffer.from("[]")],
    ["text/html", "", Buffer.from("<html>Log in</html>")],
    ["application/json", "", Buffer.from('[{"stageId":1')],
  ];
  for (const [type, encoding, body] of bodies) {
    const server = await startServer(t, (_seen, reply) => {
      const headers = encoding === "" ? {} : { "content-encoding": encoding };
      reply.stream(type, 200, headers).end(body);
    });
    const { connection } = await connectTo(t, server.url);
    const refused = await connection.drivers.rows(driver, activeStages, never);
    assert.equal(refused.ok, false, `${type} ${encoding}`);
  }
});

test("a redirect of a driver to a login page is not followed", async (t) => {
  const server = await startServer(t, ({ path }, reply) => {
    assert.doesNotMatch(path, /login/);
    reply.stream("text/html", 302, { location: "/login" }).end();
  });
  const { connection } = await connectTo(t, server.url);
  const refused = errorOf(await connection.drivers.rows(driver, activeStages, never));
  assert.ok(refused.kind === "badResponse" && refused.status === 302);
});

test("reads 1,000 stages and keeps the event loop free", async (t) => {
  const body = gzipSync(manyStages(1_000));
  const server = await startServer(t, (_seen, reply) => {
    reply.stream("application/json", 200, { "content-encoding": "gzip" }).end(body);
  });
  const { connection } = await connectTo(t, server.url);
  valueOf(await connection.drivers.rows(driver, activeStages, never));
  const before = performance.eventLoopUtilization();
  const stages = valueOf(await connection.drivers.rows(driver, activeStages, never));
  const { active } = performance.eventLoopUtilization(before);
  assert.equal(stages.length, 1_000);
  t.diagnostic(`${active.toFixed(0)} ms of the event loop for 1,000 stages`);
});
