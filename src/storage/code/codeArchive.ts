import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { throwIfAborted } from "../../io/abort.ts";
import { systemCode } from "../../io/systemCode.ts";
import { CodeChanged } from "../../spark/submit/code/codeChanged.ts";
import { sumsName } from "../../spark/submit/code/codeName.ts";
import type { SentFile } from "../../spark/submit/code/sentCode.ts";
import { CodeFailure } from "./codeFailure.ts";
import { isSameState, openFile, openFileState, type FileState } from "./stableFile.ts";
import { tarEnd, tarHeader, tarPadding } from "./tarEntry.ts";

const chunkBytes = 256 * 1024;

/**
 * Yields a tar archive with the files. Its last member contains their hashes in the format of `sha256sum -c`. A chunk
 * is read on request, and is valid until the next request. Throws CodeChanged if the size or modification time of a
 * file on disk has changed since it was collected.
 */
export async function* archiveFiles(
  files: readonly SentFile[],
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  let sums = "";
  for (const file of files) {
    const hash = createHash("sha256");
    yield tarHeader(file.name, file.size, file.isExecutable);
    for await (const chunk of contentOf(file)) {
      throwIfAborted(signal);
      hash.update(chunk);
      yield chunk;
    }
    yield tarPadding(file.size);
    sums += `${hash.digest("hex")}  ${file.name}\n`;
  }
  throwIfAborted(signal);
  const bytes = Buffer.from(sums);
  yield Buffer.concat([
    tarHeader(sumsName, bytes.length, false),
    bytes,
    tarPadding(bytes.length),
    tarEnd,
  ]);
}

function contentOf(file: SentFile): Iterable<Uint8Array> | AsyncIterable<Uint8Array> {
  const { content, size } = file;
  return content.kind === "inline"
    ? decodeChunks(content.base64)
    : readChunks(content.path, { size, modifiedMs: content.modifiedMs });
}

function* decodeChunks(base64: string): Generator<Uint8Array, void, undefined> {
  // Four base64 characters encode three bytes, so cut only at multiples of four.
  const step = (chunkBytes / 4) * 4;
  for (let at = 0; at < base64.length; at += step) {
    yield Buffer.from(base64.slice(at, at + step), "base64");
  }
}

async function* readChunks(
  path: string,
  collected: Pick<FileState, "size" | "modifiedMs">,
): AsyncGenerator<Uint8Array, void, undefined> {
  const file = await openCollected(path);
  try {
    await checkState(file, path, collected);
    let at = 0;
    // Reuse one buffer: a buffer per chunk would allocate the size of the whole file.
    const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, collected.size));
    while (at < collected.size) {
      const length = Math.min(buffer.length, collected.size - at);
      const { bytesRead } = await file.read(buffer, 0, length, at);
      if (bytesRead === 0) throw new CodeChanged(path);
      at += bytesRead;
      // Check again before the last chunk, so that a changed file is never sent completely.
      if (at === collected.size) await checkState(file, path, collected);
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

async function checkState(
  file: FileHandle,
  path: string,
  collected: Pick<FileState, "size" | "modifiedMs">,
): Promise<void> {
  try {
    if (isSameState(await openFileState(file, path), collected)) return;
  } catch (error) {
    if (!(error instanceof CodeFailure)) throw error;
  }
  throw new CodeChanged(path);
}

async function openCollected(path: string): Promise<FileHandle> {
  try {
    return await openFile(path);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    throw new CodeChanged(path, { cause: error });
  }
}
