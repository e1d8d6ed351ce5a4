import { stat } from "node:fs/promises";
import { systemCode } from "../systemCode.ts";

/** What is read of the disk; undefined where it is not there: another window may have dropped it. */
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
