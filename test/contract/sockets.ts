import { connect, type Server, type Socket } from "node:net";

export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string")
    throw new Error("the server does not listen");
  return address.port;
}

/** Pipes bytes in both directions until either side ends. */
export function pipeTo(socket: Socket, port: number, host = "127.0.0.1"): void {
  const other = connect(port, host);
  other.on("error", () => socket.destroy());
  socket.on("error", () => other.destroy());
  socket.on("close", () => other.destroy());
  other.on("close", () => socket.destroy());
  socket.pipe(other).pipe(socket);
}

export const listen = (server: Server): Promise<void> =>
  new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
