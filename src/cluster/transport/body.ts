import { disposable, DisposableStore } from "../../base/disposable.ts";
import type { Clock } from "../../engine/ports.ts";
import { onAbort, throwIfAborted } from "../abort.ts";
import { SilenceLimit } from "../deadline.ts";
import { type Answered, TooLate } from "./exchange.ts";

/** The bytes of an answer stopped before its end. */
export class BodyLost extends Error {
  override readonly name = "BodyLost";
  override readonly cause: Error;

  constructor(cause: Error) {
    super(cause.message);
    this.cause = cause;
  }
}

/**
 * The bytes of an answer as they come. Throws BodyLost if the connection breaks, or if nothing comes for
 * `silenceMs` while the reader waits; an AbortError if `signal` aborts. Closes the answer at the end, however it comes.
 */
export async function* chunksOf(
  answered: Answered,
  silenceMs: number | undefined,
  clock: Clock,
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
      silence?.waiting();
      const step = await next(chunks, signal);
      silence?.heard();
      throwIfAborted(signal);
      if (step.done === true) return;
      if (step.value instanceof Buffer) yield step.value;
      // Everybody else has a turn, however fast the bytes come; what comes meanwhile is read as one.
      await new Promise((resolve) => setImmediate(resolve));
    }
  } finally {
    owned.dispose();
  }

  function limitSilence(ms: number): SilenceLimit {
    return new SilenceLimit(clock, ms, () => {
      body.destroy(new TooLate(`nothing came for ${Math.round(ms / 1000)} s`));
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
    // Whatever a stream of bytes fails with is the loss of the connection.
    throw new BodyLost(error instanceof Error ? error : new Error(String(error)));
  }
}

/** At most `limit` bytes of the answer; undefined if there were more. */
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
