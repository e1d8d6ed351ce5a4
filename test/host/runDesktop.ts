// `npm run test:desktop`: runs the suites of `inside/` in the newest and the oldest desktop build of VS Code. Needs a
// display and, the first time, a network.
import { downloadAndUnzipVSCode, runTests, TestRunFailedError } from "@vscode/test-electron";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { bundleInside } from "./bundleInside.ts";
import { confWorkspace } from "./confWorkspace.ts";
import { outFolder, projectRoot } from "./places.ts";

const tests = await bundleInside("extensionHost");
const failed: string[] = [];
for (const version of ["stable", await oldestVersion()]) {
  console.log(`desktop VS Code, ${version}`);
  const complaint = await runOn(version);
  if (complaint !== undefined) failed.push(`${version}: ${complaint}`);
}
for (const line of failed) console.error(line);
process.exitCode = failed.length === 0 ? 0 : 1;

/** Runs the tests in a version of desktop VS Code. Returns the reason for a failure; undefined if they passed. */
async function runOn(version: string): Promise<string | undefined> {
  let executable: string;
  try {
    executable = await downloadAndUnzipVSCode({ version, cachePath: join(outFolder, "desktop") });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return (
      `VS Code could not be downloaded (${why}). This run needs a network once; ` +
      "on Linux x64, `npm test` runs the same suite in a VS Code from the npm registry."
    );
  }
  const folder = await mkdtemp(join(tmpdir(), "spark-k8s-desktop-"));
  try {
    const workspace = join(folder, "workspace");
    for (const [name, text] of Object.entries(confWorkspace)) {
      await mkdir(dirname(join(workspace, name)), { recursive: true });
      await writeFile(join(workspace, name), text);
    }
    await runTests({
      vscodeExecutablePath: executable,
      extensionDevelopmentPath: projectRoot,
      extensionTestsPath: tests,
      launchArgs: [
        workspace,
        "--disable-extensions",
        "--disable-workspace-trust",
        ...["--user-data-dir", join(folder, "user")],
        ...["--extensions-dir", join(folder, "extensions")],
      ],
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof TestRunFailedError)) throw error;
    return `the suite failed, exit code ${error.code ?? "none"}, signal ${error.signal ?? "none"}`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the minimum version of VS Code in package.json, without the caret. */
async function oldestVersion(): Promise<string> {
  const manifest = await readFile(join(projectRoot, "package.json"), "utf8");
  const version = /"vscode": "\^?(?<version>\d+\.\d+\.\d+)"/.exec(manifest)?.groups?.["version"];
  if (version === undefined) throw new Error("package.json declares no engine");
  return version;
}
