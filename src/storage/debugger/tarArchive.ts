import { promisify } from "node:util";
import { gzip } from "node:zlib";

const compress = promisify(gzip);
const blockSize = 512;

export interface ArchivedFile {
  /** At most 255 characters, with `/`. */
  readonly name: string;
  readonly bytes: Buffer;
}

/** A tar.gz archive. The same files in the same order give the same bytes on every platform. */
export async function tarArchive(files: readonly ArchivedFile[]): Promise<Buffer> {
  const blocks = files.flatMap(({ name, bytes }) => [
    header(name, bytes.length),
    bytes,
    Buffer.alloc(-bytes.length & (blockSize - 1)),
  ]);
  const archive = await compress(Buffer.concat([...blocks, Buffer.alloc(2 * blockSize)]), {
    level: 9,
  });
  // RFC 1952: zlib writes its platform into this byte; 255 is "unknown".
  archive[9] = 255;
  return archive;
}

/** POSIX.1-1988 (ustar). */
function header(name: string, size: number): Buffer {
  const block = Buffer.alloc(blockSize);
  const { prefix, rest } = splitName(name);
  const octal = (value: number, at: number, length: number): void => {
    block.write(value.toString(8).padStart(length - 1, "0"), at, "latin1");
  };
  block.write(rest, 0, "utf8");
  octal(0o644, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(0, 136, 12);
  // The checksum counts its own field as spaces.
  block.fill(" ", 148, 156);
  block.write("0", 156, "latin1");
  block.write("ustar\u000000", 257, "latin1");
  block.write(prefix, 345, "utf8");
  octal(
    block.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  );
  return block;
}

function splitName(name: string): { readonly prefix: string; readonly rest: string } {
  if (Buffer.byteLength(name) <= 100) return { prefix: "", rest: name };
  const cut = name.indexOf("/", Buffer.byteLength(name) - 101);
  const [prefix, rest] = [name.slice(0, cut), name.slice(cut + 1)];
  if (cut < 0 || Buffer.byteLength(prefix) > 155 || Buffer.byteLength(rest) > 100) {
    throw new RangeError(`"${name}" is too long for a tar archive`);
  }
  return { prefix, rest };
}
