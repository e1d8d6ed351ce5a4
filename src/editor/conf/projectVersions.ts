import { EventEmitter, FileType, Uri, workspace, type Event } from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import {
  newestSparkVersion,
  toSparkVersion,
  type SparkVersion,
} from "../../spark/conf/catalogue/sparkVersions.ts";
import { buildFiles, gradleProperties } from "../../spark/surfaces/buildVersions.ts";
import { settingsSection } from "../ids.ts";
import { sparkVersionSetting } from "./confIds.ts";
import type { ConfHelp } from "./door.ts";

/** A Spark version and its source. */
interface KnownVersion {
  readonly version: SparkVersion;
  readonly from:
    | { readonly kind: "setting" }
    | { readonly kind: "file"; readonly uri: Uri }
    /** The default: the newest known version. */
    | { readonly kind: "newest" };
}

/** Maximum size in bytes of a build file. Larger files are ignored. */
const maxFileBytes = 4_000_000;

/**
 * Determines the Spark version of workspace documents that name no version. It comes from the setting, or from the
 * nearest build file in their folder or a parent folder.
 */
export class ProjectVersions implements Disposable {
  readonly #owned = new DisposableStore();
  readonly #changed = this.#owned.add(new EventEmitter<void>());
  readonly #help: () => Promise<ConfHelp>;
  #folders = new Map<string, Promise<KnownVersion | undefined>>();
  #found = new Map<string, KnownVersion | undefined>();

  constructor(help: () => Promise<ConfHelp>) {
    this.#help = help;
    const names = [...buildFiles, gradleProperties].map((path) => path.replace(/^.*\//, ""));
    const watcher = this.#owned.add(
      workspace.createFileSystemWatcher(`**/{${[...new Set(names)].join(",")}}`),
    );
    for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete]) {
      this.#owned.add(
        event(() => {
          this.#folders = new Map();
          this.#found = new Map();
          this.#changed.fire();
        }),
      );
    }
  }

  /** Fires when a build file was created, changed or deleted, after the cached versions were cleared. */
  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  /** Reads the build files of a document's folders, unless they are cached. */
  async learn(uri: Uri): Promise<void> {
    for (const folder of foldersAbove(uri)) {
      const name = folder.toString();
      const reading = this.#folders.get(name) ?? this.#read(folder);
      this.#folders.set(name, reading);
      const found = await reading;
      if (this.#folders.get(name) === reading) this.#found.set(name, found);
      if (found !== undefined) return;
    }
  }

  /** Returns the version from the setting or from the cached build files, else the newest version. */
  versionOf(uri: Uri): KnownVersion {
    const chosen = chosenVersion(uri);
    if (chosen !== undefined) return { version: chosen, from: { kind: "setting" } };
    for (const folder of foldersAbove(uri)) {
      const found = this.#found.get(folder.toString());
      if (found !== undefined) return found;
    }
    return { version: newestSparkVersion, from: { kind: "newest" } };
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #read(folder: Uri): Promise<KnownVersion | undefined> {
    const { versionOfBuild } = await this.#help();
    const names = await namesIn(folder);
    const text = (path: string): Promise<string> =>
      names.has(path.split("/")[0] ?? "")
        ? textOf(Uri.joinPath(folder, path))
        : Promise.resolve("");
    for (const file of buildFiles) {
      const content = await text(file);
      if (content === "") continue;
      const version = versionOfBuild(file, content, await text(gradleProperties));
      if (version !== undefined) {
        return { version, from: { kind: "file", uri: Uri.joinPath(folder, file) } };
      }
    }
    return undefined;
  }
}

/** Returns the version in the user, workspace or folder settings. Ignores the default of the setting. */
function chosenVersion(uri: Uri): SparkVersion | undefined {
  const setting = workspace.getConfiguration(settingsSection, uri).inspect(sparkVersionSetting);
  const value: unknown =
    setting?.workspaceFolderValue ?? setting?.workspaceValue ?? setting?.globalValue;
  return typeof value === "string" ? toSparkVersion(value) : undefined;
}

/** Returns the folders from the file's folder up to the workspace folder. Empty outside the workspace. */
function foldersAbove(uri: Uri): readonly Uri[] {
  const root = workspace.getWorkspaceFolder(uri)?.uri;
  if (root === undefined) return [];
  const folders: Uri[] = [];
  let folder = Uri.joinPath(uri, "..");
  while (folder.path.length > root.path.length) {
    folders.push(folder);
    folder = Uri.joinPath(folder, "..");
  }
  return [...folders, root];
}

const namesIn = (folder: Uri): Promise<ReadonlySet<string>> =>
  Promise.resolve(workspace.fs.readDirectory(folder)).then(
    (entries) => new Set(entries.map(([name]) => name)),
    // Documents may be in folders that do not exist yet.
    () => new Set<string>(),
  );

async function textOf(uri: Uri): Promise<string> {
  const stat = await Promise.resolve(workspace.fs.stat(uri)).then(
    (found) => found,
    // The file may not exist.
    () => undefined,
  );
  if (stat === undefined || (stat.type & FileType.File) === 0 || stat.size > maxFileBytes)
    return "";
  return new TextDecoder().decode(await workspace.fs.readFile(uri));
}
