import { createHash } from "node:crypto";

export interface ArchiveFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Creates a tar archive in the collector's format: the files, then their hashes as the last entry. */
export async function* archiveOf(
  files: readonly ArchiveFile[],
  sums: string = sumsOf(files),
): AsyncGenerator<Uint8Array> {
  for (const file of [...files, { name: ".sha256sums", bytes: Buffer.from(sums) }]) {
    yield header(file);
    for (let at = 0; at < file.bytes.length; at += 1 << 16) {
      yield await Promise.resolve(file.bytes.subarray(at, at + (1 << 16)));
    }
    yield new Uint8Array(-file.bytes.length & 511);
  }
  yield new Uint8Array(1024);
}

export const sumsOf = (files: readonly ArchiveFile[]): string =>
  files
    .map(({ name, bytes }) => `${createHash("sha256").update(bytes).digest("hex")}  ${name}\n`)
    .join("");

function header({ name, bytes }: ArchiveFile): Buffer {
  const block = Buffer.alloc(512);
  const octal = (value: number, length: number): string =>
    `${value.toString(8).padStart(length - 1, "0")}\0`;
  block.write(name, 0);
  block.write(octal(0o644, 8) + octal(0, 8) + octal(0, 8), 100);
  block.write(octal(bytes.length, 12) + octal(0, 12), 124);
  block.write("        0", 148);
  block.write("ustar\x0000", 257);
  block.write(
    `${octal(
      block.reduce((sum, byte) => sum + byte, 0),
      7,
    )} `,
    148,
  );
  return block;
}
