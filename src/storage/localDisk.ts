import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import type { LocalFiles } from "../spark/submit/conf/localFiles.ts";
import { systemCode } from "../io/systemCode.ts";
import { readZipEntry } from "./zipEntry.ts";

/** The file system of the extension host. Unreadable paths behave as if they did not exist. */
export const localDisk: LocalFiles = {
  kind: (path) =>
    ifReadable(() => {
      const found = statSync(path, { throwIfNoEntry: false });
      return found?.isFile() ? "file" : found?.isDirectory() ? "directory" : undefined;
    }),
  text: (path) => {
    const bytes = readBytes(path);
    if (bytes === undefined) return undefined;
    const text = bytes.toString("utf8");
    return { text, isUtf8: Buffer.from(text).equals(bytes), byteLength: bytes.length };
  },
  base64: (path) => readBytes(path)?.toString("base64"),
  names: (directory) =>
    localDisk.kind(directory) === "directory"
      ? (ifReadable(() => readdirSync(directory).sort()) ?? [])
      : [],
  canonical: (path) => canonical(normalize(path)),
  zipText: (path, entry) =>
    localDisk.kind(path) === "file"
      ? ifReadable(() => readZipEntry(path, entry))?.toString("utf8")
      : undefined,
};

function readBytes(path: string): Buffer | undefined {
  return localDisk.kind(path) === "file" ? ifReadable(() => readFileSync(path)) : undefined;
}

// Like Java's getCanonicalPath: missing path segments and broken links stay as written.
function canonical(path: string): string {
  const real = ifReadable(() => realpathSync(path));
  if (real !== undefined) return real;
  const parent = dirname(path);
  return parent === path ? path : join(canonical(parent), basename(path));
}

/** Returns undefined on any system error, such as a missing permission, a long file name or a large file. */
function ifReadable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}
