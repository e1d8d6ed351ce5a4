import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import type { JsonMembers } from "../../../../src/sandbox/kubeObject.ts";
import { runAction } from "../../../../src/sandbox/node/pod/actions.ts";

const never = new AbortController().signal;
type Place = Parameters<typeof runAction>[1];
const idle: Place = { spec: {} as Place["spec"], inside: () => undefined };
const perform = (action: JsonMembers, signal = never): Promise<string | undefined> =>
  runAction(action, idle, "127.0.0.1", signal);

describe("a page that a probe asks", () => {
  const asked: string[] = [];
  let port = 0;
  const server = createServer((request, response) => {
    asked.push(`${request.url ?? ""} ${String(request.headers["x-probe"])}`);
    response.statusCode = Number(/\d+/.exec(request.url ?? "")?.[0] ?? 200);
    response.end("text");
  });
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    ({ port } = server.address() as AddressInfo);
  });
  after(() => {
    server.close();
  });

  for (const [code, expected] of [
    [200, undefined],
    [204, undefined],
    [399, undefined],
    [400, "HTTP probe failed with statuscode: 400"],
    [503, "HTTP probe failed with statuscode: 503"],
  ] as const) {
    test(`with the status ${code} ${expected === undefined ? "passes" : "fails"}`, async () => {
      assert.equal(await perform({ httpGet: { port, path: `/${code}` } }), expected);
    });
  }

  test("is / at the pod's address by default, with the given headers", async () => {
    asked.length = 0;
    const httpHeaders = [{ name: "X-Probe", value: "yes" }];
    await perform({ httpGet: { port, httpHeaders } });
    await perform({ httpGet: { port, host: "localhost", path: "/x" } });
    assert.deepEqual(asked, ["/ yes", "/x undefined"]);
  });

  test("fails with the system's message if nothing listens, or speaks no TLS", async () => {
    assert.match((await perform({ httpGet: { port: 1 } })) ?? "", /ECONNREFUSED/);
    assert.notEqual(await perform({ httpGet: { port, scheme: "HTTPS" } }), undefined);
  });

  test("may be only a port that accepts connections", async () => {
    assert.equal(await perform({ tcpSocket: { port } }), undefined);
    assert.match((await perform({ tcpSocket: { port: 1 } })) ?? "", /ECONNREFUSED/);
    assert.match((await perform({ tcpSocket: { port, host: "127.0.0.1" } })) ?? "ok", /^ok$/);
  });
});

test("an action that waits ends after its seconds, or fails when it is stopped", async () => {
  // The sleep of an action does not keep the process alive, so this timer does.
  const hold = setTimeout(() => undefined, 5_000);
  assert.equal(await perform({ sleep: { seconds: 0.01 } }), undefined);
  const start = performance.now();
  const stop = AbortSignal.timeout(10);
  assert.match((await perform({ sleep: { seconds: 60 } }, stop)) ?? "", /abort/i);
  clearTimeout(hold);
  assert.ok(performance.now() - start < 5_000);
});

test("a command passes in a container without processes", async () => {
  assert.equal(await perform({ exec: { command: ["false"] } }), undefined);
});
