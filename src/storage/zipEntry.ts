import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { inflateRawSync } from "node:zlib";
import { systemCode } from "../io/systemCode.ts";

// PKWARE's APPNOTE, sections 4.3.7, 4.3.12 and 4.3.14 to 4.3.16.
const endSignature = Buffer.from("PK\u0005\u0006", "latin1");
const end64Signature = 0x06064b50;
const locatorSignature = 0x07064b50;
const centralSignature = 0x02014b50;
const localSignature = 0x04034b50;
const endLength = 22;
const end64Length = 56;
const locatorLength = 20;
const centralLength = 46;
const localLength = 30;
const maxComment = 0xffff;

// Limits the bytes that are read, and the inflated size. Realistic central directories and manifests are smaller.
const maxBytes = 64 * 1024 * 1024;

/**
 * Returns the content of a zip entry. Undefined if the entry is missing, the file is not a valid zip file, or more than
 * 64 MiB would be read or inflated. Reads only the central directory and the entry, because a jar may have hundreds of
 * MB. Throws a system error if the file cannot be opened or read.
 */
export function readZipEntry(path: string, wanted: string): Buffer | undefined {
  const descriptor = openSync(path, "r");
  try {
    return new ZipFile(descriptor).entry(wanted);
  } catch (error) {
    if (isBroken(error)) return undefined;
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

// True if an offset is outside the file, a limit is exceeded, or the compressed data is invalid.
const isBroken = (error: unknown): boolean =>
  error instanceof RangeError || (systemCode(error)?.startsWith("Z_") ?? false);

interface Directory {
  readonly bytes: Buffer;
  /** Number of bytes before the zip data in the file, for example in a self-extracting archive. */
  readonly offset: number;
}

class ZipFile {
  readonly #descriptor: number;
  readonly #size: number;
  #left = maxBytes;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
    this.#size = fstatSync(descriptor).size;
  }

  entry(wanted: string): Buffer | undefined {
    const directory = this.#directory();
    if (directory === undefined) return undefined;
    const { bytes, offset } = directory;
    let at = 0;
    while (at + centralLength <= bytes.length && bytes.readUInt32LE(at) === centralSignature) {
      const nameEnd = at + centralLength + bytes.readUInt16LE(at + 28);
      const extraEnd = nameEnd + bytes.readUInt16LE(at + 30);
      if (bytes.toString("utf8", at + centralLength, nameEnd) === wanted) {
        return this.#unpack(bytes.subarray(at, extraEnd), nameEnd - at, offset);
      }
      at = extraEnd + bytes.readUInt16LE(at + 32);
    }
    return undefined;
  }

  #directory(): Directory | undefined {
    const tailAt = Math.max(0, this.#size - endLength - maxComment - locatorLength);
    const tail = this.#read(tailAt, this.#size - tailAt);
    const end = findEnd(tail);
    if (end === undefined) return undefined;
    const length = tail.readUInt32LE(end + 12);
    const start = tail.readUInt32LE(end + 16);
    const locator = end - locatorLength;
    const isLarge =
      tail.readUInt16LE(end + 10) === 0xffff || length === 0xffffffff || start === 0xffffffff;
    if (isLarge && locator >= 0 && tail.readUInt32LE(locator) === locatorSignature) {
      const end64At = wide(tail, locator + 8);
      const end64 = this.#read(end64At, end64Length);
      if (end64.readUInt32LE(0) !== end64Signature) return undefined;
      return this.#directoryBefore(end64At, wide(end64, 40), wide(end64, 48));
    }
    return this.#directoryBefore(tailAt + end, length, start);
  }

  // The directory ends where its end record starts. The recorded start is wrong if other bytes precede the zip data.
  #directoryBefore(end: number, length: number, start: number): Directory {
    const at = end - length;
    return { bytes: this.#read(at, length), offset: at - start };
  }

  #unpack(central: Buffer, nameEnd: number, offset: number): Buffer | undefined {
    const isEncrypted = (central.readUInt16LE(8) & 1) === 1;
    const method = central.readUInt16LE(10);
    const extra = central.subarray(nameEnd);
    const large = new LargeValues(extra);
    const size = large.value(central.readUInt32LE(24));
    const packedSize = large.value(central.readUInt32LE(20));
    const at = offset + large.value(central.readUInt32LE(42));
    // The local header has its own name and extra field, and the extra field's length may differ.
    const local = this.#read(at, localLength);
    if (local.readUInt32LE(0) !== localSignature || isEncrypted) return undefined;
    const start = at + localLength + local.readUInt16LE(26) + local.readUInt16LE(28);
    const packed = this.#read(start, packedSize);
    if (method === 0) return packed;
    if (method !== 8) return undefined;
    const unpacked = inflateRawSync(packed, { maxOutputLength: maxBytes });
    return unpacked.length === size ? unpacked : undefined;
  }

  #read(start: number, length: number): Buffer {
    if (start < 0 || start + length > this.#size) throw new RangeError("outside the file");
    this.#left -= length;
    if (this.#left < 0) throw new RangeError("more than is read");
    const bytes = Buffer.alloc(length);
    const count = readSync(this.#descriptor, bytes, 0, length, start);
    return bytes.subarray(0, count);
  }
}

// The archive comment may contain the signature. Only in the real end record does the comment length equal the number
// of bytes that follow.
function findEnd(tail: Buffer): number | undefined {
  let at = tail.lastIndexOf(endSignature);
  while (at >= 0) {
    const isWhole = at + endLength <= tail.length;
    if (isWhole && at + endLength + tail.readUInt16LE(at + 20) === tail.length) return at;
    at = at === 0 ? -1 : tail.lastIndexOf(endSignature, at - 1);
  }
  return undefined;
}

/**
 * Reads the 64-bit values of an entry from its ZIP64 extra field (APPNOTE 4.5.3). `value` must be called in the field's
 * order: size, compressed size, offset.
 */
class LargeValues {
  readonly #field: Buffer;
  #at = 0;

  constructor(extra: Buffer) {
    let at = 0;
    while (at + 4 <= extra.length && extra.readUInt16LE(at) !== 1) {
      at += 4 + extra.readUInt16LE(at + 2);
    }
    this.#field = extra.subarray(
      at + 4,
      at + 4 + (extra[at + 2] ?? 0) + (extra[at + 3] ?? 0) * 256,
    );
  }

  value(short: number): number {
    if (short !== 0xffffffff) return short;
    const value = wide(this.#field, this.#at);
    this.#at += 8;
    return value;
  }
}

const wide = (bytes: Buffer, at: number): number => Number(bytes.readBigUInt64LE(at));
