import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { test } from "node:test";
import { isServedOnLoopback } from "../../../../src/sandbox/node/run/loopback.ts";

const listenOn = async (address: string) => {
  const server = createServer().listen(0, address);
  await once(server, "listening");
  return { server, port: (server.address() as AddressInfo).port };
};

test("finds a server on the loopback address only among the processes of its pod", async (t) => {
  if (process.platform !== "linux") {
    assert.equal(await isServedOnLoopback([process.pid], 1), false);
    return;
  }
  const { server, port } = await listenOn("127.0.0.1");
  t.after(() => server.close());
  assert.equal(await isServedOnLoopback([process.ppid, process.pid], port), true);
  assert.equal(await isServedOnLoopback([process.ppid], port), false);
  assert.equal(await isServedOnLoopback([], port), false);
  server.close();
  await once(server, "close");
  assert.equal(await isServedOnLoopback([process.pid], port), false);
});

test("does not take a server on another address of the machine for one of the pod", async (t) => {
  const { server, port } = await listenOn(process.platform === "linux" ? "127.0.0.2" : "127.0.0.1");
  t.after(() => server.close());
  assert.equal(await isServedOnLoopback([process.pid], port), false);
});
