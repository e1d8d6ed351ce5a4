// Streams an archive to the standard input of the program in the pod that unpacks it.
import { receiveHead } from "../../spark/submit/code/streamContainer.ts";
import type { ExecItem, ExecSession } from "../ports/channels.ts";

export interface CodeProgram {
  readonly end: Exclude<ExecItem, { kind: "output" }>;
  /** The end of the program's standard error. */
  readonly stderr: string;
  /** True if the whole archive was written. */
  readonly isComplete: boolean;
}

/** Size of a batch. Smaller batches need more WebSocket messages; larger ones wait longer for the socket. */
const batchBytes = 128 << 10;
const maxOutput = 8 << 10;

/**
 * Writes an archive to the receiving program and waits for its end. If the server cannot close the input, the program
 * needs the length first, so `archive` is called twice. Rejects with the error that `archive` throws, or an AbortError.
 */
export async function writeArchive(
  session: ExecSession,
  archive: () => AsyncIterable<Uint8Array>,
  sent: (bytes: number) => void,
  signal: AbortSignal,
): Promise<CodeProgram> {
  const close = (): void => {
    session.dispose();
  };
  signal.addEventListener("abort", close, { once: true });
  const over = new AbortController();
  const output = new BoundedText();
  // Stop the transfer as soon as the program ends or the volume is full: tar would read the whole archive.
  const ended = readEnd(session, output).finally(() => {
    over.abort();
  });
  try {
    signal.throwIfAborted();
    const written = write(session, archive, sent, () => over.signal.aborted || output.isFull);
    // A failure of `write` ends the session, and with it the program.
    written.catch(close);
    const [isComplete, end] = await Promise.all([written, ended]);
    signal.throwIfAborted();
    return { end, stderr: output.text, isComplete };
  } finally {
    signal.removeEventListener("abort", close);
    session.dispose();
    await ended.catch(() => undefined);
  }
}

/** Writes the archive to the program. Returns false if the program ended first. */
async function write(
  session: ExecSession,
  archive: () => AsyncIterable<Uint8Array>,
  sent: (bytes: number) => void,
  isOver: () => boolean,
): Promise<boolean> {
  const length = session.canCloseInput ? undefined : await lengthOf(archive());
  await session.write(new TextEncoder().encode(receiveHead(length)));
  let total = 0;
  for await (const batch of batches(archive())) {
    // `write` copies before it returns.
    await session.write(batch);
    if (isOver()) break;
    total += batch.length;
    sent(total);
  }
  session.closeInput();
  return !isOver();
}

async function lengthOf(chunks: AsyncIterable<Uint8Array>): Promise<number> {
  let length = 0;
  for await (const chunk of chunks) length += chunk.length;
  return length;
}

/**
 * Joins small chunks into batches of up to 128 KiB; yields larger chunks unchanged. A batch is valid until the next one
 * is requested.
 */
async function* batches(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const held = new Uint8Array(batchBytes);
  let size = 0;
  for await (const chunk of chunks) {
    if (size + chunk.length > batchBytes && size > 0) {
      yield held.subarray(0, size);
      size = 0;
    }
    if (chunk.length > batchBytes) {
      yield chunk;
      continue;
    }
    held.set(chunk, size);
    size += chunk.length;
  }
  if (size > 0) yield held.subarray(0, size);
}

/** Keeps the last `maxOutput` characters of standard error. Sets `isFull` once the text reports a full volume. */
class BoundedText {
  text = "";
  isFull = false;

  add(text: string): void {
    this.text = (this.text + text).slice(-maxOutput);
    this.isFull ||= /no space left on device/i.test(this.text);
  }
}

async function readEnd(session: ExecSession, output: BoundedText): Promise<CodeProgram["end"]> {
  for await (const item of session.items) {
    if (item.kind !== "output") return item;
    if (item.from === "stderr") output.add(item.text);
  }
  const detail = "the connection was closed";
  return { kind: "failed", error: { kind: "badResponse", status: undefined, detail } };
}
