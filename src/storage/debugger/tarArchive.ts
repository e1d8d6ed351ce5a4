import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { tarEnd, tarHeader, tarPadding } from "../code/tarEntry.ts";

const compress = promisify(gzip);

export interface ArchivedFile {
  /** Path in the archive, with `/` as separator. */
  readonly name: string;
  readonly bytes: Buffer;
}

/** Returns a tar.gz archive. The same files in the same order give the same bytes on every platform. */
export async function tarArchive(files: readonly ArchivedFile[]): Promise<Buffer> {
  const blocks = files.flatMap(({ name, bytes }) => [
    tarHeader(name, bytes.length, false),
    bytes,
    tarPadding(bytes.length),
  ]);
  const archive = await compress(Buffer.concat([...blocks, tarEnd]), { level: 9 });
  // RFC 1952: zlib writes its platform into this byte; 255 is "unknown".
  archive[9] = 255;
  return archive;
}
