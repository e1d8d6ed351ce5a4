import { randomBytes } from "node:crypto";
import { err, ok, type Result } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { AnswerRules, ApiCall, ApiClient } from "../apiRequest.ts";
import type { RequestSubject } from "../statusError.ts";
import { acceptOf, WebSocketClient } from "../../io/webSocket/webSocketClient.ts";

/** A request to upgrade to WebSocket. */
export interface ChannelRequest {
  readonly path: string;
  readonly subject: RequestSubject;
  /** Kubernetes subprotocols, the preferred one first. */
  readonly protocols: readonly string[];
  /** Purpose of the channels, for error messages: "terminals". */
  readonly purpose: string;
}

/** Kubernetes channels over WebSocket. `call` is the upgrade request, which is needed to describe a lost connection. */
export interface Channels {
  readonly socket: WebSocketClient;
  /** The subprotocol that the server chose. */
  readonly protocol: string;
  readonly call: ApiCall;
}

export async function openChannels(
  api: ApiClient,
  { path, subject, protocols, purpose }: ChannelRequest,
  rules: AnswerRules,
  signal: AbortSignal,
): Promise<Result<Channels, ClusterError>> {
  const key = randomBytes(16).toString("base64");
  const call: ApiCall = {
    method: "GET",
    path,
    subject,
    accept: "*/*",
    body: undefined,
    headers: {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": key,
      "sec-websocket-protocol": protocols.join(", "),
    },
  };
  const upgraded = await api.upgrade(call, rules, signal);
  if (!upgraded.ok) return upgraded;
  const { headers } = upgraded.value.response;
  const protocol = headers["sec-websocket-protocol"] ?? "";
  if (headers["sec-websocket-accept"] !== acceptOf(key) || !protocols.includes(protocol)) {
    upgraded.value.socket.destroy();
    const detail = `the server does not support the required protocol for ${purpose}`;
    return err({ kind: "badResponse", status: 101, detail });
  }
  return ok({ socket: new WebSocketClient(upgraded.value), protocol, call });
}
