import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { access, constants, rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { systemCode } from "./systemCode.ts";

/**
 * Replaces a file atomically: `write` fills a temporary file in the same folder, which this function then renames to
 * `path`. Removes the temporary file and rethrows if the write or the rename fails.
 */
export async function replaceFile(
  path: string,
  write: (temporary: string) => Promise<void>,
): Promise<void> {
  const temporary = `${path}.${randomUUID().slice(0, 8)}.part`;
  try {
    await write(temporary);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/**
 * Streams text to a file, which keeps its old content until the text is complete. Rejects if the file is read-only, or
 * with an AbortError if `signal` aborts.
 */
export async function writeFileAtomically(
  path: string,
  pieces: AsyncIterable<string>,
  signal: AbortSignal,
): Promise<void> {
  await checkWritable(path);
  await replaceFile(path, (temporary) =>
    pipeline(Readable.from(pieces), createWriteStream(temporary), { signal }),
  );
}

// rename() replaces even a read-only file, so check the write permission first.
async function checkWritable(path: string): Promise<void> {
  try {
    await access(path, constants.W_OK);
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
  }
}
