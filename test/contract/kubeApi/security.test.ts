import assert from "node:assert/strict";
import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { test } from "node:test";
import { request } from "node:https";
import { ask, bearer, sandboxFor } from "./sandboxRig.ts";

const json = { "content-type": "application/json" };

test("refuses every request without a token", async (t) => {
  const sandbox = await sandboxFor(t);
  const paths = [
    "/",
    "/healthz",
    "/readyz",
    "/version",
    "/api",
    "/apis",
    "/openapi/v2",
    "/openapi/v3",
  ];
  const more = ["/api/v1/pods", "/api/v1/namespaces/default/secrets", "/sandbox/lease", "/nothing"];
  for (const path of [...paths, ...more]) {
    const wrong = [
      {},
      bearer("wrong"),
      bearer(""),
      { authorization: `Basic ${sandbox.token}` },
      { authorization: sandbox.token },
      bearer(`${sandbox.token}x`),
    ];
    for (const headers of wrong) {
      assert.equal((await ask(sandbox, "GET", path, headers)).status, 401, path);
    }
  }
  assert.equal((await ask(sandbox, "GET", "/readyz", bearer(sandbox.token))).text, "ok");
});

test("refuses requests with a foreign Host header, even with a token", async (t) => {
  const sandbox = await sandboxFor(t);
  const { port } = new URL(sandbox.url);
  const others = [
    "evil.example.com",
    `evil.example.com:${port}`,
    `127.0.0.1.example.com:${port}`,
    `localhost.example.com:${port}`,
    `127.0.0.1:${port}@evil.example.com`,
    `127.0.0.1:${port},evil.example.com`,
  ];
  for (const host of others) {
    const { status } = await ask(sandbox, "GET", "/readyz", { ...bearer(sandbox.token), host });
    assert.equal(status, 421, host);
  }
  // The last host has another port, as if the request came through a tunnel.
  for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, "127.0.0.1:1"]) {
    const own = { ...bearer(sandbox.token), host };
    assert.equal((await ask(sandbox, "GET", "/readyz", own)).status, 200, host);
  }
});

test("listens only on the loopback interface", async (t) => {
  const sandbox = await sandboxFor(t);
  const port = Number(new URL(sandbox.url).port);
  const outer = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .filter(({ family, internal }) => family === "IPv4" && !internal);
  for (const { address } of outer) {
    const error = await new Promise<string | undefined>((resolve) => {
      const socket = connect(port, address, () => {
        socket.destroy();
        resolve(undefined);
      });
      socket.on("error", (reason: NodeJS.ErrnoException) => {
        resolve(reason.code);
      });
    });
    assert.equal(error, "ECONNREFUSED", address);
  }
});

test("has a certificate from its own authority, which differs between sandboxes", async (t) => {
  const [one, other] = [await sandboxFor(t), await sandboxFor(t)];
  assert.notEqual(one.authority, other.authority);
  assert.notEqual(one.token, other.token);
  const strange = { url: one.url, authority: other.authority };
  await assert.rejects(ask(strange, "GET", "/readyz", bearer(one.token)), /certificate|signature/);
});

test("authorizes a service account by its roles until the account is deleted", async (t) => {
  const sandbox = await sandboxFor(t);
  const admin = { ...bearer(sandbox.token), ...json };
  const made = await ask(
    sandbox,
    "POST",
    "/api/v1/namespaces/default/serviceaccounts/default/token",
    admin,
    '{"spec":{}}',
  );
  const { status } = JSON.parse(made.text) as { status: { token: string } };
  const account = bearer(status.token);
  const pods = "/api/v1/namespaces/default/pods";
  const refused = await ask(sandbox, "GET", pods, account);
  assert.equal(refused.status, 403);
  assert.match(
    refused.text,
    /User \\"system:serviceaccount:default:default\\" cannot list resource \\"pods\\"/,
  );
  assert.equal((await ask(sandbox, "GET", "/sandbox/lease", account)).status, 404);
  assert.equal((await ask(sandbox, "GET", "/version", account)).status, 200);
  const asAnother = { ...account, "impersonate-user": "somebody" };
  assert.equal((await ask(sandbox, "GET", pods, asAnother)).status, 403);
  const binding = {
    metadata: { name: "b" },
    roleRef: { kind: "ClusterRole", name: "view" },
    subjects: [{ kind: "ServiceAccount", name: "default", namespace: "default" }],
  };
  const bindings = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings";
  await ask(sandbox, "POST", bindings, admin, JSON.stringify(binding));
  assert.equal((await ask(sandbox, "GET", pods, account)).status, 200);
  assert.equal((await ask(sandbox, "POST", pods, { ...account, ...json }, "{}")).status, 403);
  await ask(sandbox, "DELETE", "/api/v1/namespaces/default/serviceaccounts/default", admin);
  assert.equal((await ask(sandbox, "GET", pods, account)).status, 401);
  const forged = status.token.replace(/\.[^.]*$/, `.${"A".repeat(43)}`);
  assert.equal((await ask(sandbox, "GET", pods, bearer(forged))).status, 401);
});

test("refuses a body that is too large, and continues to serve", async (t) => {
  const sandbox = await sandboxFor(t);
  const maps = "/api/v1/namespaces/default/configmaps";
  const admin = { ...bearer(sandbox.token), ...json };
  const body = JSON.stringify({
    metadata: { name: "big" },
    data: { a: "x".repeat(4 * 1024 * 1024) },
  });
  assert.equal((await ask(sandbox, "POST", maps, admin, body)).status, 413);
  assert.equal((await ask(sandbox, "GET", maps, admin)).status, 200);
});

test("stores members named like JavaScript builtins without side effects", async (t) => {
  const sandbox = await sandboxFor(t);
  const maps = "/api/v1/namespaces/default/configmaps";
  const admin = bearer(sandbox.token);
  const evil =
    '{"metadata":{"name":"m","labels":{"__proto__":"x"}},"data":{"__proto__":"p","constructor":"c"},"__proto__":{"polluted":true}}';
  await ask(sandbox, "POST", maps, { ...admin, ...json }, evil);
  for (const type of ["merge-patch", "strategic-merge-patch"]) {
    const headers = { ...admin, "content-type": `application/${type}+json` };
    await ask(
      sandbox,
      "PATCH",
      `${maps}/m`,
      headers,
      '{"__proto__":{"polluted":true},"data":{"__proto__":{"polluted":"x"}}}',
    );
  }
  const steps =
    '[{"op":"add","path":"/__proto__/polluted","value":true},{"op":"add","path":"/constructor/prototype/polluted","value":true}]';
  await ask(
    sandbox,
    "PATCH",
    `${maps}/m`,
    { ...admin, "content-type": "application/json-patch+json" },
    steps,
  );
  assert.equal(({} as { polluted?: unknown }).polluted, undefined);
  assert.equal((await ask(sandbox, "GET", maps, admin)).status, 200);
});

test("proxies only to loopback addresses, without the client's credentials", async (t) => {
  const sandbox = await sandboxFor(t);
  const heard: string[] = [];
  const server = createServer((seen, response) => {
    heard.push(`${seen.method ?? ""} ${seen.url ?? ""} ${seen.headers.authorization ?? "nobody"}`);
    response.end("from the pod");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const { objects } = sandbox.context;
  const pod = (name: string, podIP: string): void => {
    objects.create("pods", {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name, namespace: "default" },
      spec: {},
      status: { podIP },
    });
  };
  pod("near", "127.0.0.1");
  pod("far", "10.0.0.1");
  pod("named", "example.com");
  const path = (name: string): string =>
    `/api/v1/namespaces/default/pods/${name}:${port}/proxy/api/v1?a=b`;
  const admin = bearer(sandbox.token);
  assert.equal((await ask(sandbox, "GET", path("near"), admin)).text, "from the pod");
  assert.deepEqual(heard, ["GET /api/v1?a=b nobody"]);
  for (const name of ["far", "named"]) {
    assert.equal((await ask(sandbox, "GET", path(name), admin)).status, 503, name);
  }
});

test("refuses a WebSocket without a token", async (t) => {
  const sandbox = await sandboxFor(t);
  const path = "/api/v1/namespaces/default/pods?watch=true";
  const open = (headers: Readonly<Record<string, string>>): Promise<number> =>
    new Promise((resolve, reject) => {
      const upgrade = {
        connection: "Upgrade",
        upgrade: "websocket",
        "sec-websocket-version": "13",
      };
      const key = { "sec-websocket-key": Buffer.from("0123456789abcdef").toString("base64") };
      const asked = request(new URL(path, sandbox.url), {
        ca: sandbox.authority,
        servername: "localhost",
        headers: { ...upgrade, ...key, ...headers },
      });
      asked.on("upgrade", (response, socket) => {
        socket.destroy();
        resolve(response.statusCode ?? 0);
      });
      asked.on("response", (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      asked.on("error", reject);
      asked.end();
    });
  assert.equal(await open({}), 401);
  assert.equal(await open({ ...bearer(sandbox.token), host: "evil.example.com" }), 421);
  assert.equal(await open(bearer(sandbox.token)), 101);
});
