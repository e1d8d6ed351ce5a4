import { createHash } from "node:crypto";
import { throwIfAborted } from "../../io/abort.ts";
import { systemCode } from "../../io/systemCode.ts";
import { CodeChanged } from "../../spark/submit/code/codeChanged.ts";
import { sumsName } from "../../spark/submit/code/codeName.ts";
import type { SentFile } from "../../spark/submit/code/sentCode.ts";
import { CodeFailure } from "./codeFailure.ts";
import { isSameState, openRegular, stateOf } from "./stableFile.ts";
import { tarEnd, tarHeader, tarPadding } from "./tarEntry.ts";

const chunkBytes = 256 * 1024;

/**
 * A tar archive with the files, and their hashes as the last member in the format of `sha256sum -c`. Reads a chunk only
 * when the caller asks for it. Throws CodeChanged if a file on disk has another size or time than it was collected with.
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
  // Four characters are three bytes.
  const step = (chunkBytes / 4) * 4;
  for (let at = 0; at < base64.length; at += step) {
    yield Buffer.from(base64.slice(at, at + step), "base64");
  }
}

async function* readChunks(
  path: string,
  collected: { readonly size: number; readonly modifiedMs: number },
): AsyncGenerator<Uint8Array, void, undefined> {
  const file = await openCollected(path);
  try {
    if (!isSameState(await stateOf(file), collected)) throw new CodeChanged(path);
    let at = 0;
    while (at < collected.size) {
      const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, collected.size - at));
      const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
      if (bytesRead === 0) throw new CodeChanged(path);
      at += bytesRead;
      // The last chunk is held back until the file is known to be complete.
      if (at === collected.size && !isSameState(await stateOf(file), collected)) {
        throw new CodeChanged(path);
      }
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

async function openCollected(path: string): ReturnType<typeof openRegular> {
  try {
    return await openRegular(path);
  } catch (error) {
    if (!(error instanceof CodeFailure) && systemCode(error) === undefined) throw error;
    throw new CodeChanged(path, { cause: error });
  }
}
