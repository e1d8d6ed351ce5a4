import { workspace, type Uri } from "vscode";
import { fileNameOf, fileOfFrame, type TraceFrame } from "../../spark/logs/traceFrames.ts";

// Search results are cached for this time, in ms.
const freshMs = 30_000;
const maxFiles = 50;
const notTheProgram = "**/{node_modules,target,build,.venv,venv,site-packages,dist-packages}/**";
// Maximum number of cached file names. Logs name many files of Spark and Java.
const maxNames = 500;
// The maximum length of a file name on most file systems.
const maxNameLength = 255;

/** Finds the workspace file of a stack frame. Never returns files outside the workspace. */
export class WorkspaceFiles {
  readonly #now: () => number;
  readonly #found = new Map<
    string,
    { readonly at: number; readonly files: Promise<readonly Uri[]> }
  >();

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Returns the file that shares the most trailing path segments with the frame, at least `least`. Undefined if there
   * is none or the result is ambiguous.
   */
  async find(frame: TraceFrame, least = 1): Promise<Uri | undefined> {
    const name = fileNameOf(frame.path);
    if (name === "" || name.length > maxNameLength) return undefined;
    const files = await this.#named(name);
    const paths = new Map(files.map((uri) => [uri.path, uri]));
    const path = fileOfFrame(frame, [...paths.keys()], least);
    return path === undefined ? undefined : paths.get(path);
  }

  #named(name: string): Promise<readonly Uri[]> {
    const now = this.#now();
    const known = this.#found.get(name);
    if (known && known.at + freshMs > now) return known.files;
    this.#found.delete(name);
    // Replace characters that may have a meaning in a glob with "?". `fileOfFrame` then compares the exact path.
    const pattern = `**/${name.replaceAll(/[^\p{L}\p{M}\p{N}_. -]/gu, "?")}`;
    const files = Promise.resolve(workspace.findFiles(pattern, notTheProgram, maxFiles)).then(
      (found) => found.filter((uri) => workspace.getWorkspaceFolder(uri) !== undefined),
    );
    this.#found.set(name, { at: now, files });
    const [oldest] = this.#found.keys();
    if (this.#found.size > maxNames && oldest !== undefined) this.#found.delete(oldest);
    return files;
  }
}
