import type { IncomingMessage } from "node:http";
import { Refusal } from "../api/refusal.ts";

// Request limit of a real API server: 3 MiB.
const maxBytes = 3 * 1024 * 1024;

/** Reads the whole body as text; throws a 413 if it exceeds the limit. */
export async function readRequestText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
    // Keep draining so that the client receives the 413, up to a bound.
    else if (size > 8 * maxBytes) break;
  }
  if (size > maxBytes) {
    throw new Refusal(
      413,
      "RequestEntityTooLarge",
      `Request entity too large: limit is ${maxBytes}`,
    );
  }
  return Buffer.concat(chunks).toString();
}
