import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readZipEntry } from "../../src/storage/zipEntry.ts";

/** Reads an entry of a zip archive through a temporary file, because `readZipEntry` accepts only files. */
export function readZipBytes(bytes: Buffer, entry: string): Buffer | undefined {
  const folder = mkdtempSync(join(tmpdir(), "fuzz-zip-"));
  try {
    const path = join(folder, "a.zip");
    writeFileSync(path, bytes);
    return readZipEntry(path, entry);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
