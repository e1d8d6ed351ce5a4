import type { Socket } from "node:net";
import { ProxyRefusal } from "./proxyRefusal.ts";

const version = 5;
const noAuthentication = 0;
const userAndPassword = 2;
const connectCommand = 1;
const hostName = 3;

// Messages for the most common reply codes of RFC 1928, section 6.
const refusals: Readonly<Record<number, string>> = {
  1: "failed",
  2: "does not allow this connection",
  3: "cannot reach the network",
  4: "cannot reach the host",
  5: "was refused by the server",
};

/**
 * Performs the handshake with a SOCKS 5 proxy (RFC 1928, 1929). The socket may still be connecting to the proxy. The
 * proxy resolves the host name. Rejects with a ProxyRefusal or a socket error.
 */
export async function socks5Connect(
  socket: Socket,
  proxy: URL,
  host: string,
  port: number,
): Promise<void> {
  const refuse = (why: string): never => {
    throw new ProxyRefusal(`the proxy ${proxy.host} ${why}`);
  };
  const withUser = proxy.username !== "";
  socket.write(Buffer.from([version, 1, withUser ? userAndPassword : noAuthentication]));
  const [answered, method] = await readExactly(socket, 2);
  if (answered !== version) refuse("does not support SOCKS 5");
  if (method === userAndPassword) {
    socket.write(
      Buffer.concat([
        Buffer.from([1]),
        withLength(decodeURIComponent(proxy.username)),
        withLength(decodeURIComponent(proxy.password)),
      ]),
    );
    const [, status] = await readExactly(socket, 2);
    if (status !== 0) refuse("did not accept user and password");
  } else if (method !== noAuthentication) refuse("wants a way to sign in that is not supported");
  socket.write(
    Buffer.concat([
      Buffer.from([version, connectCommand, 0, hostName]),
      withLength(host),
      Buffer.from([port >> 8, port & 0xff]),
    ]),
  );
  const [, reply = 1, , addressType] = await readExactly(socket, 4);
  if (reply !== 0) refuse(refusals[reply] ?? `answered with code ${reply}`);
  // Skip the bound address and port, which are not needed.
  const addressLength =
    addressType === hostName ? (await readExactly(socket, 1))[0] : addressType === 4 ? 16 : 4;
  await readExactly(socket, (addressLength ?? 0) + 2);
}

const withLength = (text: string): Buffer => {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([bytes.length & 0xff]), bytes]);
};

function readExactly(socket: Socket, count: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      socket.off("readable", tryRead);
      socket.off("error", fail);
      socket.off("close", closed);
    };
    const tryRead = (): void => {
      const bytes: unknown = socket.read(count);
      if (!(bytes instanceof Buffer)) return;
      stop();
      resolve(bytes);
    };
    const fail = (error: Error): void => {
      stop();
      reject(error);
    };
    const closed = (): void => {
      fail(new ProxyRefusal("the proxy closed the connection"));
    };
    socket.on("readable", tryRead);
    socket.on("error", fail);
    socket.on("close", closed);
    tryRead();
  });
}
