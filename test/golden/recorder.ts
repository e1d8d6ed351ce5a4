// A small Kubernetes API that stores objects, records every request in order, and injects failures. It behaves like the
// server that recorded spark-submit.
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { createServer as createDoor, type Socket } from "node:net";
import type { Options } from "./caseFiles.ts";
import { RecordedObjects } from "./recordedObjects.ts";

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly contentType: string | undefined;
  readonly authorization: string | undefined;
  readonly body: unknown;
  readonly isStatic: boolean;
  /** The response status; undefined if the connection was dropped. */
  status: number | undefined;
}

/** `secure` accepts TLS and plain HTTP, `plain` only plain HTTP. */
export interface Ports {
  readonly secure: number;
  readonly plain: number;
}

export class Recorder {
  readonly #plain = createServer((request, response) => {
    void this.#answer(request, response);
  });
  readonly #secure = createSecureServer(readPair(), (request, response) => {
    void this.#answer(request, response);
  });
  // The recordings contain only one port, so it accepts both protocols. No HTTP request starts with the first byte of
  // TLS.
  readonly #door = createDoor((socket) => {
    this.#sockets.add(socket);
    socket.on("close", () => this.#sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    socket.once("data", (first: Buffer) => {
      socket.pause();
      socket.unshift(first);
      (first[0] === 0x16 ? this.#secure : this.#plain).emit("connection", socket);
      process.nextTick(() => socket.resume());
    });
  });
  // Like the recorded server, this port does not accept TLS.
  readonly #open = createDoor((socket) => {
    this.#sockets.add(socket);
    socket.on("close", () => this.#sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    this.#plain.emit("connection", socket);
  });
  readonly #sockets = new Set<Socket>();
  readonly #watches = new Set<ServerResponse>();
  #options: Options = {};
  #objects = new RecordedObjects({});
  #requests: RecordedRequest[] = [];

  async start(): Promise<Ports> {
    return { secure: await portOf(this.#door), plain: await portOf(this.#open) };
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#door.close(resolve));
    await new Promise((resolve) => this.#open.close(resolve));
  }

  /** Clears all state and starts a new case. */
  reset(options: Options): void {
    this.#options = options;
    this.#objects = new RecordedObjects(options);
    this.#requests = [];
    for (const watch of this.#watches) watch.destroy();
    this.#watches.clear();
  }

  get remaining(): readonly string[] {
    return this.#objects.remaining;
  }

  get requests(): readonly RecordedRequest[] {
    return this.#requests;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString("utf8");
    const body: unknown = text === "" ? undefined : JSON.parse(text);
    const { method = "", url = "", headers } = request;
    const file = this.#options.static?.[url];
    const recorded: RecordedRequest = {
      method,
      path: url,
      contentType: headers["content-type"],
      authorization: headers.authorization,
      body,
      isStatic: file !== undefined,
      status: file === undefined ? undefined : 200,
    };
    this.#requests.push(recorded);
    if (file !== undefined) {
      response.writeHead(200, { "content-type": "text/plain" }).end(file);
      return;
    }
    const answer = this.#objects.answer(method, url, body);
    if (answer === undefined) {
      response.destroy();
      return;
    }
    recorded.status = answer.status;
    response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers });
    const isPods = /\/pods(?:[/?]|$)/.test(url) && method === "GET" && answer.status === 200;
    const isWatch = isPods && url.includes("watch=true");
    if (isWatch) this.#stream(response);
    else response.end(JSON.stringify(answer.body));
    // Send the pod's next event only after the client has read the pod, which it does after each event.
    if (isPods && this.#watches.size > 0) {
      setImmediate(() => {
        this.#live();
      });
    }
  }

  #stream(watch: ServerResponse): void {
    watch.flushHeaders();
    this.#watches.add(watch);
    watch.on("close", () => this.#watches.delete(watch));
  }

  #live(): void {
    const line = this.#objects.live();
    if (line === undefined) return;
    for (const watch of this.#watches) {
      if (line.isLast) watch.end(line.text);
      else watch.write(line.text);
    }
  }
}

async function portOf(door: ReturnType<typeof createDoor>): Promise<number> {
  await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));
  const address = door.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

function readPair(): { readonly key: string; readonly cert: string } {
  const read = (file: string): string =>
    readFileSync(new URL(`tls/${file}`, import.meta.url), "utf8");
  return { key: read("key.pem"), cert: read("cert.pem") };
}
