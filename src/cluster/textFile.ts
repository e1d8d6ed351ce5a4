import { systemCode } from "../io/systemCode.ts";
import { readFile } from "node:fs/promises";
import { err, ok, type Result } from "../base/result.ts";

/** Returns the text of a file, or the system error code: `ENOENT`, `EACCES`. */
export async function readTextFile(path: string): Promise<Result<string, string>> {
  try {
    return ok(await readFile(path, "utf8"));
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    return err(code);
  }
}
