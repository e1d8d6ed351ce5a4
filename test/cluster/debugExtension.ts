import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createVSIX } from "@vscode/vsce";
import { installDebugpy } from "../../src/storage/debugger/installDebugpy.ts";

const manifest = {
  name: "debugpy",
  publisher: "ms-python",
  version: "1.0.0",
  engines: { vscode: "^1.106.0" },
  main: "./main.js",
  activationEvents: ["onDebugResolve:debugpy"],
  contributes: {
    debuggers: [{ type: "debugpy", label: "Python Debugger", languages: ["python"] }],
    breakpoints: [{ language: "python" }],
  },
};

// Connects to the adapter that listens in the pod, as the real Python Debugger does.
const main = `const { debug, DebugAdapterServer } = require("vscode");
exports.activate = ({ subscriptions }) => {
  subscriptions.push(
    debug.registerDebugAdapterDescriptorFactory("debugpy", {
      createDebugAdapterDescriptor: ({ configuration: { connect } }) =>
        new DebugAdapterServer(connect.port, connect.host),
    }),
  );
};
`;

/**
 * Builds a .vsix that replaces the Python Debugger, and returns its path. The extension has debugpy in the same folder
 * as the original, and an adapter factory that connects to the address of an attach configuration. All files are
 * written to `folder`.
 */
export async function makeDebugExtension(folder: string): Promise<string> {
  const extension = join(folder, "extension");
  const libraries = join(extension, "bundled/libs");
  await mkdir(libraries, { recursive: true });
  const options = { pythons: ["python3"], environment: process.env };
  const installed = await installDebugpy(folder, options, AbortSignal.timeout(120_000));
  if (!installed.ok) throw new Error(installed.error);
  await cp(installed.value, join(libraries, "debugpy"), { recursive: true });
  await writeFile(join(extension, "package.json"), JSON.stringify(manifest));
  await writeFile(join(extension, "main.js"), main);
  await writeFile(join(extension, "LICENSE"), "For tests.\n");
  const packagePath = join(folder, "debugpy.vsix");
  await createVSIX({
    cwd: extension,
    packagePath,
    allowMissingRepository: true,
    skipLicense: true,
  });
  return packagePath;
}
