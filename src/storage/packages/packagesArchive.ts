import { createReadStream, createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { tarEnd, tarHeader, tarPadding } from "../code/tarEntry.ts";
import type { InstalledFile } from "./installedTree.ts";

/** Writes the files to a new `tar.gz` archive. Spark keeps the file modes when it unpacks the archive. */
export async function writePackagesArchive(
  path: string,
  files: readonly InstalledFile[],
  signal: AbortSignal,
): Promise<void> {
  await pipeline(
    tarChunks(files),
    createGzip(),
    createWriteStream(path, { flags: "wx", mode: 0o600 }),
    { signal },
  );
}

async function* tarChunks(files: readonly InstalledFile[]): AsyncGenerator<Buffer> {
  for (const { name, path, size, isExecutable } of files) {
    yield tarHeader(name, size, isExecutable);
    if (size > 0) yield* createReadStream(path, { end: size - 1 }) as AsyncIterable<Buffer>;
    yield tarPadding(size);
  }
  yield tarEnd;
}
