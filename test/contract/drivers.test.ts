// What drivers say through the API server's proxy, what is noted of pods, and operators' resources.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { DriverAddress, ResourceWatchItem } from "../../src/engine/ports.ts";
import { startServer } from "./hostileServer.ts";
import { connectTo, errorOf, never, statusJson, valueOf } from "./rig.ts";

const driver: DriverAddress = {
  namespace: "ns",
  pod: "pi-driver",
  port: 4040,
  applicationId: "spark-1",
};
const proxied = "/api/v1/namespaces/ns/pods/pi-driver:4040/proxy";

test("a driver's executors are those that it has registered and has not given up", async (t) => {
  const server = await startServer(t, (_seen, reply) => {
    reply.json(200, [
      { id: "driver", isActive: true },
      { id: "1", isActive: true, activeTasks: 4, executorLogs: { stdout: "]}" } },
      { id: "2", isActive: false, removeReason: "Executor killed by driver." },
    ]);
  });
  const { connection } = await connectTo(t, server.url);
  const told = valueOf(await connection.drivers.executors(driver, never));
  const { registered, removed, activeTasks } = told;
  assert.deepEqual([...registered], ["1"]);
  assert.deepEqual([...activeTasks], [["1", 4]]);
  assert.deepEqual([...removed], [["2", "Executor killed by driver."]]);
  assert.deepEqual(
    server.seen.map(({ path }) => path),
    [`${proxied}/api/v1/applications/spark-1/allexecutors`],
  );
});

test("what is no answer of a driver is none", async (t) => {
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

test("who may not pass through the API server is told which right it takes", async (t) => {
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

test("what a driver's own UI refuses is no refusal of the cluster", async (t) => {
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

test("the target of dynamic allocation is read from the gauges, the bounds from the conf, once", async (t) => {
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
  assert.deepEqual(first, { kind: "dynamic", min: 0, max: 9, target: 7 });
  assert.deepEqual(valueOf(await connection.drivers.allocation(driver, first, never)), first);
  assert.deepEqual(
    server.seen.map(({ path }) => path.slice(proxied.length)),
    ["/api/v1/applications/spark-1/environment", "/metrics/json/", "/metrics/json/"],
  );
});

test("a fixed number of executors is asked for once", async (t) => {
  const server = await startServer(t, (_seen, reply) => {
    reply.json(200, { sparkProperties: [["spark.executor.instances", "4"]] });
  });
  const { connection } = await connectTo(t, server.url);
  const first = valueOf(await connection.drivers.allocation(driver, undefined, never));
  assert.deepEqual(first, { kind: "fixed", instances: 4 });
  valueOf(await connection.drivers.allocation(driver, first, never));
  assert.equal(server.seen.length, 1);
});

test("the right to pass through is asked for by its own name", async (t) => {
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

test("what is noted of one pod comes the newest first", async (t) => {
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
  const notices = valueOf(await connection.notices.noticesOf(pod, never));
  assert.deepEqual(
    notices.map(({ reason, count, isWarning }) => [reason, count, isWarning]),
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

test("the newest that is noted of a pod is told wherever in the list it stands, of any number of pages", async (t) => {
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
  const notices = valueOf(await connection.notices.noticesOf(pod, never));
  assert.equal(notices[0]?.reason, "FailedMount");
  assert.equal(notices.length, 100);
  assert.equal(server.seen.length, 3);
  isEndless = true;
  valueOf(await connection.notices.noticesOf(pod, never));
  assert.equal(server.seen.length, 13);
});

const kind = { apiVersion: "sparkoperator.k8s.io/v1beta2", kind: "SparkApplication" };
const orders = (state: string, resourceVersion: string): unknown => ({
  metadata: { name: "orders", namespace: "ns", uid: "u-1", resourceVersion },
  status: { applicationState: { state } },
});

test("resources of an operator are listed page by page", async (t) => {
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

test("a watch of resources tells what changed and where to go on, until the server has forgotten", async (t) => {
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
  const items: ResourceWatchItem[] = [];
  for await (const item of connection.resources.watchResources(kind, undefined, "9", never)) {
    items.push(item);
  }
  const events = items.flatMap((item) => (item.kind === "events" ? item.events : []));
  assert.deepEqual(
    events.map((event) => `${event.kind} ${event.resource.word}`),
    ["changed FAILING", "deleted FAILING"],
  );
  const versions = items.flatMap((item) => (item.kind === "events" ? item.resourceVersion : []));
  assert.equal(versions.at(-1), "20");
  const last = items.at(-1);
  assert.ok(last?.kind === "failed");
  assert.equal(last.error.kind, "expired");
  assert.match(
    server.seen[0]?.path ?? "",
    /^\/apis\/sparkoperator.k8s.io\/v1beta2\/sparkapplications\?watch=true.*&resourceVersion=9$/,
  );
});
