import { readFile } from "node:fs/promises";
import { err, ok, type Result } from "../base/result.ts";

/** The text of a file, or the system's code for why it cannot be read: `ENOENT`, `EACCES`. */
export async function readTextFile(path: string): Promise<Result<string, string>> {
  try {
    return ok(await readFile(path, "utf8"));
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    return err(code);
  }
}

/** The code of an error that the system gave; undefined for a mistake of ours. */
export const systemCode = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : undefined;
