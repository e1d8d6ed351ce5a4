import type { Duplex } from "node:stream";

/** Resolves when the write buffer of the socket is drained, or the socket closes. */
export function drained(socket: Duplex): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      socket.off("drain", settle);
      socket.off("close", settle);
      resolve();
    };
    socket.once("drain", settle);
    socket.once("close", settle);
  });
}
