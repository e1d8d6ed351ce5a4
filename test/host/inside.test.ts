// Runs the suites of `inside/` in real extension hosts, and reports each of their tests as a subtest.
import assert from "node:assert/strict";
import { copyFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { bundleInside } from "./bundleInside.ts";
import { confWorkspace, surfaceWorkspace } from "./confWorkspace.ts";
import type { InsideReport } from "./insideReport.ts";
import { outFolder, projectRoot, type VersionName } from "./places.ts";
import { VscodeHost } from "./vscodeHost.ts";

const timeout = 150_000;

test("inside the newest VS Code", { timeout }, (t) => runNode(t, "newest"));
test("inside the oldest VS Code", { timeout }, (t) => runNode(t, "oldest"));
test("inside the extension host of a browser", { timeout }, async (t) => {
  const extension = await webExtension(t);
  // VS Code runs tests in the extension's host only if they are in the extension's folder.
  const tests = join(extension, "tests.cjs");
  await copyFile(await bundleInside("webWorker"), tests);
  await runIn(t, "newest", tests, extension);
});

async function runNode(t: TestContext, version: VersionName): Promise<void> {
  await runIn(t, version, await bundleInside("extensionHost"), projectRoot);
}

async function runIn(
  t: TestContext,
  version: VersionName,
  tests: string,
  extension: string,
): Promise<void> {
  const host = await VscodeHost.start({ version, extension: "development" });
  t.after(() => host.stop());
  const folder = await host.makeWorkspace({ ...confWorkspace, ...surfaceWorkspace });
  const report = await host.runInside({ folder, tests, extension });
  await tell(t, report);
}

async function tell(t: TestContext, { results, exitCode, lines }: InsideReport): Promise<void> {
  for (const { name, failure } of results) {
    await t.test(name, () => {
      if (failure !== undefined) throw failureFrom(failure);
    });
  }
  const last = lines.slice(-20).join("\n");
  assert.notEqual(results.length, 0, `no test reported back; the window logged last:\n${last}`);
  assert.notEqual(exitCode, 124, `they did not end; the window logged last:\n${last}`);
  assert.equal(
    exitCode === 0,
    results.every(({ failure }) => failure === undefined),
  );
}

/** Creates an error with the stack from the extension host, which is more useful than the local one. */
function failureFrom(stack: string): Error {
  const error = new Error(stack.split("\n", 1)[0]);
  error.stack = stack;
  return error;
}

/** Creates a copy of the extension for the browser's extension host, which requires a manifest without `main`. */
async function webExtension(t: TestContext): Promise<string> {
  await mkdir(outFolder, { recursive: true });
  const folder = await mkdtemp(join(outFolder, "web-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, "dist"));
  await copyFile(join(projectRoot, "dist/web.cjs"), join(folder, "dist/web.cjs"));
  for (const name of ["media", "syntaxes", "package.nls.json"]) {
    await cp(join(projectRoot, name), join(folder, name), { recursive: true });
  }
  const manifest: unknown = JSON.parse(await readFile(join(projectRoot, "package.json"), "utf8"));
  if (typeof manifest !== "object") throw new Error("package.json is no object");
  const text = JSON.stringify({ ...manifest, main: undefined, extensionKind: undefined });
  await writeFile(join(folder, "package.json"), text);
  return folder;
}
