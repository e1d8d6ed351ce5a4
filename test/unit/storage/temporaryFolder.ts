import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";

/** Creates a temporary folder, and deletes it after the test. */
export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "storage-"));
  t.after(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}
