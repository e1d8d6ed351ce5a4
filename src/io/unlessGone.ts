import { stat } from "node:fs/promises";
import { systemCode } from "./systemCode.ts";

/** Returns the result of a read; undefined if the file or one of its folders does not exist. Rethrows other errors. */
export async function unlessGone<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (systemCode(error) === "ENOENT" || systemCode(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

export const isThere = async (path: string): Promise<boolean> =>
  (await unlessGone(stat(path))) !== undefined;
