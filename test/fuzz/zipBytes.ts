import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readZipEntry } from "../../src/storage/zipEntry.ts";

/** The reader needs a file, because an application's jar may be large. */
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
