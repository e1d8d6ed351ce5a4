import { once } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { disposable, DisposableStore } from "../../base/disposable.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { Clock } from "../../engine/ports/clock.ts";
import type { ForwardRequest, PodStream, PortForward } from "../../engine/ports/channels.ts";
import { ignoreAbort } from "../../io/abort.ts";
import { drained } from "../../io/drained.ts";

// More than a browser opens, and still a small load for a pod.
const maxConnections = 64;
const tooMany: ClusterError = {
  kind: "throttled",
  retryAfterMs: undefined,
  detail: `${maxConnections} connections are open, so another one was rejected`,
};

// A half-closed client is reset after this time without data from the pod. The client may be gone or still wait for a
// response. Only a write can distinguish the two.
const answerWithinMs = 60_000;

/**
 * Listens on the loopback address only. Forwards each connection to the pod in both directions, with back-pressure.
 * Uses any free port if the requested one is undefined or cannot be used.
 */
export async function listenLocally(request: ForwardRequest, clock: Clock): Promise<PortForward> {
  const owned = new DisposableStore();
  const open = new Set<Socket>();
  /** Half-closed clients. The first entry has waited longest for data from the pod. */
  const halfClosed = new Set<Socket>();
  const giveUpOne = (): boolean => {
    const [longest] = halfClosed;
    if (longest === undefined) return false;
    halfClosed.delete(longest);
    open.delete(longest);
    longest.resetAndDestroy();
    return true;
  };
  // Allow half-open sockets: a browser may still read after it has sent its last byte.
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    if (open.size >= maxConnections && !giveUpOne()) {
      socket.destroy();
      request.failed(tooMany);
      return;
    }
    open.add(socket);
    request.changed();
    socket.on("close", () => {
      open.delete(socket);
      halfClosed.delete(socket);
      request.changed();
    });
    passOn(socket, request, clock, halfClosed).catch(() => socket.destroy());
  });
  await listen(server, request.localPort);
  owned.add(
    disposable(() => {
      server.close();
      for (const socket of open) socket.destroy();
    }),
  );
  const { port } = server.address() as AddressInfo;
  return {
    localPort: port,
    get connections() {
      return open.size;
    },
    dispose: () => {
      owned.dispose();
    },
  };
}

async function listen(server: Server, wanted: number | undefined): Promise<void> {
  if (wanted !== undefined) {
    const isListening = await tryListen(server, wanted);
    if (isListening) return;
  }
  if (!(await tryListen(server, 0))) throw new Error("no free port to listen on");
}

/** Returns false if the port is in use or needs administrator privileges. */
async function tryListen(server: Server, port: number): Promise<boolean> {
  const listening = once(server, "listening").then(() => true);
  const failed = new Promise<boolean>((resolve) => {
    server.once("error", () => {
      resolve(false);
    });
  });
  server.listen(port, "127.0.0.1");
  return Promise.race([listening.catch(() => false), failed]);
}

async function passOn(
  local: Socket,
  { dial, failed }: ForwardRequest,
  clock: Clock,
  halfClosed: Set<Socket>,
): Promise<void> {
  const gone = new AbortController();
  local.on("error", () => undefined);
  local.on("close", () => {
    gone.abort();
  });
  local.on("end", () => {
    halfClosed.add(local);
    giveUpWhenSilent(local, clock, gone.signal).catch(ignoreAbort);
  });
  let stream: PodStream;
  try {
    const dialed = await dial(gone.signal);
    if (!dialed.ok) {
      failed(dialed.error);
      local.resetAndDestroy();
      return;
    }
    stream = dialed.value;
  } catch (error) {
    ignoreAbort(error);
    return;
  }
  gone.signal.addEventListener("abort", () => {
    stream.dispose();
  });
  if (local.destroyed) stream.dispose();
  const sending = send(local, stream);
  for await (const item of stream.items) {
    if (item.kind === "failed") {
      failed(item.error);
      local.resetAndDestroy();
      return;
    }
    if (!local.write(item.bytes)) await drained(local);
    if (halfClosed.delete(local)) halfClosed.add(local);
    if (local.destroyed) return;
  }
  // The pod has closed the connection, and all its data has been written.
  local.end(() => local.destroy());
  await sending;
}

/** Resets a half-closed connection after 60 s without data from the pod. */
async function giveUpWhenSilent(local: Socket, clock: Clock, gone: AbortSignal): Promise<void> {
  let before: number;
  do {
    before = local.bytesWritten;
    await clock.sleep(answerWithinMs, gone);
  } while (local.bytesWritten > before || local.writableLength > 0);
  local.resetAndDestroy();
}

async function send(local: Socket, stream: PodStream): Promise<void> {
  try {
    const chunks: AsyncIterable<unknown> = local.iterator({ destroyOnReturn: false });
    for await (const chunk of chunks) {
      if (chunk instanceof Buffer) await stream.write(chunk);
    }
  } catch {
    // The connection is broken. The socket's close event disposes the stream to the pod.
    local.destroy();
  }
}
