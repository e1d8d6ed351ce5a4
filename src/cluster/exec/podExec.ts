import { err, ok, type Result } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type {
  ExecItem,
  ExecRequest,
  ExecSession,
  PodExec,
  TerminalSize,
} from "../../engine/ports.ts";
import { onAbort } from "../../io/abort.ts";
import { type AnswerRules, type ApiCall, type ApiClient, headersMs } from "../apiRequest.ts";
import { fieldAt, listAt, nonEmptyTextAt, parseJson } from "../../base/json.ts";
import { isDnsLabel } from "../../spark/kubernetesNames.ts";
import { badName, pathOf, podResource } from "../resources.ts";
import { statusMessageOf } from "../statusError.ts";
import { BodyLost } from "../../io/http/body.ts";
import { type ChannelRequest, openChannels } from "./openChannels.ts";
import type { WebSocketEnd } from "../../io/webSocket/webSocketEnd.ts";

// Version 5 adds a message that closes standard input. It is not needed: a terminal's input ends with its session.
const protocols = ["v5.channel.k8s.io", "v4.channel.k8s.io"];

/** The channel number: the first byte of each message. */
const channel = { input: 0, output: 1, error: 2, status: 3, resize: 4 } as const;

const rules: AnswerRules = {
  channel: "terminals",
  headersMs,
  silenceMs: undefined,
  wholeMs: undefined,
};

/** Runs programs in containers over WebSocket. */
export class ApiPodExec implements PodExec {
  readonly #api: ApiClient;

  constructor(api: ApiClient) {
    this.#api = api;
  }

  async start(
    request: ExecRequest,
    signal: AbortSignal,
  ): Promise<Result<ExecSession, ClusterError>> {
    const asked = requestOf(request);
    if (!asked.ok) return asked;
    const opened = await openChannels(this.#api, asked.value, rules, signal);
    if (!opened.ok) return opened;
    const { socket, call } = opened.value;
    return ok(new Session(socket, this.#api, call, request));
  }
}

class Session implements ExecSession {
  readonly items: AsyncIterable<ExecItem>;
  readonly #socket: WebSocketEnd;

  constructor(socket: WebSocketEnd, api: ApiClient, call: ApiCall, { terminal }: ExecRequest) {
    this.#socket = socket;
    this.items = readItems(socket, api, call);
    if (terminal) this.resize(terminal);
  }

  type(text: string): void {
    this.#send(channel.input, text);
  }

  resize({ columns, rows }: TerminalSize): void {
    this.#send(channel.resize, JSON.stringify({ Width: columns, Height: rows }));
  }

  dispose(): void {
    this.#socket.dispose();
  }

  #send(to: number, text: string): void {
    this.#socket.send(Buffer.concat([Buffer.from([to]), Buffer.from(text)]));
  }
}

async function* readItems(
  socket: WebSocketEnd,
  api: ApiClient,
  call: ApiCall,
): AsyncGenerator<ExecItem> {
  // A UTF-8 sequence may be split between messages, so each stream needs its own decoder.
  const decoders = new Map([channel.output, channel.error].map((id) => [id, new TextDecoder()]));
  let end: ExecItem | undefined;
  const listener = onAbort(api.ended, () => {
    socket.dispose();
  });
  try {
    for await (const message of socket.messages()) {
      const from = message[0];
      const bytes = message.subarray(1);
      const text = decoders.get(from as 1 | 2)?.decode(bytes, { stream: true }) ?? "";
      if (text !== "") yield { kind: "output", text };
      if (from === channel.status) end = endOf(bytes.toString());
    }
    yield end ?? { kind: "failed", error: untold };
  } catch (error) {
    if (!(error instanceof BodyLost)) throw error;
    // Once the exit status has arrived, a connection loss no longer matters.
    yield end ?? { kind: "failed", error: api.lossOf(error, call) };
  } finally {
    listener.dispose();
    socket.dispose();
  }
}

const untold: ClusterError = {
  kind: "badResponse",
  status: undefined,
  detail: "the server closed the terminal without saying how the program ended",
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
}: ExecRequest): Result<ChannelRequest, ClusterError> {
  const path = pathOf(podResource, namespace, pod);
  if (!path.ok) return path;
  if (container !== undefined && !isDnsLabel(container)) {
    return err(badName("container", container));
  }
  const query = new URLSearchParams({
    ...(container !== undefined && { container }),
    stdout: "true",
    // A TTY merges stdout and stderr.
    ...(terminal ? { stdin: "true", tty: "true" } : { stderr: "true" }),
  });
  for (const word of command) query.append("command", word);
  return ok({
    path: `${path.value}/exec?${query.toString()}`,
    subject: { verb: "create", resource: "pods/exec", namespace, name: pod },
    protocols,
    purpose: "terminals",
  });
}
