import { err, ok, type Result } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { Clock } from "../../engine/ports/clock.ts";
import type {
  ExecItem,
  ExecRequest,
  ExecSession,
  PodExec,
  TerminalSize,
} from "../../engine/ports/channels.ts";
import { onAbort } from "../../io/abort.ts";
import { type AnswerRules, type ApiCall, type ApiClient, headersMs } from "../apiRequest.ts";
import { fieldAt, listAt, nonEmptyTextAt, parseJson } from "../../base/json.ts";
import { isDnsLabel } from "../../spark/kubernetesNames.ts";
import { badName, pathOf, podResource } from "../resources.ts";
import { statusMessageOf } from "../statusError.ts";
import { BodyLost } from "../../io/http/body.ts";
import { type ChannelRequest, type Channels, openChannels } from "./openChannels.ts";
import type { WebSocketClient } from "../../io/webSocket/webSocketClient.ts";

// Version 5 adds a message that closes standard input. A terminal does not need it: its input ends with its session.
const closableProtocol = "v5.channel.k8s.io";
const protocols = [closableProtocol, "v4.channel.k8s.io"];

/** The channel number: the first byte of each message. */
const channel = { input: 0, output: 1, error: 2, status: 3, resize: 4, close: 255 } as const;

// Larger messages do not increase the throughput, and each one blocks the event loop while it is masked.
const largestMessage = 128 << 10;
// A server that is busy with the client's input does not send pongs. So draining input also counts as a sign of life.
const pingEveryMs = 20_000;
const stalledMs = 60_000;

const rules: AnswerRules = {
  channel: "terminals",
  headersMs,
  silenceMs: undefined,
  wholeMs: undefined,
};

/** Runs programs in containers over WebSocket. */
export class ApiPodExec implements PodExec {
  readonly #api: ApiClient;
  readonly #clock: Clock;

  constructor(api: ApiClient, clock: Clock) {
    this.#api = api;
    this.#clock = clock;
  }

  async start(
    request: ExecRequest,
    signal: AbortSignal,
  ): Promise<Result<ExecSession, ClusterError>> {
    const asked = requestOf(request);
    if (!asked.ok) return asked;
    const opened = await openChannels(this.#api, asked.value, rules, signal);
    if (!opened.ok) return opened;
    return ok(new Session(opened.value, this.#api, this.#clock, request));
  }
}

class Session implements ExecSession {
  readonly items: AsyncIterable<ExecItem>;
  readonly canCloseInput: boolean;
  readonly #socket: WebSocketClient;
  readonly #clock: Clock;
  readonly #hasInput: boolean;
  readonly #over = new AbortController();
  /** Time of the server's last message or last accepted input, from `Clock.now()`. */
  #movedAt: number;

  constructor(
    { socket, protocol, call }: Channels,
    api: ApiClient,
    clock: Clock,
    { terminal, hasInput = false }: ExecRequest,
  ) {
    this.#hasInput = hasInput;
    this.#socket = socket;
    this.#clock = clock;
    this.#movedAt = clock.now();
    this.canCloseInput = protocol === closableProtocol;
    this.items = this.#read(api, call);
    if (terminal) this.resize(terminal);
    // `#watch` always rejects when the session ends; that is not an error.
    if (hasInput) this.#watch().catch(() => undefined);
  }

  write(bytes: Uint8Array): Promise<void> | undefined {
    for (let at = 0; at < bytes.length; at += largestMessage) {
      this.#send(channel.input, bytes.subarray(at, at + largestMessage));
    }
    return this.#socket.drained()?.then(this.#moved);
  }

  closeInput(): void {
    if (this.canCloseInput) this.#send(channel.close, Buffer.from([channel.input]));
  }

  type(text: string): void {
    this.#send(channel.input, Buffer.from(text));
  }

  resize({ columns, rows }: TerminalSize): void {
    this.#send(channel.resize, Buffer.from(JSON.stringify({ Width: columns, Height: rows })));
  }

  dispose(): void {
    this.#over.abort();
    // Destroy the socket: `dispose` would wait until the server has read all input, which may never happen.
    if (this.#hasInput) this.#socket.destroy();
    else this.#socket.dispose();
  }

  #send(to: number, bytes: Uint8Array): void {
    this.#socket.send(Uint8Array.of(to), bytes);
  }

  readonly #moved = (): void => {
    this.#movedAt = this.#clock.now();
  };

  /** Sends pings, and closes the connection if the server neither responds nor accepts input. */
  async #watch(): Promise<void> {
    for (;;) {
      await this.#clock.sleep(pingEveryMs, this.#over.signal);
      // A slow consumer of `items` delays pongs, too. So do not close the connection while data is unread.
      const isStalled = this.#clock.now() - this.#movedAt >= stalledMs;
      if (isStalled && !this.#socket.hasUnread) this.#socket.destroy();
      this.#socket.ping();
    }
  }

  async *#read(api: ApiClient, call: ApiCall): AsyncGenerator<ExecItem> {
    // A UTF-8 sequence may be split between messages, so each stream needs its own decoder.
    const streams = new Map([
      [channel.output, { from: "stdout", decoder: new TextDecoder() }],
      [channel.error, { from: "stderr", decoder: new TextDecoder() }],
    ] as const);
    let end: ExecItem | undefined;
    const listener = onAbort(api.ended, () => {
      this.dispose();
    });
    try {
      for await (const message of this.#socket.messages(this.#moved)) {
        const from = message[0];
        const bytes = message.subarray(1);
        const stream = streams.get(from as 1 | 2);
        const text = stream?.decoder.decode(bytes, { stream: true }) ?? "";
        if (stream && text !== "") yield { kind: "output", from: stream.from, text };
        if (from === channel.status) end = endOf(bytes.toString());
      }
      yield end ?? { kind: "failed", error: untold };
    } catch (error) {
      if (!(error instanceof BodyLost)) throw error;
      // Once the exit status has arrived, a connection loss no longer matters.
      yield end ?? { kind: "failed", error: api.lossOf(error, call) };
    } finally {
      listener.dispose();
      this.dispose();
    }
  }
}

const untold: ClusterError = {
  kind: "badResponse",
  status: undefined,
  detail: "the server closed the terminal without an exit status",
};

/** Parses the Status that the server sends when the program ends. */
function endOf(text: string): ExecItem {
  const json = parseJson(text);
  const status = json.ok ? json.value : undefined;
  if (nonEmptyTextAt(status, "status") === "Success") return { kind: "ended", exitCode: 0 };
  const causes = listAt(fieldAt(status, "details"), "causes");
  const code = causes.find((cause) => nonEmptyTextAt(cause, "reason") === "ExitCode");
  const exitCode = Number(nonEmptyTextAt(code, "message") ?? Number.NaN);
  if (Number.isInteger(exitCode)) return { kind: "ended", exitCode };
  const detail = statusMessageOf(status) ?? "the program could not be started";
  return { kind: "failed", error: { kind: "badResponse", status: undefined, detail } };
}

function requestOf({
  namespace,
  pod,
  container,
  command,
  terminal,
  hasInput = false,
}: ExecRequest): Result<ChannelRequest, ClusterError> {
  const path = pathOf(podResource, namespace, pod);
  if (!path.ok) return path;
  if (container !== undefined && !isDnsLabel(container)) {
    return err(badName("container", container));
  }
  const query = new URLSearchParams({
    ...(container !== undefined && { container }),
    stdout: "true",
    ...((terminal !== undefined || hasInput) && { stdin: "true" }),
    // A TTY merges stdout and stderr.
    ...(terminal ? { tty: "true" } : { stderr: "true" }),
  });
  for (const word of command ?? []) query.append("command", word);
  const subresource = command === undefined ? "attach" : "exec";
  return ok({
    path: `${path.value}/${subresource}?${query.toString()}`,
    subject: { verb: "create", resource: `pods/${subresource}`, namespace, name: pod },
    protocols,
    purpose: "terminals",
  });
}
