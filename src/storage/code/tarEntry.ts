// POSIX.1-2001, "pax Interchange Format" and "ustar Interchange Format".
const blockBytes = 512;
const maxShortName = 100;
const maxShortSize = 8 ** 11 - 1;
// tar warns about implausibly old times, so use 1980.
const modified = Date.UTC(1980, 0, 1) / 1_000;

/** The end of an archive: two blocks of zeros. */
export const tarEnd = Buffer.alloc(2 * blockBytes);

/** Returns the ustar header of a regular file. If the name or the size needs it, a pax extended header precedes it. */
export function tarHeader(name: string, size: number, isExecutable: boolean): Buffer {
  const mode = isExecutable ? 0o555 : 0o444;
  const records = [
    ...(Buffer.byteLength(name) > maxShortName || /[^ -~]/.test(name)
      ? [paxRecord("path", name)]
      : []),
    ...(size > maxShortSize ? [paxRecord("size", String(size))] : []),
  ];
  const short = shortened(name);
  const header = ustar(short, { size: Math.min(size, maxShortSize), mode, type: "0" });
  if (records.length === 0) return header;
  const extended = Buffer.from(records.join(""));
  const extendedHeader = ustar("PaxHeader", { size: extended.length, mode: 0o444, type: "x" });
  return Buffer.concat([extendedHeader, extended, tarPadding(extended.length), header]);
}

/** Returns the zeros that fill the last block of a file's content. `size`: size of the content in bytes. */
export const tarPadding = (size: number): Buffer =>
  Buffer.alloc((blockBytes - (size % blockBytes)) % blockBytes);

// Cuts a long name at a character boundary, so that it stays valid UTF-8.
function shortened(name: string): string {
  let short = name;
  while (Buffer.byteLength(short) > maxShortName) short = Array.from(short).slice(0, -1).join("");
  return short;
}

function ustar(
  name: string,
  { size, mode, type }: { readonly size: number; readonly mode: number; readonly type: string },
): Buffer {
  const header = Buffer.alloc(blockBytes);
  header.write(name, 0);
  header.write(octal(mode, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(size, 12), 124);
  header.write(octal(modified, 12), 136);
  header.write(" ".repeat(8), 148);
  header.write(type, 156);
  header.write("ustar\u000000", 257);
  header.write(octal(0, 8), 329);
  header.write(octal(0, 8), 337);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\u0000 `, 148);
  return header;
}

const octal = (value: number, width: number): string =>
  `${value.toString(8).padStart(width - 1, "0")}\u0000`;

/** Returns the pax record `LENGTH KEY=VALUE\n`. LENGTH is the size of the record in bytes, including its own digits. */
function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  const bytes = Buffer.byteLength(rest);
  let length = bytes + 1;
  while (bytes + String(length).length !== length) length = bytes + String(length).length;
  return `${length}${rest}`;
}
