import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApplyOptions, WriteOptions } from "../../src/engine/ports/objects.ts";
import { leftoverKinds } from "../../src/spark/pods/leftovers.ts";
import type { Manifest } from "../../src/spark/submit/plan/manifest.ts";
import { startServer } from "./hostileServer.ts";
import { connectTo, errorOf, never, statusJson, valueOf } from "./rig.ts";

const plain: WriteOptions = { dryRun: false, charset: false };
const asSpark: ApplyOptions = { ...plain, fieldManager: "fabric8", force: true };

const service: Manifest = {
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "svc" },
  spec: { clusterIP: "None" },
};

const stored = (kind = "Service"): unknown => ({
  apiVersion: "v1",
  kind,
  metadata: { name: "svc", namespace: "ns", uid: "u1", resourceVersion: "7" },
});

test("sends each write with the path and parameters of Spark's own client", async (t) => {
  const server = await startServer(t, (_seen, reply) => {
    reply.json(201, stored());
  });
  const { connection } = await connectTo(t, server.url);
  const { objects } = connection;
  const policy: Manifest = {
    ...service,
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
  };
  const group: Manifest = {
    ...service,
    apiVersion: "scheduling.volcano.sh/v1beta1",
    kind: "PodGroup",
  };
  const namespace: Manifest = { ...service, kind: "Namespace" };
  const charset = { ...asSpark, charset: true };
  const dryRun = { ...asSpark, dryRun: true };
  valueOf(await objects.create("ns", service, plain, never));
  valueOf(await objects.create("ns", service, { dryRun: true, charset: true }, never));
  valueOf(await objects.create("ns", namespace, plain, never));
  valueOf(await objects.apply("ns", service, asSpark, never));
  valueOf(await objects.apply("ns", policy, charset, never));
  valueOf(await objects.apply("ns", group, dryRun, never));
  valueOf(await objects.replace("ns", service, plain, never));
  assert.deepEqual(
    server.seen.map(
      ({ method, path, headers }) => `${method} ${path} ${headers["content-type"] ?? ""}`,
    ),
    [
      "POST /api/v1/namespaces/ns/services application/json",
      "POST /api/v1/namespaces/ns/services?dryRun=All application/json; charset=utf-8",
      "POST /api/v1/namespaces application/json",
      "PATCH /api/v1/namespaces/ns/services/svc?fieldManager=fabric8&force=true application/apply-patch+yaml",
      "PATCH /apis/networking.k8s.io/v1/namespaces/ns/networkpolicies/svc?fieldManager=fabric8&force=true application/apply-patch+yaml; charset=utf-8",
      "PATCH /apis/scheduling.volcano.sh/v1beta1/namespaces/ns/podgroups/svc?fieldManager=fabric8&force=true&dryRun=All application/apply-patch+yaml",
      "PUT /api/v1/namespaces/ns/services/svc application/json",
    ],
  );
  assert.deepEqual(JSON.parse(server.seen[0]?.body ?? ""), service);
});

test("lists every kind that an ended application may leave behind", async (t) => {
  const server = await startServer(t, (_seen, reply) => {
    reply.json(200, { metadata: {}, items: [] });
  });
  const { connection } = await connectTo(t, server.url);
  for (const { apiVersion, kind } of leftoverKinds) {
    const listed = await connection.objects.list({ apiVersion, kind }, "ns", "", never);
    assert.deepEqual(valueOf(listed), [], kind);
  }
  assert.deepEqual(
    server.seen.map(({ path }) => path.replace(/\?.*/, "")),
    [
      "/apis/apps/v1/namespaces/ns/statefulsets",
      "/apis/apps/v1/namespaces/ns/deployments",
      "/api/v1/namespaces/ns/pods",
      "/api/v1/namespaces/ns/persistentvolumeclaims",
      "/api/v1/namespaces/ns/services",
      "/apis/networking.k8s.io/v1/namespaces/ns/networkpolicies",
      "/api/v1/namespaces/ns/configmaps",
    ],
  );
});

test("a merge patch changes one object, and strict validation is sent only when requested", async (t) => {
  const server = await startServer(t, (_seen, reply) => {
    reply.json(200, stored("SparkApplication"));
  });
  const { connection } = await connectTo(t, server.url);
  const { objects } = connection;
  const apiVersion = "sparkoperator.k8s.io/v1beta2";
  const reference = { apiVersion, kind: "SparkApplication", namespace: "ns", name: "svc" };
  const manifest: Manifest = { apiVersion, kind: "SparkApplication", metadata: { name: "svc" } };
  const strict = { ...plain, fieldValidation: "Strict" } as const;
  const patch = { spec: { suspend: true } };
  valueOf(await objects.patch(reference, patch, plain, never));
  valueOf(await objects.patch(reference, patch, { ...strict, dryRun: true }, never));
  valueOf(await objects.create("ns", manifest, { ...strict, dryRun: true }, never));
  valueOf(await objects.create("ns", manifest, strict, never));
  const all = "/apis/sparkoperator.k8s.io/v1beta2/namespaces/ns/sparkapplications";
  assert.deepEqual(
    server.seen.map(
      ({ method, path, headers }) => `${method} ${path} ${headers["content-type"] ?? ""}`,
    ),
    [
      `PATCH ${all}/svc application/merge-patch+json`,
      `PATCH ${all}/svc?dryRun=All&fieldValidation=Strict application/merge-patch+json`,
      `POST ${all}?dryRun=All&fieldValidation=Strict application/json`,
      `POST ${all}?fieldValidation=Strict application/json`,
    ],
  );
  assert.deepEqual(JSON.parse(server.seen[0]?.body ?? ""), patch);
});

test("distinguishes a missing namespace from the missing object", async (t) => {
  const server = await startServer(t, (_seen, reply) => {
    reply.json(404, statusJson(404, "NotFound", "no", { name: "ns", kind: "namespaces" }));
  });
  const { connection } = await connectTo(t, server.url);
  assert.deepEqual(errorOf(await connection.objects.create("ns", service, plain, never)), {
    kind: "notFound",
    resource: "namespaces",
    name: "ns",
    detail: "no",
  });
});

test("returns the stored object with its uid", async (t) => {
  const server = await startServer(t, (_seen, reply) => {
    reply.json(200, stored());
  });
  const { connection } = await connectTo(t, server.url);
  const reference = { apiVersion: "v1", kind: "Service", namespace: "ns", name: "svc" };
  assert.deepEqual(valueOf(await connection.objects.read(reference, never)), {
    apiVersion: "v1",
    kind: "Service",
    name: "svc",
    namespace: "ns",
    uid: "u1",
    resourceVersion: "7",
    body: stored(),
  });
});

test("sends the uid as a precondition of a delete", async (t) => {
  const server = await startServer(t, (_seen, reply) => {
    reply.json(200, statusJson(200, "", ""));
  });
  const { connection } = await connectTo(t, server.url);
  const reference = { apiVersion: "v1", kind: "Pod", namespace: "ns", name: "p" };
  const nothing = { uid: undefined, propagationPolicy: undefined, gracePeriodSeconds: undefined };
  const all = { uid: "u1", propagationPolicy: "Background", gracePeriodSeconds: 0 } as const;
  valueOf(await connection.objects.delete(reference, nothing, never));
  valueOf(await connection.objects.delete(reference, all, never));
  assert.deepEqual(
    server.seen.map(({ method, path, body }) => `${method} ${path} ${body}`),
    [
      'DELETE /api/v1/namespaces/ns/pods/p {"apiVersion":"v1","kind":"DeleteOptions"}',
      'DELETE /api/v1/namespaces/ns/pods/p {"apiVersion":"v1","kind":"DeleteOptions","gracePeriodSeconds":0,"preconditions":{"uid":"u1"},"propagationPolicy":"Background"}',
    ],
  );
});

test("a list fills in the kind that its items omit", async (t) => {
  const items = [{ metadata: { name: "a", namespace: "ns", uid: "1", resourceVersion: "2" } }];
  const answers = [{ items }, { items: [] }, { items: null }, { items: "none" }, { items: [{}] }];
  const server = await startServer(t, (_seen, reply) => {
    reply.json(200, answers[server.seen.length - 1]);
  });
  const { connection } = await connectTo(t, server.url);
  const kind = { apiVersion: "v1", kind: "Event" };
  const list = (): ReturnType<typeof connection.objects.list> =>
    connection.objects.list(kind, "ns", "a=b", never);
  const [event] = valueOf(await list());
  assert.deepEqual([event?.kind, event?.apiVersion, event?.name], ["Event", "v1", "a"]);
  assert.equal(server.seen[0]?.path, "/api/v1/namespaces/ns/events?labelSelector=a%3Db&limit=500");
  assert.deepEqual(valueOf(await list()), []);
  assert.deepEqual(valueOf(await list()), []);
  assert.equal(errorOf(await list()).kind, "badResponse");
  assert.equal(errorOf(await list()).kind, "badResponse");
});

test("reads a list page by page to its end and keeps no managed fields", async (t) => {
  const server = await startServer(t, ({ path }, reply) => {
    const token = new URL(path, server.url).searchParams.get("continue");
    const at = Number(token ?? 0);
    const items = Array.from({ length: at < 1000 ? 500 : 3 }, (_, index) => ({
      metadata: { name: `e${at + index}`, uid: "1", managedFields: [{ manager: "kubelet" }] },
    }));
    const metadata = { resourceVersion: "7", ...(at < 1000 && { continue: String(at + 500) }) };
    reply.json(200, { kind: "EventList", apiVersion: "v1", metadata, items });
  });
  const { connection } = await connectTo(t, server.url);
  const kind = { apiVersion: "v1", kind: "Event" };
  const all = valueOf(await connection.objects.list(kind, "ns", "", never));
  assert.deepEqual([all.length, all[0]?.name, all.at(-1)?.name], [1003, "e0", "e1002"]);
  assert.doesNotMatch(JSON.stringify(all), /managedFields/);
  const path = "/api/v1/namespaces/ns/events?labelSelector=&limit=500";
  assert.deepEqual(
    server.seen.map((seen) => seen.path),
    [path, `${path}&continue=500`, `${path}&continue=1000`],
  );
});

test("lists the whole cluster when no namespace is given, each item with its namespace", async (t) => {
  const items = ["a", "b"].map((namespace) => ({ metadata: { name: "e", namespace, uid: "1" } }));
  const server = await startServer(t, (_seen, reply) => {
    reply.json(200, { kind: "EventList", apiVersion: "v1", metadata: {}, items });
  });
  const { connection } = await connectTo(t, server.url);
  const kind = { apiVersion: "v1", kind: "Event" };
  const all = valueOf(await connection.objects.list(kind, undefined, "", never));
  assert.deepEqual(
    all.map(({ namespace }) => namespace),
    ["a", "b"],
  );
  assert.equal(server.seen[0]?.path, "/api/v1/events?labelSelector=&limit=500");
});

test("reads a truncated page again without duplicate items", async (t) => {
  const items = ["a", "b"].map((name) => ({ metadata: { name, uid: "1" } }));
  const whole = JSON.stringify({ metadata: {}, items });
  const server = await startServer(t, (_seen, reply) => {
    const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${whole.length}\r\n\r\n`;
    if (server.seen.length > 1) {
      reply.json(200, { metadata: {}, items });
      return;
    }
    reply.raw(head + whole.slice(0, -10));
    setTimeout(() => {
      reply.drop();
    }, 50);
  });
  const { connection } = await connectTo(t, server.url);
  const kind = { apiVersion: "v1", kind: "Pod" };
  const all = valueOf(await connection.objects.list(kind, "ns", "", never));
  assert.deepEqual(
    all.map(({ name }) => name),
    ["a", "b"],
  );
  assert.equal(server.seen.length, 2);
});

test("parses a list that arrives at once item by item", async (t) => {
  const filler = "x".repeat(10_000);
  const items = Array.from({ length: 500 }, (_, index) => ({
    metadata: { name: `p${index}`, uid: "1" },
    spec: { filler },
  }));
  const server = await startServer(t, (_seen, reply) => {
    reply.json(200, { metadata: {}, items });
  });
  const { connection } = await connectTo(t, server.url);
  const kind = { apiVersion: "v1", kind: "Pod" };
  const parse = t.mock.method(JSON, "parse");
  const asSpark = { kind: "whole", labelSelector: undefined } as const;
  const all = valueOf(await connection.objects.list(kind, "ns", asSpark, never));
  const lengths = parse.mock.calls.map(({ arguments: [text] }) => text.length);
  assert.equal(all.length, 500);
  assert.ok(Math.max(...lengths) < 20_000, String(Math.max(...lengths)));
  assert.deepEqual(
    server.seen.map(({ path }) => path),
    ["/api/v1/namespaces/ns/pods"],
  );
});

test("refuses unknown kinds and invalid names before sending anything", async (t) => {
  const server = await startServer(t, (_seen, reply) => {
    reply.json(200, stored());
  });
  const { connection } = await connectTo(t, server.url);
  const all = ["create", "apply", "replace"] as const;
  // The name of a new object is not part of the path.
  const inPath = ["apply", "replace"] as const;
  const wrong: readonly (readonly [string, Manifest, readonly (typeof all)[number][]])[] = [
    ["ns", { ...service, kind: "Widget" }, all],
    ["ns", { ...service, apiVersion: "v2" }, all],
    ["ns", { ...service, metadata: { name: "../secrets" } }, inPath],
    ["ns", { ...service, metadata: { name: ".." } }, inPath],
    ["ns", { ...service, metadata: { name: "" } }, inPath],
    ["n/s", service, all],
    ["", service, all],
  ];
  for (const [namespace, manifest, writes] of wrong) {
    for (const write of writes) {
      const result = await connection.objects[write](namespace, manifest, asSpark, never);
      assert.equal(errorOf(result).kind, "invalid", JSON.stringify([namespace, manifest]));
    }
  }
  assert.equal(server.seen.length, 0);
});

test("sends a name that is safe in a path, and lets the server validate it", async (t) => {
  const server = await startServer(t, (_seen, reply) => {
    reply.json(200, stored());
  });
  const { connection } = await connectTo(t, server.url);
  const named = { ...service, metadata: { name: "Spark-*:a" } };
  await connection.objects.apply("NS_1", named, asSpark, never);
  assert.match(server.seen[0]?.path ?? "", /^\/api\/v1\/namespaces\/NS_1\/services\/Spark-\*:a\?/);
});

test("creates an object at the given resource, regardless of its kind and name", async (t) => {
  const server = await startServer(t, (_seen, reply) => {
    reply.json(201, stored());
  });
  const { connection } = await connectTo(t, server.url);
  const sentTo = { apiVersion: "v1", kind: "Pod" };
  const manifest = { ...service, kind: "Deployment", metadata: { name: "Not_Valid." } };
  await connection.objects.create("ns", manifest, { ...plain, sentTo }, never);
  assert.equal(server.seen[0]?.path, "/api/v1/namespaces/ns/pods");
});

test("maps each error response to its error kind", async (t) => {
  const causes = [
    { reason: "FieldValueInvalid", message: "must be positive", field: "spec.a" },
    { message: "other" },
  ];
  const details = { name: "svc", kind: "services", causes };
  const rows = [
    [400, "BadRequest", { kind: "invalid", causes: [] }],
    [401, "Unauthorized", { kind: "unauthorized" }],
    [403, "Forbidden", { kind: "forbidden", verb: "patch", resource: "services", namespace: "ns" }],
    [404, "NotFound", { kind: "notFound", resource: "services", name: "svc" }],
    [405, "MethodNotAllowed", { kind: "badResponse", status: 405 }],
    [409, "Conflict", { kind: "conflict", resource: "services", name: "svc" }],
    [410, "Expired", { kind: "expired" }],
    [
      422,
      "Invalid",
      {
        kind: "invalid",
        causes: [
          { field: "spec.a", message: "must be positive" },
          { field: "", message: "other" },
        ],
      },
    ],
    [500, "InternalError", { kind: "badResponse", status: 500 }],
    [503, "ServiceUnavailable", { kind: "badResponse", status: 503 }],
  ] as const;
  const server = await startServer(t, (_seen, reply) => {
    const [code, reason] = rows[server.seen.length - 1] ?? [200, ""];
    reply.json(code, statusJson(code, reason, `said ${reason}`, code === 422 ? details : {}));
  });
  const { connection } = await connectTo(t, server.url);
  for (const [, reason, expected] of rows) {
    const error = errorOf(await connection.objects.apply("ns", service, asSpark, never));
    const place = "server" in error ? { server: server.url } : {};
    assert.deepEqual(error, { ...expected, ...place, detail: `said ${reason}` });
  }
  // No request was retried.
  assert.equal(server.seen.length, rows.length);
});
