import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { err, ok, type Result } from "../../base/result.ts";
import { ownFolder } from "../../io/ownFolder.ts";
import { replaceFile } from "../../io/replaceFile.ts";
import type { PythonDebugger } from "../../spark/submit/debug/debugRequest.ts";
import { debuggerArchive, debugpyVersion, ownModulesId } from "./debuggerArchive.ts";
import { installDebugpy, pinnedVersion, type InstallOptions } from "./installDebugpy.ts";

export interface DebuggerOptions extends InstallOptions {
  /** Created if it is missing. Only this user may read it. */
  readonly cacheFolder: string;
}

/** Creates archives of debugpy for pods, and caches them by version. */
export interface PythonDebuggers {
  /**
   * Returns the archive of a `debugpy` package folder, such as the one in the Python Debugger extension. Undefined if
   * the folder does not contain debugpy.
   */
  fromFolder(folder: string): Promise<PythonDebugger | undefined>;
  /** Returns the cached archive of the pinned version; undefined if it was never downloaded. */
  downloaded(): Promise<PythonDebugger | undefined>;
  /** Downloads the pinned version and caches its archive. Returns the reason if that fails. */
  download(signal: AbortSignal): Promise<Result<PythonDebugger, string>>;
}

export function pythonDebuggers(options: DebuggerOptions): PythonDebuggers {
  const { cacheFolder } = options;
  const pathOf = (version: string): string =>
    join(cacheFolder, `debugpy-${version}-${ownModulesId}.tar.gz`);
  const cached = async (version: string): Promise<PythonDebugger | undefined> => {
    try {
      return debuggerOf(version, await readFile(pathOf(version)));
    } catch {
      return undefined;
    }
  };
  const build = async (version: string, folder: string): Promise<PythonDebugger> => {
    const archive = await debuggerArchive(folder);
    await ownFolder(cacheFolder);
    await replaceFile(pathOf(version), (part) => writeFile(part, archive, { mode: 0o600 }));
    return debuggerOf(version, archive);
  };
  return {
    fromFolder: async (folder) => {
      const version = await debugpyVersion(folder);
      if (version === undefined) return undefined;
      return (await cached(version)) ?? build(version, folder);
    },
    downloaded: () => cached(pinnedVersion),
    download: async (signal) => {
      await ownFolder(cacheFolder);
      const own = await mkdtemp(join(cacheFolder, "unfinished-"));
      try {
        const installed = await installDebugpy(own, options, signal);
        if (!installed.ok) return installed;
        const version = await debugpyVersion(installed.value);
        return version === pinnedVersion
          ? ok(await build(pinnedVersion, installed.value))
          : err("the downloaded package has an unexpected version");
      } finally {
        await rm(own, { recursive: true, force: true });
      }
    },
  };
}

const debuggerOf = (version: string, archive: Buffer): PythonDebugger => ({
  version,
  size: archive.length,
  base64: archive.toString("base64"),
});
