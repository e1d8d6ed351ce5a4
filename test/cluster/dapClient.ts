import { once } from "node:events";
import { connect, type Socket } from "node:net";

interface DapMessage {
  readonly type: "request" | "response" | "event";
  readonly seq: number;
  readonly command?: string;
  readonly event?: string;
  readonly request_seq?: number;
  readonly success?: boolean;
  readonly message?: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** A Debug Adapter Protocol client that connects to debugpy as an editor does. */
export class DapClient {
  readonly #socket: Socket;
  readonly #messages: DapMessage[] = [];
  #waiting: (() => void)[] = [];
  #rest = Buffer.alloc(0);
  #seq = 0;

  static async connect(port: number): Promise<DapClient> {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    return new DapClient(socket);
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (bytes) => {
      this.#read(bytes);
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      this.#wake();
    });
  }

  /** Resolves with the body of the response; rejects if the request failed. */
  async request(command: string, args: unknown = {}): Promise<Readonly<Record<string, unknown>>> {
    const seq = this.send(command, args);
    const { success, message, body } = await this.#find(
      `response to ${command}`,
      ({ type, request_seq: to }) => type === "response" && to === seq,
    );
    if (success !== true) throw new Error(`${command}: ${message ?? JSON.stringify(body)}`);
    return body ?? {};
  }

  /** Sends a request without waiting for its response. */
  send(command: string, args: unknown = {}): number {
    this.#seq += 1;
    const text = JSON.stringify({ seq: this.#seq, type: "request", command, arguments: args });
    this.#socket.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
    return this.#seq;
  }

  /** Waits for the next unread event with this name and returns its body. */
  async event(name: string): Promise<Readonly<Record<string, unknown>>> {
    return (await this.#find(`event ${name}`, ({ event }) => event === name)).body ?? {};
  }

  /** Attaches as VS Code does. `breakpoints` maps the path of a local file to its line numbers. */
  async attach(
    pathMappings: readonly { readonly localRoot: string; readonly remoteRoot: string }[],
    breakpoints: Readonly<Record<string, readonly number[]>>,
  ): Promise<void> {
    await this.request("initialize", {
      adapterID: "debugpy",
      clientID: "test",
      pathFormat: "path",
    });
    const attach = { name: "test", type: "debugpy", request: "attach", justMyCode: true };
    this.send("attach", { ...attach, pathMappings, subProcess: true });
    await this.event("initialized");
    for (const [path, lines] of Object.entries(breakpoints)) {
      const source = { path };
      await this.request("setBreakpoints", {
        source,
        breakpoints: lines.map((line) => ({ line })),
      });
    }
    await this.request("configurationDone");
  }

  /** Waits until a thread stops. Returns its location and the value of an expression there. */
  async stoppedAt(expression: string): Promise<{
    readonly path: string;
    readonly line: number;
    readonly value: string;
    readonly threadId: number;
  }> {
    const threadId = Number((await this.event("stopped"))["threadId"]);
    const { stackFrames } = await this.request("stackTrace", { threadId, levels: 1 });
    const [frame] = stackFrames as readonly {
      readonly id: number;
      readonly line: number;
      readonly source: { readonly path: string };
    }[];
    if (frame === undefined) throw new Error("no frame");
    const evaluated = await this.request("evaluate", { expression, frameId: frame.id });
    const { path } = frame.source;
    return { path, line: frame.line, value: String(evaluated["result"]), threadId };
  }

  /** Resets the connection. After an orderly close, the forwarded port would wait 60 s for the other direction. */
  close(): void {
    this.#socket.resetAndDestroy();
  }

  async #find(what: string, matches: (message: DapMessage) => boolean): Promise<DapMessage> {
    for (;;) {
      const at = this.#messages.findIndex(matches);
      const [found] = at < 0 ? [] : this.#messages.splice(at, 1);
      if (found !== undefined) return found;
      if (this.#socket.destroyed) throw new Error(`the connection closed before the ${what}`);
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
  }

  #read(bytes: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    for (;;) {
      const head = this.#rest.indexOf("\r\n\r\n");
      if (head < 0) break;
      const length = Number(
        /Content-Length: (\d+)/.exec(this.#rest.toString("utf8", 0, head))?.[1],
      );
      const end = head + 4 + length;
      if (this.#rest.length < end) break;
      this.#messages.push(JSON.parse(this.#rest.toString("utf8", head + 4, end)) as DapMessage);
      this.#rest = this.#rest.subarray(end);
    }
    this.#wake();
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
