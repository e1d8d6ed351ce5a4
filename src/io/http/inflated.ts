import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { BodyLost, drainKeepingPrefix } from "./body.ts";

/**
 * Yields the decompressed bytes of a body with this `Content-Encoding`. Throws BodyLost if the bytes are damaged or the
 * encoding is unknown. Closes the response when the consumer stops.
 */
export function inflated(
  chunks: AsyncIterable<Buffer>,
  encoding: string | undefined,
): AsyncIterable<Buffer> {
  const name = (encoding ?? "").trim().toLowerCase();
  return name === "" || name === "identity" ? chunks : gunzipped(chunks, name);
}

async function* gunzipped(chunks: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<Buffer> {
  if (encoding !== "gzip") {
    // Reads to the end, which also closes the response.
    await drainKeepingPrefix(chunks, 0);
    throw new BodyLost(new Error("the answer has an unknown encoding"));
  }
  const plain = createGunzip();
  // A failure of either stream reaches the consumer as an error of `plain`.
  pipeline(chunks, plain, () => undefined);
  try {
    for await (const chunk of plain) {
      if (chunk instanceof Buffer) yield chunk;
    }
  } catch (error) {
    if (!isOfZlib(error)) throw error;
    throw new BodyLost(error);
  }
}

const isOfZlib = (error: unknown): error is Error =>
  error instanceof Error && "code" in error && String(error.code).startsWith("Z_");
