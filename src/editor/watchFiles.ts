import { RelativePattern, Uri, workspace } from "vscode";
import { DisposableStore, type Disposable } from "../base/disposable.ts";

/** Calls `changed` when one of the files is changed, created or deleted. The files may be outside the workspace. */
export function watchFiles(paths: readonly string[], changed: () => void): Disposable {
  const owned = new DisposableStore();
  for (const path of paths) {
    const file = Uri.file(path);
    const name = file.path.slice(file.path.lastIndexOf("/") + 1);
    const folder = Uri.joinPath(file, "..");
    const watcher = owned.add(workspace.createFileSystemWatcher(new RelativePattern(folder, name)));
    owned.add(watcher.onDidChange(changed));
    owned.add(watcher.onDidCreate(changed));
    owned.add(watcher.onDidDelete(changed));
  }
  return owned;
}
