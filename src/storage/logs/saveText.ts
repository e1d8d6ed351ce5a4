import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** Writes a text of any length to a file, piece by piece, no faster than the disk takes it. */
export const saveText = (
  path: string,
  pieces: AsyncIterable<string>,
  signal: AbortSignal,
): Promise<void> => pipeline(Readable.from(pieces), createWriteStream(path), { signal });
