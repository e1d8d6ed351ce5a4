import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmod,
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";

/** All inputs of the package; `.vscodeignore` selects from them. */
export const packageSources: readonly string[] = [
  ...["dist", "media", "syntaxes", "package.json", "package.nls.json", ".vscodeignore"],
  ...["README.md", "CHANGELOG.md", "LICENSE"],
];

// The earliest time of a zip entry, in seconds since the epoch: 1 January 1980.
const earliest = "315532800";

/**
 * Creates the `.vsix` from the build output, together with the bill of materials and the checksums of both. The same
 * sources give the same bytes for any folder, time, umask and time zone.
 */
export async function makePackage(root: string, vsix: string): Promise<void> {
  const stage = await mkdtemp(join(tmpdir(), "spark-k8s-package-"));
  try {
    for (const name of packageSources) {
      await cp(join(root, name), join(stage, name), { recursive: true });
    }
    await evenModes(stage);
    await mkdir(dirname(vsix), { recursive: true });
    const vsce = join(root, "node_modules/@vscode/vsce/vsce");
    const options = ["--no-dependencies", "--allow-missing-repository", "-o", vsix];
    // vsce sorts the entries by the locale and writes SOURCE_DATE_EPOCH in local time, so set the locale and the time
    // zone.
    const { SOURCE_DATE_EPOCH = earliest } = process.env;
    const env = { ...process.env, SOURCE_DATE_EPOCH, TZ: "UTC", LC_ALL: "C" };
    // The compressed bytes depend on Node's zlib, so run the pinned Node.
    const node = join(root, "node_modules/node/bin/node");
    await promisify(execFile)(node, [vsce, "package", ...options], { cwd: stage, env });
  } finally {
    await rm(stage, { recursive: true });
  }
  const sbom = vsix.replace(/\.vsix$/, ".cdx.json");
  await copyFile(join(root, "dist/sbom.cdx.json"), sbom);
  const lines = await Promise.all([vsix, sbom].map(checksumLine));
  await writeFile(`${vsix}.sha256`, lines.join(""));
}

/**
 * Sets mode 755 for all folders and 644 for all files. vsce keeps modes, and the modes of a checkout depend on the
 * umask.
 */
async function evenModes(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await evenModes(path);
    else await chmod(path, 0o644);
  }
}

/** Returns the checksum of a file as a line for `sha256sum --check`. */
async function checksumLine(path: string): Promise<string> {
  const digest = createHash("sha256")
    .update(await readFile(path))
    .digest("hex");
  return `${digest}  ${basename(path)}\n`;
}
