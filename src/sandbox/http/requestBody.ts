import type { IncomingMessage } from "node:http";
import { Refusal } from "../api/refusal.ts";

// Request limit of a real API server: 3 MiB.
const maxBytes = 3 * 1024 * 1024;

/** Reads the body as UTF-8 text; throws a 413 if it exceeds 3 MiB. */
export async function readRequestText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
    // Discard the rest of a body of up to 24 MiB, so that the client finishes sending and reads the 413.
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
