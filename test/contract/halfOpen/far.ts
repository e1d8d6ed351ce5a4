// A cluster behind a link that may go down: plain HTTP, TLS, and TLS through a proxy. Reports the three ports, and
// each watch request.
import { createServer } from "node:http";
import { createServer as createTcpServer, type Socket } from "node:net";
import type { TestContext } from "node:test";
import { newAuthority } from "../../../src/sandbox/security/certificates.ts";
import { startServer, type Script } from "../hostileServer.ts";
import { podJson } from "../podJson.ts";
import { pipeTo, portOf } from "../sockets.ts";
import { isList, streamList } from "../watched.ts";
import type { FarWord } from "./words.ts";

// Exits when stdin closes, that is, when the parent has ended, even if it was killed.
process.stdin.resume().on("end", () => process.exit());

const tell = (word: FarWord): void => void process.stdout.write(`${JSON.stringify(word)}\n`);

// A test context without cleanup, because the servers live as long as the process.
const forEver = { after: () => undefined } as unknown as TestContext;

const script: Script = (seen, reply) => {
  tell({ kind: "asked", path: seen.path });
  if (isList(seen)) streamList(reply, [podJson("a", "5")], "6");
  else reply.stream();
};

const listen = (server: { listen(port: number, done: () => void): unknown }): Promise<void> =>
  new Promise((resolve) => void server.listen(0, resolve));

async function reachable(port: number): Promise<number> {
  const front = createTcpServer((socket) => {
    pipeTo(socket, port);
  });
  await listen(front);
  return portOf(front);
}

const authority = newAuthority("Test Authority");
const plain = await startServer(forEver, script);
const secure = await startServer(forEver, script, {
  tls: authority.issue("api.test", { hosts: ["api.test"] }),
});
const proxy = createServer();
proxy.on("connect", (_: unknown, socket: Socket) => {
  socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
  pipeTo(socket, secure.port);
});
await listen(proxy);
tell({
  kind: "there",
  plain: await reachable(plain.port),
  secure: await reachable(secure.port),
  proxy: portOf(proxy),
  authority: authority.cert,
});
