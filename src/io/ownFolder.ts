import { chmod, mkdir } from "node:fs/promises";

/** Creates a folder, or restricts an existing one, so that only this user can read it. */
export async function ownFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // `mkdir` does not change the mode of an existing folder.
  await chmod(folder, 0o700);
}
