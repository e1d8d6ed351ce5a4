import type { IncomingMessage } from "node:http";
import type { Clock } from "../engine/ports/clock.ts";
import { isOfMessages, readStatus } from "./apiMessages.ts";
import { fieldAt, numberAt, parseJson } from "../base/json.ts";
import type { Redactor } from "./redactor.ts";
import { statusMessageOf, type ApiRefusal } from "./statusError.ts";
import { BodyLost, chunksOf } from "../io/http/body.ts";
import { inflated } from "../io/http/inflated.ts";
import type { Answered } from "../io/http/exchange.ts";

const largest = 64 << 10;
const silenceMs = 30_000;

/** Returns the refusal in a response with an error status. Reads at most 64 KB of its body. */
export async function readRefusal(
  answered: Answered,
  redactor: Redactor,
  clock: Clock,
  signal: AbortSignal,
): Promise<ApiRefusal> {
  const { response } = answered;
  const status = response.statusCode ?? 0;
  const contentType = response.headers["content-type"] ?? "";
  const bytes = await beginningOf(answered, clock, signal);
  const body = statusIn(bytes, contentType);
  // An HTML page, for example from a load balancer, has no readable message.
  const plain = /^text\/plain\b/i.test(contentType) ? bytes.toString().trim().slice(0, 500) : "";
  const words =
    statusMessageOf(body) ?? (plain || `${status} ${response.statusMessage ?? ""}`.trim());
  return {
    status,
    detail: redactor.redact(words),
    body,
    retryAfterMs: retryAfterOf(response, body, clock),
  };
}

// Spark's metrics servlet uses the content type text/json.
export const isJson = (contentType: string): boolean =>
  /^(?:application\/(?:[\w.-]+\+)?|text\/)json\b/i.test(contentType);

// Returns the bytes received so far if the connection breaks, because the status alone is useful.
async function beginningOf(answered: Answered, clock: Clock, signal: AbortSignal): Promise<Buffer> {
  const kept: Buffer[] = [];
  let length = 0;
  try {
    const sent = chunksOf(answered, silenceMs, clock, signal);
    for await (const chunk of inflated(sent, answered.response.headers["content-encoding"])) {
      kept.push(chunk);
      length += chunk.length;
      if (length >= largest) break;
    }
  } catch (error) {
    if (!(error instanceof BodyLost)) throw error;
  }
  return Buffer.concat(kept).subarray(0, largest);
}

function statusIn(bytes: Buffer, contentType: string): unknown {
  if (isOfMessages(contentType)) return readStatus(bytes);
  const json = isJson(contentType) ? parseJson(bytes.toString()) : undefined;
  return json?.ok === true ? json.value : undefined;
}

function retryAfterOf(
  response: IncomingMessage,
  status: unknown,
  clock: Clock,
): number | undefined {
  const header = response.headers["retry-after"];
  const seconds = numberAt(fieldAt(status, "details"), "retryAfterSeconds");
  if (header === undefined) return seconds === undefined ? undefined : seconds * 1000;
  if (/^\d{1,6}$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - clock.now());
}
