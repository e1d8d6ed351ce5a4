import { promisify } from "node:util";
import { crc32, deflateRaw } from "node:zlib";
import type { WorkSlices } from "./code/slices.ts";

export interface ZipMember {
  /** Path in the archive, with `/` as separator. A folder ends with `/` and has no bytes. */
  readonly name: string;
  readonly bytes: Buffer;
}

// PKWARE's APPNOTE, sections 4.3.7, 4.3.12 and 4.3.16. Dates start in 1980.
const version = 20;
const madeByUnix = 0x0300 | version;
const utf8Names = 0x0800;
const deflated = 8;
const firstDate = (1 << 5) | 1;
const fileMode = 0o100644;
const folderMode = 0o040755;
const maxMembers = 0xffff;

const deflate = promisify(deflateRaw);

/**
 * Returns a zip file with the members in the given order. All dates are 1 January 1980, so the same members give the
 * same bytes. Supports at most 65,535 members and 4 GB; throws a RangeError for more members. Compresses in Node's
 * thread pool.
 */
export async function writeZip(members: readonly ZipMember[], slices: WorkSlices): Promise<Buffer> {
  if (members.length > maxMembers) throw new RangeError("more members than a zip file can have");
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (let from = 0; from < members.length; from += deflatesAtOnce) {
    const group = members.slice(from, from + deflatesAtOnce);
    const packed = await Promise.all(group.map(({ bytes }) => deflate(bytes, { level: 6 })));
    for (const [index, { name, bytes }] of group.entries()) {
      const header = await headerOf(name, bytes, packed[index]?.length ?? 0, slices);
      const content = header.method === deflated ? (packed[index] ?? bytes) : bytes;
      parts.push(header.local, content);
      directory.push(centralOf(header, at));
      at += header.local.length + content.length;
    }
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, central, end]);
}

const deflatesAtOnce = 16;

interface Header {
  readonly name: Buffer;
  readonly method: number;
  readonly local: Buffer;
}

async function headerOf(
  text: string,
  bytes: Buffer,
  packedSize: number,
  slices: WorkSlices,
): Promise<Header> {
  const name = Buffer.from(text);
  const method = packedSize < bytes.length ? deflated : 0;
  const local = Buffer.alloc(30 + name.length);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(version, 4);
  local.writeUInt16LE(utf8Names, 6);
  local.writeUInt16LE(method, 8);
  local.writeUInt16LE(firstDate, 12);
  local.writeUInt32LE(await sumOf(bytes, slices), 14);
  local.writeUInt32LE(method === deflated ? packedSize : bytes.length, 18);
  local.writeUInt32LE(bytes.length, 22);
  local.writeUInt16LE(name.length, 26);
  name.copy(local, 30);
  return { name, method, local };
}

/**
 * Returns the entry of the central directory, which repeats most of the local header. `at`: offset of the local header.
 */
function centralOf({ name, local }: Header, at: number): Buffer {
  const isFolder = name.at(-1) === 0x2f;
  const central = Buffer.alloc(46 + name.length);
  central.writeUInt32LE(0x02014b50, 0);
  central.writeUInt16LE(madeByUnix, 4);
  local.copy(central, 6, 4, 30);
  central.writeUInt32LE(((isFolder ? folderMode : fileMode) << 16) >>> 0, 38);
  central.writeUInt32LE(at, 42);
  name.copy(central, 46);
  return central;
}

const sumChunk = 1024 * 1024;

async function sumOf(bytes: Buffer, slices: WorkSlices): Promise<number> {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += sumChunk) {
    sum = crc32(bytes.subarray(at, at + sumChunk), sum);
    await slices.rest();
  }
  return sum;
}
