import { randomUUID } from "node:crypto";
import { access, constants, rename, rm } from "node:fs/promises";
import { saveText } from "./logs/saveText.ts";
import { systemCode } from "./systemCode.ts";

/** Writes a text to a file, which stays as it was until the text is whole: half of it would be taken for all. */
export async function saveWhole(
  path: string,
  pieces: AsyncIterable<string>,
  signal: AbortSignal,
): Promise<void> {
  await expectWritable(path);
  const part = `${path}.${randomUUID().slice(0, 8)}.part`;
  try {
    await saveText(part, pieces, signal);
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** To take the name of a file takes no right to write to it, which whoever protects one does not expect. */
async function expectWritable(path: string): Promise<void> {
  try {
    await access(path, constants.W_OK);
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
  }
}
