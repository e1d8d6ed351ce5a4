// Paths that describe the server, and the proxy to pods. The sandbox must respond like a real API server.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { textAt } from "../../../src/base/json.ts";
import { ask, bearer, sandboxFor } from "./sandboxRig.ts";

test("a version that is not served is a Status, and another path is plain text", async (t) => {
  const sandbox = await sandboxFor(t);
  const get = (path: string) => ask(sandbox, "GET", path, bearer(sandbox.token));
  for (const path of ["/nosuch", "/apis/none.example.org/v1"]) {
    const { status, text } = await get(path);
    assert.deepEqual([status, text], [404, "404 page not found\n"], path);
  }
  for (const path of ["/api/v9", "/apis/policy/v9"]) {
    const { status, text } = await get(path);
    assert.deepEqual([status, textAt(JSON.parse(text), "kind")], [404, "Status"], path);
  }
  for (const path of ["/healthz", "/readyz", "/livez"]) {
    assert.equal((await get(path)).text, "ok", path);
  }
});

test("protocol buffers of the OpenAPI document are refused", async (t) => {
  const sandbox = await sandboxFor(t);
  const accept = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
  const headers = { ...bearer(sandbox.token), accept };
  assert.equal((await ask(sandbox, "GET", "/openapi/v2", headers)).status, 406);
});

test("the proxy to a pod takes a scheme, and names a missing pod", async (t) => {
  const sandbox = await sandboxFor(t);
  const server = createServer((request, response) => response.end(request.url));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  sandbox.context.objects.create("pods", {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "near", namespace: "default" },
    spec: {},
    status: { podIP: "127.0.0.1" },
  });
  const get = (name: string) =>
    ask(
      sandbox,
      "GET",
      `/api/v1/namespaces/default/pods/${name}/proxy/a?b=c`,
      bearer(sandbox.token),
    );
  assert.equal((await get(`http:near:${port}`)).text, "/a?b=c");
  const missing = await get(`none:${port}`);
  assert.equal(missing.status, 404);
  assert.match(missing.text, /pods \\"none\\" not found/);
});
