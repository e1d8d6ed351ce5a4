import { disposable, DisposableStore } from "../../base/disposable.ts";
import type { Sleeper } from "../sleeper.ts";
import { onAbort, throwIfAborted } from "../abort.ts";
import { IdleTimeout } from "../idleTimeout.ts";
import { type Answered, RequestTimeout } from "./exchange.ts";

/** The response body could not be read to its end, or is invalid. */
export class BodyLost extends Error {
  override readonly name = "BodyLost";
  override readonly cause: Error;

  constructor(cause: Error) {
    super(cause.message);
    this.cause = cause;
  }
}

/**
 * Yields the body of a response. Throws BodyLost if the connection breaks, or if no byte arrives for `silenceMs` while
 * the consumer waits. Throws an AbortError if `signal` aborts. Closes the response when the generator ends or fails.
 */
export async function* chunksOf(
  answered: Answered,
  silenceMs: number | undefined,
  sleeper: Sleeper,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void, void> {
  const body = answered.response;
  const owned = new DisposableStore();
  owned.add(
    disposable(() => {
      answered.close();
    }),
  );
  owned.add(onAbort(signal, () => body.destroy()));
  const silence = silenceMs === undefined ? undefined : owned.add(limitSilence(silenceMs));
  const chunks: AsyncIterator<unknown> = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      silence?.wait();
      const step = await next(chunks, signal);
      silence?.pause();
      throwIfAborted(signal);
      if (step.done === true) return;
      if (step.value instanceof Buffer) yield step.value;
      // Yield to the event loop on fast streams. Bytes that arrive meanwhile form one chunk.
      await new Promise((resolve) => setImmediate(resolve));
    }
  } finally {
    owned.dispose();
  }

  function limitSilence(ms: number): IdleTimeout {
    return new IdleTimeout(sleeper, ms, () => {
      body.destroy(new RequestTimeout(`no data arrived for ${Math.round(ms / 1000)} s`));
    });
  }
}

async function next(
  chunks: AsyncIterator<unknown>,
  signal: AbortSignal,
): Promise<IteratorResult<unknown>> {
  try {
    return await chunks.next();
  } catch (error) {
    throwIfAborted(signal);
    // Any other stream error means a lost connection.
    throw new BodyLost(error instanceof Error ? error : new Error(String(error)));
  }
}

/** Returns all bytes of a body; undefined if there are more than `limit`. */
export async function readAll(
  chunks: AsyncIterable<Buffer>,
  limit: number,
): Promise<Buffer | undefined> {
  const kept: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > limit) return undefined;
    kept.push(chunk);
  }
  return Buffer.concat(kept);
}

/** Reads a body to its end, and returns its first `limit` bytes. */
export async function drainKeepingPrefix(
  chunks: AsyncIterable<Buffer>,
  limit: number,
): Promise<Buffer> {
  const kept: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    if (length < limit) kept.push(chunk);
    length += chunk.length;
  }
  return Buffer.concat(kept).subarray(0, limit);
}
