import { open, stat, type FileHandle } from "node:fs/promises";
import { systemCode } from "../../io/systemCode.ts";
import { CodeFailure } from "./codeFailure.ts";

export interface FileState {
  readonly size: number;
  readonly modifiedMs: number;
  readonly isExecutable: boolean;
}

export interface StableFile extends FileState {
  readonly bytes: Buffer;
}

const attempts = 4;

/** The state of a readable regular file. Throws a CodeFailure for anything else. */
export async function stateOfFile(path: string): Promise<FileState> {
  return failingAsCode(path, async () => {
    const file = await openRegular(path);
    try {
      return await stateOf(file);
    } finally {
      await file.close();
    }
  });
}

/** Reads a file as it was at one moment: again if it changes meanwhile, at most four times. Throws a CodeFailure. */
export async function readStableFile(path: string): Promise<StableFile> {
  return failingAsCode(path, async () => {
    const file = await openRegular(path);
    try {
      for (let attempt = 0; attempt < attempts; attempt += 1) {
        const before = await stateOf(file);
        const bytes = await readFrom(file, before.size);
        const after = await stateOf(file);
        if (bytes.length === after.size && isSameState(before, after)) return { ...after, bytes };
      }
    } finally {
      await file.close();
    }
    throw new CodeFailure(path, "it changes while it is read. Try again when it is complete.");
  });
}

/** Opens a regular file. A named pipe would block, so its kind is known before. */
export async function openRegular(path: string): Promise<FileHandle> {
  const found = await stat(path);
  if (found.isDirectory()) throw new CodeFailure(path, "it is a folder. Name its files.");
  if (!found.isFile()) throw new CodeFailure(path, "it is not a regular file.");
  return open(path, "r");
}

export async function stateOf(file: FileHandle): Promise<FileState> {
  const { size, mtimeMs, mode } = await file.stat();
  return { size, modifiedMs: mtimeMs, isExecutable: (mode & 0o111) !== 0 };
}

export const isSameState = (
  a: Pick<FileState, "size" | "modifiedMs">,
  b: Pick<FileState, "size" | "modifiedMs">,
): boolean => a.size === b.size && a.modifiedMs === b.modifiedMs;

// One byte more than expected, to notice a file that grows.
async function readFrom(file: FileHandle, size: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(size + 1);
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

async function failingAsCode<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined || !(error instanceof Error)) throw error;
    throw new CodeFailure(path, reasons[code] ?? `it cannot be read (${error.message}).`);
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "it does not exist.",
  ENOTDIR: "it does not exist.",
  EACCES: "permission to read it is denied.",
  EPERM: "permission to read it is denied.",
  ELOOP: "it is a symbolic link in a loop.",
};
