// The extension's port forwarding to pods of the sandbox.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type AddressInfo, type Server } from "node:net";
import { test, type TestContext } from "node:test";
import type { PodStream } from "../../../src/engine/ports/channels.ts";
import type { Sandbox } from "../../../src/sandbox/sandbox.ts";
import { connectTo, never } from "../rig.ts";
import { sandboxFor } from "./sandboxRig.ts";

async function echo(t: TestContext): Promise<{ server: Server; port: number }> {
  const server = createServer((socket) => socket.pipe(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  return { server, port: (server.address() as AddressInfo).port };
}

const podIn = ({ context }: Sandbox, name: string, phase: string, podIP: string): void => {
  const metadata = { name, namespace: "default" };
  const pod = { apiVersion: "v1", kind: "Pod", metadata, spec: {}, status: { phase, podIP } };
  context.objects.create("pods", pod);
};

const portsOf = async (t: TestContext, { url, authority, token }: Sandbox) => {
  const cluster = { "certificate-authority-data": Buffer.from(authority).toString("base64") };
  const { connection } = await connectTo(t, url, { cluster, user: { token } });
  return (name: string, port: number) =>
    connection.ports.open({ namespace: "default", name, port }, never);
};

/** Reads until at least `length` bytes have arrived or the stream has ended. */
async function read({ items }: PodStream, length: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const item of items) {
    if (item.kind !== "bytes") throw new Error(JSON.stringify(item));
    chunks.push(item.bytes);
    if (Buffer.concat(chunks).length >= length) break;
  }
  return Buffer.concat(chunks);
}

test("forwards small and large amounts of data in both directions", async (t) => {
  const sandbox = await sandboxFor(t);
  const { port } = await echo(t);
  podIn(sandbox, "driver", "Running", "127.0.0.1");
  const opened = await (await portsOf(t, sandbox))("driver", port);
  assert.ok(opened.ok, JSON.stringify(opened));
  const sent = Buffer.alloc(300_000, "spark ");
  await opened.value.write(sent);
  assert.deepEqual(await read(opened.value, sent.length), sent);
});

test("reports a closed port with its number", async (t) => {
  const sandbox = await sandboxFor(t);
  const { server, port } = await echo(t);
  server.close();
  podIn(sandbox, "driver", "Running", "127.0.0.1");
  const opened = await (await portsOf(t, sandbox))("driver", port);
  assert.ok(opened.ok);
  const said: string[] = [];
  for await (const item of opened.value.items) said.push(JSON.stringify(item));
  assert.match(
    said.join(),
    new RegExp(`failed to connect to 127\\.0\\.0\\.1:${port} inside the pod`),
  );
});

test("refuses pods that are not running, and addresses other than loopback", async (t) => {
  const sandbox = await sandboxFor(t);
  podIn(sandbox, "waiting", "Pending", "127.0.0.1");
  podIn(sandbox, "far", "Running", "10.0.0.1");
  const open = await portsOf(t, sandbox);
  for (const [name, why] of [
    ["waiting", /pod is not running\. Current status=Pending/],
    ["far", /no endpoints available/],
  ] as const) {
    const opened = await open(name, 4040);
    assert.ok(!opened.ok);
    assert.match(opened.error.detail, why);
  }
});
