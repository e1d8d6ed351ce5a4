import { workspace, type Uri } from "vscode";
import { fileNameOf, fileOfFrame, type TraceFrame } from "../../spark/logs/traceFrames.ts";

// What was found is believed for so long; files come and go.
const freshMs = 30_000;
const mostFiles = 50;
const notTheProgram = "**/{node_modules,target,build,.venv,venv,site-packages,dist-packages}/**";
// Logs name more files, in frames of Spark and of Java, than anybody opens.
const mostNames = 500;
// As long as a file system lets a name be.
const longestName = 255;

/** Finds the file of the workspace that a line of a trace means. Files elsewhere are never opened from a log. */
export class WorkspaceFiles {
  readonly #now: () => number;
  readonly #found = new Map<
    string,
    { readonly at: number; readonly files: Promise<readonly Uri[]> }
  >();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The file shares so many names of the frame's path at least. */
  async find(frame: TraceFrame, least = 1): Promise<Uri | undefined> {
    const name = fileNameOf(frame.path);
    if (name === "" || name.length > longestName) return undefined;
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
    // Signs may mean something in a pattern, where one stands for any; the path tells in the end.
    const pattern = `**/${name.replaceAll(/[^\p{L}\p{M}\p{N}_. -]/gu, "?")}`;
    const files = Promise.resolve(workspace.findFiles(pattern, notTheProgram, mostFiles)).then(
      (found) => found.filter((uri) => workspace.getWorkspaceFolder(uri) !== undefined),
    );
    this.#found.set(name, { at: now, files });
    const [oldest] = this.#found.keys();
    if (this.#found.size > mostNames && oldest !== undefined) this.#found.delete(oldest);
    return files;
  }
}
