// `exec` runs a command in a container; `attach` connects to its first process. Both use a WebSocket.
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { fieldsOf, noFields, type Fields } from "../../base/json.ts";
import { acceptWebSocket, type WebSocketPeer } from "../../io/webSocket/acceptWebSocket.ts";
import type { JsonMembers, KubeObject } from "../kubeObject.ts";
import type { ExecEnd, NodeTerminalSize } from "../node/node.ts";
import { asObject } from "../schema/schema.ts";
import type { ApiContext } from "./context.ts";
import { containerOf, nodeOf, stateOf } from "./podCalls.ts";
import { badRequest, Refusal } from "./refusal.ts";
import { isTrue } from "./watch.ts";

const protocols = ["v5.channel.k8s.io", "v4.channel.k8s.io"];
const [stdin, stdout, stderr, ending, resizing, closing] = [0, 1, 2, 3, 4, 255];

/** Handles `exec` and `attach` over a WebSocket. The first byte of each message is its channel. */
export function execute(
  context: ApiContext,
  { pod, subresource }: { readonly pod: KubeObject; readonly subresource: "exec" | "attach" },
  query: URLSearchParams,
  request: IncomingMessage,
  socket: Duplex,
): void {
  const container = containerOf(pod, query.get("container"));
  const state = asObject(stateOf(pod, container)?.["state"]);
  if (state?.["running"] === undefined) {
    throw new Refusal(500, "InternalError", `container not found ("${container}")`);
  }
  const command = subresource === "exec" ? query.getAll("command") : undefined;
  if (command?.length === 0)
    throw badRequest("you must specify at least 1 command for the container");
  const node = nodeOf(context);
  const peer = acceptWebSocket(request, socket, protocols);
  if (peer === undefined) throw badRequest("none of the requested subprotocols is supported");
  const stop = new AbortController();
  void peer.closed.then(() => {
    stop.abort();
  });
  const send = (channel: number) => (chunk: Uint8Array) => {
    peer.send(Buffer.concat([Buffer.from([channel]), chunk]));
  };
  const tty = isTrue(query.get("tty"));
  const streams = {
    stdin: isTrue(query.get("stdin")) ? messagesOn(stdin, peer) : nothing(),
    sizes: sizesOf(messagesOn(resizing, peer)),
    stdout: send(stdout),
    stderr: send(stderr),
  };
  node.exec(pod, { container, command, tty }, streams, stop.signal).then(
    (end) => {
      send(ending)(Buffer.from(JSON.stringify(endStatus(end))));
      peer.close();
    },
    () => {
      peer.close();
    },
  );
}

/** Yields the messages of a channel, without the channel byte, until the channel or the connection is closed. */
function messagesOn(wanted: number, peer: WebSocketPeer): AsyncIterable<Uint8Array> {
  const waiting: Uint8Array[] = [];
  let isOver = false as boolean;
  let wake = (): void => undefined;
  const heard = peer.onDidReceive((message) => {
    const [channel, closed] = message;
    if (channel === wanted) waiting.push(message.subarray(1));
    if (channel === closing && closed === wanted) isOver = true;
    wake();
  });
  void peer.closed.then(() => {
    isOver = true;
    wake();
  });
  return (async function* () {
    try {
      for (;;) {
        const next = waiting.shift();
        if (next !== undefined) yield next;
        else if (isOver) return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      heard.dispose();
    }
  })();
}

async function* nothing(): AsyncGenerator<Uint8Array, void> {
  // Ends at once: the client sends no input.
}

/** Parses messages like `{"Width":80,"Height":24}`; skips invalid ones. */
async function* sizesOf(
  messages: AsyncIterable<Uint8Array>,
): AsyncGenerator<NodeTerminalSize, void> {
  for await (const message of messages) {
    const { Width: columns, Height: rows } = sizeIn(Buffer.from(message).toString());
    if (isLength(columns) && isLength(rows)) yield { columns, rows };
  }
}

function sizeIn(text: string): Fields {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return noFields;
  }
}

const isLength = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) > 0 && Number(value) < 2 ** 16;

function endStatus(end: ExecEnd): JsonMembers {
  if (end.kind === "exited" && end.exitCode === 0) return { metadata: {}, status: "Success" };
  if (end.kind === "failed") {
    return {
      metadata: {},
      status: "Failure",
      message: end.message,
      reason: "InternalError",
      code: 500,
    };
  }
  return {
    metadata: {},
    status: "Failure",
    message: `command terminated with non-zero exit code: exit status ${end.exitCode}`,
    reason: "NonZeroExitCode",
    details: { causes: [{ reason: "ExitCode", message: String(end.exitCode) }] },
  };
}
