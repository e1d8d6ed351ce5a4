import { readFile } from "node:fs/promises";
import { systemCode } from "../../io/systemCode.ts";

/** Returns the text of a file; undefined if it does not exist. Throws other system errors unchanged. */
export async function readOptionalText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}
