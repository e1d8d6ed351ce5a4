import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const namedVersion = "4.3.0";

/** Copies the example workspace and sets its Spark version. Existing files stay unchanged. */
export async function copyExample(from: string, to: string, version: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyExample(source, target, version);
    else await copyFile(source, target, version);
  }
}

async function copyFile(source: string, target: string, version: string): Promise<void> {
  const bytes = await readFile(source);
  const isText = !source.endsWith(".jar");
  const content = isText ? bytes.toString().replaceAll(namedVersion, version) : bytes;
  await writeFile(target, content, { flag: "wx" }).catch((error: unknown) => {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  });
}
