import type { IncomingMessage } from "node:http";
import { Refusal } from "../api/refusal.ts";

// What a real API server takes.
const limit = 3 * 1024 * 1024;

/** The whole body as text; more than a real API server takes is refused. */
export async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
    // Read on so that the answer arrives, but not for ever.
    else if (size > 8 * limit) break;
  }
  if (size > limit) {
    throw new Refusal(413, "RequestEntityTooLarge", `Request entity too large: limit is ${limit}`);
  }
  return Buffer.concat(chunks).toString();
}
