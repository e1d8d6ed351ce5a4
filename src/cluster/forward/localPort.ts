import { once } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { disposable, DisposableStore } from "../../base/disposable.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { Clock, ForwardRequest, PodStream, PortForward } from "../../engine/ports.ts";
import { ignoreAbort } from "../abort.ts";

// More than a browser opens, and little enough for a pod.
const mostConnections = 64;
const tooMany: ClusterError = {
  kind: "throttled",
  retryAfterMs: undefined,
  detail: `${mostConnections} connections are open, and one more was refused`,
};

// Who has closed a connection and who still waits for an answer look the same, until something is sent to them.
const answerWithinMs = 60_000;

/** Listens on this machine alone. Each connection is passed on to the pod, both ways and no faster than the slower end. */
export async function listenLocally(request: ForwardRequest, clock: Clock): Promise<PortForward> {
  const owned = new DisposableStore();
  const open = new Set<Socket>();
  /** Those whose other end has sent its last byte; first whom the pod has sent nothing for the longest time. */
  const halfClosed = new Set<Socket>();
  const giveUpOne = (): boolean => {
    const [longest] = halfClosed;
    if (longest === undefined) return false;
    halfClosed.delete(longest);
    open.delete(longest);
    longest.resetAndDestroy();
    return true;
  };
  // A browser that has sent its last byte still reads.
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    if (open.size >= mostConnections && !giveUpOne()) {
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

/** False where the port is taken, or is one that only administrators may use. */
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
    if (!local.write(item.bytes)) await writable(local);
    if (halfClosed.delete(local)) halfClosed.add(local);
    if (local.destroyed) return;
  }
  // The pod has closed the connection, and all that it sent is on its way.
  local.end(() => local.destroy());
  await sending;
}

/** After its last byte, a connection stays for as long as its answer comes. */
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
    // The connection is broken, of which its other half hears by the close.
    local.destroy();
  }
}

async function writable(socket: Socket): Promise<void> {
  await new Promise<void>((resolve) => {
    const settle = (): void => {
      socket.off("drain", settle);
      socket.off("close", settle);
      resolve();
    };
    socket.once("drain", settle);
    socket.once("close", settle);
  });
}
