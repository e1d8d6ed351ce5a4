// The sizes and taints of nodes, the events of pods, and the lists in drivers' REST APIs.
import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { numberAt } from "../../src/base/json.ts";
import type { DriverAddress } from "../../src/engine/ports/reports.ts";
import type { DriverList } from "../../src/spark/progress/driverQuery.ts";
import { startServer, type Script } from "./hostileServer.ts";
import { connectTo, errorOf, never, statusJson, valueOf } from "./rig.ts";

async function connected(t: TestContext, script: Script) {
  const server = await startServer(t, script);
  const { connection } = await connectTo(t, server.url);
  return { server, connection };
}

describe("the largest node", () => {
  const taint = (key: string, value?: string, effect = "NoSchedule") => ({
    ...{ key, effect },
    ...(value !== undefined && { value }),
  });
  const nodeOf = (allocatable: object | undefined, ...taints: readonly unknown[]): unknown => ({
    spec: { taints },
    status: { allocatable },
  });
  const largestOf = async (t: TestContext, ...items: readonly unknown[]): Promise<unknown> => {
    const { connection } = await connected(t, (_seen, reply) => {
      reply.json(200, { items });
    });
    return valueOf(await connection.nodes.largest(never));
  };

  test("is unknown without nodes", async (t) => {
    assert.equal(await largestOf(t), undefined);
  });

  test("has the maximum of each resource, and 0 for an amount that is missing or invalid", async (t) => {
    const [small, wide] = [
      { cpu: "2", memory: "4Gi" },
      { cpu: "500m", memory: "8Gi" },
    ];
    assert.deepEqual(await largestOf(t, nodeOf(small), nodeOf(wide)), {
      cores: 2,
      memoryBytes: 8 * 2 ** 30,
    });
    const none = { cores: 0, memoryBytes: 0 };
    assert.deepEqual(await largestOf(t, nodeOf({ cpu: "x", memory: 5 }), nodeOf(undefined)), none);
    assert.deepEqual(await largestOf(t, nodeOf({ cpu: "1" })), { cores: 1, memoryBytes: 0 });
  });

  test("has each taint once by key, value and effect", async (t) => {
    const all = [
      taint("a", "1"),
      taint("b", "1"),
      taint("a", "2"),
      taint("a", "1", "NoExecute"),
      taint("c"),
    ];
    const found = await largestOf(t, nodeOf({}, ...all), nodeOf({}, ...all.toReversed()));
    const taints = all.map((one) => ({ value: "", ...one }));
    assert.deepEqual(found, { cores: 0, memoryBytes: 0, taints });
  });

  test("has no taints that only prefer other nodes, or lack a key or an effect", async (t) => {
    const others = [taint("a", "1", "PreferNoSchedule"), taint(""), taint("b", "", ""), {}, null];
    assert.deepEqual(await largestOf(t, nodeOf({}, ...others)), { cores: 0, memoryBytes: 0 });
  });

  test("has at most 20 taints", async (t) => {
    const many = Array.from({ length: 21 }, (_, index) => taint(`k${index}`, ""));
    const found = await largestOf(t, nodeOf({}, ...many));
    assert.deepEqual(found, { cores: 0, memoryBytes: 0, taints: many.slice(0, 20) });
  });

  test("is an error if nodes must not be listed", async (t) => {
    const { connection } = await connected(t, (_seen, reply) => {
      reply.json(403, statusJson(403, "Forbidden", "no"));
    });
    assert.deepEqual(errorOf(await connection.nodes.largest(never)), {
      ...{ kind: "forbidden", verb: "list", resource: "nodes", namespace: undefined },
      detail: "no",
    });
  });
});

describe("the events of a pod", () => {
  const pod = { namespace: "ns", name: "p", uid: "u-1" };
  const kind = "PersistentVolumeClaim" as const;
  const forbidden = statusJson(403, "Forbidden", "no");

  test("are an error if events must not be listed", async (t) => {
    const { connection } = await connected(t, (_seen, reply) => {
      reply.json(403, forbidden);
    });
    assert.deepEqual(errorOf(await connection.podEvents.eventsOf(pod, [], never)), {
      ...{ kind: "forbidden", verb: "list", resource: "events", namespace: "ns" },
      detail: "no",
    });
  });

  test("are an error if those of a related object must not be listed", async (t) => {
    const { connection, server } = await connected(t, ({ path }, reply) => {
      if (path.includes("uid")) reply.json(200, { items: [] });
      else reply.json(403, forbidden);
    });
    const related = ["a", "b"].map((name) => ({ kind, name, isPrefix: false }));
    assert.equal(
      errorOf(await connection.podEvents.eventsOf(pod, related, never)).kind,
      "forbidden",
    );
    assert.equal(server.seen.length, 2);
  });

  test("need a valid namespace", async (t) => {
    const { connection, server } = await connected(t, (_seen, reply) => {
      reply.json(200, { items: [] });
    });
    errorOf(await connection.podEvents.eventsOf({ ...pod, namespace: "../x" }, [], never));
    assert.equal(server.seen.length, 0);
  });

  test("of related objects have the exact name, or begin with a prefix", async (t) => {
    const items = ["data", "data-1", 5].map((name) => ({
      ...{ involvedObject: { name }, reason: String(name) },
    }));
    const { connection } = await connected(t, ({ path }, reply) => {
      reply.json(200, { items: path.includes("uid") ? [] : items });
    });
    const reasons = async (isPrefix: boolean): Promise<unknown> => {
      const related = [{ kind, name: "data", isPrefix }];
      const events = valueOf(await connection.podEvents.eventsOf(pod, related, never));
      return events.map(({ reason }) => reason).toSorted();
    };
    assert.deepEqual(await reasons(false), ["data"]);
    assert.deepEqual(await reasons(true), ["data", "data-1"]);
  });
});

describe("a list of a driver", () => {
  const driver: DriverAddress = {
    ...{ namespace: "ns", pod: "driver", port: 4040, applicationId: "app 1" },
  };
  const listOf = (shape: DriverList<unknown>["shape"]): DriverList<number> => ({
    ...{ path: "things", shape },
    decode: (json) => numberAt(json, "id"),
  });

  test("has the decoded items only, at most 2,000", async (t) => {
    let body: unknown = [{ id: 1 }, { id: "x" }, { id: 2 }];
    const { connection, server } = await connected(t, (_seen, reply) => {
      reply.json(200, body);
    });
    const rows = () => connection.drivers.rows(driver, listOf("list"), never);
    assert.deepEqual(valueOf(await rows()), [1, 2]);
    assert.equal(
      server.seen[0]?.path,
      "/api/v1/namespaces/ns/pods/driver:4040/proxy/api/v1/applications/app%201/things",
    );
    const many = Array.from({ length: 2001 }, (_, id) => id);
    body = many.map((id) => ({ id }));
    assert.deepEqual(valueOf(await rows()), many.slice(0, 2000));
    body = [];
    assert.deepEqual(valueOf(await rows()), []);
    body = {};
    assert.equal(errorOf(await rows()).kind, "badResponse");
  });

  test("may be one object", async (t) => {
    const { connection } = await connected(t, (_seen, reply) => {
      reply.send(200, "application/json", '{"a":[1]}');
    });
    const decode = (json: unknown): string => JSON.stringify(json);
    const list = { ...listOf("object"), decode };
    assert.deepEqual(valueOf(await connection.drivers.rows(driver, list, never)), ['{"a":[1]}']);
  });

  test("needs a valid namespace", async (t) => {
    const { connection, server } = await connected(t, (_seen, reply) => {
      reply.json(200, []);
    });
    const wrong = { ...driver, namespace: "../x" };
    errorOf(await connection.drivers.rows(wrong, listOf("list"), never));
    errorOf(await connection.drivers.executors(wrong, never));
    assert.equal(server.seen.length, 0);
  });

  test("of executors has the tasks of active and removed ones", async (t) => {
    const { connection } = await connected(t, (_seen, reply) => {
      reply.json(200, [
        { id: "1", isActive: true, activeTasks: 0, isExcluded: false },
        { id: "2", isActive: true, activeTasks: 1, isExcluded: true },
        { id: "3", isActive: false, activeTasks: 2, isExcluded: true },
        { isActive: true },
      ]);
    });
    const told = valueOf(await connection.drivers.executors(driver, never));
    assert.deepEqual([...told.registered], ["1", "2"]);
    assert.deepEqual([...told.removed.keys()], ["3"]);
    assert.deepEqual([...(told.excluded ?? [])], ["2"]);
    assert.deepEqual(
      [...told.activeTasks],
      [
        ["2", 1],
        ["3", 2],
      ],
    );
  });
});
