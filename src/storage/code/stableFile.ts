import { constants } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
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

/** Returns the state of a readable regular file. Throws a CodeFailure for anything else. */
export async function stateOfFile(path: string): Promise<FileState> {
  return failingAsCode(path, async () => {
    const file = await openFile(path);
    try {
      return await openFileState(file, path);
    } finally {
      await file.close();
    }
  });
}

/**
 * Reads a consistent copy of a file. If the file changes meanwhile, reads it again, at most four times in total. Throws
 * a CodeFailure. `onSize` is called before each attempt, and may throw to prevent the read.
 */
export async function readStableFile(
  path: string,
  onSize: (size: number) => void = () => undefined,
): Promise<StableFile> {
  return failingAsCode(path, async () => {
    const file = await openFile(path);
    try {
      for (let attempt = 0; attempt < attempts; attempt += 1) {
        const before = await openFileState(file, path);
        onSize(before.size);
        const bytes = await readFrom(file, before.size);
        const after = await openFileState(file, path);
        if (bytes.length === after.size && isSameState(before, after)) return { ...after, bytes };
      }
    } finally {
      await file.close();
    }
    throw new CodeFailure(path, "it changed while it was read. Try again when it is complete.");
  });
}

// Without O_NONBLOCK, opening a named pipe waits for its other end. Windows does not have the flag.
const openFlags = constants.O_RDONLY | ((constants as Partial<typeof constants>).O_NONBLOCK ?? 0);

export const openFile = (path: string): Promise<FileHandle> => open(path, openFlags);

/** Returns the state of an open file. Throws a CodeFailure unless it is a regular file. */
export async function openFileState(file: FileHandle, path: string): Promise<FileState> {
  const found = await file.stat();
  if (found.isDirectory()) throw new CodeFailure(path, isFolder);
  if (!found.isFile()) throw new CodeFailure(path, "it is not a regular file.");
  const { size, mtimeMs, mode } = found;
  return { size, modifiedMs: mtimeMs, isExecutable: (mode & 0o111) !== 0 };
}

const isFolder = "it is a folder. List its files instead.";

export const isSameState = (
  a: Pick<FileState, "size" | "modifiedMs">,
  b: Pick<FileState, "size" | "modifiedMs">,
): boolean => a.size === b.size && a.modifiedMs === b.modifiedMs;

// Reads one byte more than expected, to notice a file that grows.
async function readFrom(file: FileHandle, size: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(size + 1);
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, filled);
    filled += bytesRead;
    // A regular file gives a short read only at its end.
    if (bytesRead === 0 || filled === size) break;
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
  EACCES: "you do not have permission to read it.",
  EPERM: "you do not have permission to read it.",
  EISDIR: isFolder,
  ELOOP: "it is a symbolic link in a loop.",
};
