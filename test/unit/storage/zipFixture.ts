// Builds valid and invalid zip files for tests, according to PKWARE's APPNOTE.
import { crc32, deflateRawSync } from "node:zlib";

export interface ZipSource {
  readonly name: string;
  readonly text: string;
  readonly method?: "stored" | "deflated";
}

export interface ZipShape {
  /** Bytes before the zip data in the same file; the recorded offsets exclude them. */
  readonly prefix?: Buffer;
  readonly comment?: string;
  /** Uses ZIP64: stores the values in 64-bit fields, and sets all bits of the short fields. */
  readonly isLarge?: boolean;
}

export function zipOf(sources: readonly ZipSource[], shape: ZipShape = {}): Buffer {
  const { prefix = Buffer.alloc(0), comment = "", isLarge = false } = shape;
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, text, method = "deflated" } of sources) {
    const content = Buffer.from(text);
    const packed = method === "stored" ? content : deflateRawSync(content);
    const common = Buffer.alloc(10);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(method === "stored" ? 0 : 8, 4);
    const sums = Buffer.alloc(12);
    sums.writeUInt32LE(crc32(content), 0);
    sums.writeUInt32LE(isLarge ? 0xffffffff : packed.length, 4);
    sums.writeUInt32LE(isLarge ? 0xffffffff : content.length, 8);
    const extra = isLarge ? extraOf(content.length, packed.length, at) : Buffer.alloc(0);
    // The local extra field is longer than the central one, as in jars from Java tools.
    const localExtra = Buffer.concat([extra, Buffer.from([0xfe, 0xca, 0, 0])]);
    const file = Buffer.concat([
      Buffer.from("PK\u0003\u0004", "latin1"),
      common,
      sums,
      shorts(Buffer.byteLength(name), localExtra.length),
      Buffer.from(name),
      localExtra,
      packed,
    ]);
    files.push(file);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(isLarge ? 0xffffffff : at, 10);
    directory.push(
      Buffer.from("PK\u0001\u0002", "latin1"),
      shorts(20),
      common,
      sums,
      shorts(Buffer.byteLength(name), extra.length),
      place,
      Buffer.from(name),
      extra,
    );
    at += file.length;
  }
  const central = Buffer.concat(directory);
  const ends = isLarge ? largeEnd(sources.length, central.length, at) : Buffer.alloc(0);
  const end = endOf(
    isLarge ? 0xffff : sources.length,
    isLarge ? 0xffffffff : central.length,
    isLarge ? 0xffffffff : at,
    comment,
  );
  return Buffer.concat([prefix, ...files, central, ends, end]);
}

/** Returns the end record, which locates the central directory. */
export function endOf(count: number, length: number, start: number, comment = ""): Buffer {
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006", "latin1");
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(length, 12);
  end.writeUInt32LE(start, 16);
  end.writeUInt16LE(Buffer.byteLength(comment, "latin1"), 20);
  return Buffer.concat([end, Buffer.from(comment, "latin1")]);
}

function largeEnd(count: number, length: number, start: number): Buffer {
  const end = Buffer.alloc(56);
  end.write("PK\u0006\u0006", "latin1");
  end.writeBigUInt64LE(44n, 4);
  end.writeBigUInt64LE(BigInt(count), 24);
  end.writeBigUInt64LE(BigInt(count), 32);
  end.writeBigUInt64LE(BigInt(length), 40);
  end.writeBigUInt64LE(BigInt(start), 48);
  const locator = Buffer.alloc(20);
  locator.write("PK\u0006\u0007", "latin1");
  locator.writeBigUInt64LE(BigInt(start + length), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([end, locator]);
}

function extraOf(size: number, packedSize: number, at: number): Buffer {
  // A reader must skip this other extra field before the ZIP64 field.
  const extra = Buffer.alloc(4 + 3 + 4 + 24);
  extra.writeUInt16LE(0x5455, 0);
  extra.writeUInt16LE(3, 2);
  extra.writeUInt16LE(1, 7);
  extra.writeUInt16LE(24, 9);
  extra.writeBigUInt64LE(BigInt(size), 11);
  extra.writeBigUInt64LE(BigInt(packedSize), 19);
  extra.writeBigUInt64LE(BigInt(at), 27);
  return extra;
}

function shorts(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  values.forEach((value, index) => bytes.writeUInt16LE(value, 2 * index));
  return bytes;
}
