import { readFile } from "node:fs/promises";
import { systemCode } from "../systemCode.ts";

/** The text of a file; undefined if there is none. Any other failure is thrown as the system gave it. */
export async function readOptionalText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}
