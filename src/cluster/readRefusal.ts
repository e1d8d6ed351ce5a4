import type { IncomingMessage } from "node:http";
import type { Clock } from "../engine/ports.ts";
import { isOfMessages, readStatus } from "./apiMessages.ts";
import { fieldOf, numberOf, parseJson } from "./json.ts";
import type { Redactor } from "./redactor.ts";
import { messageOf, type Refusal } from "./statusError.ts";
import { BodyLost, chunksOf } from "./transport/body.ts";
import type { Answered } from "./transport/exchange.ts";

const largest = 64 << 10;
const silenceMs = 30_000;

/** Reads what a server says with a status of 300 and above, as far as it is worth reading. */
export async function readRefusal(
  answered: Answered,
  redactor: Redactor,
  clock: Clock,
  signal: AbortSignal,
): Promise<Refusal> {
  const { response } = answered;
  const status = response.statusCode ?? 0;
  const contentType = response.headers["content-type"] ?? "";
  const bytes = await beginningOf(answered, clock, signal);
  const body = statusIn(bytes, contentType);
  // A page of HTML, from a load balancer say, has no words for people in it.
  const plain = /^text\/plain\b/i.test(contentType) ? bytes.toString().trim().slice(0, 500) : "";
  const words = messageOf(body) ?? (plain || `${status} ${response.statusMessage ?? ""}`.trim());
  return {
    status,
    detail: redactor.redact(words),
    body,
    retryAfterMs: retryAfterOf(response, body, clock),
  };
}

// The metrics of a Spark driver come as text/json.
export const isJson = (contentType: string): boolean =>
  /^(?:application\/(?:[\w.-]+\+)?|text\/)json\b/i.test(contentType);

// A refusal counts even if its words get lost on the way.
async function beginningOf(answered: Answered, clock: Clock, signal: AbortSignal): Promise<Buffer> {
  const kept: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of chunksOf(answered, silenceMs, clock, signal)) {
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
  const seconds = numberOf(fieldOf(status, "details"), "retryAfterSeconds");
  if (header === undefined) return seconds === undefined ? undefined : seconds * 1000;
  if (/^\d{1,6}$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - clock.now());
}
