import type { LocalFiles } from "../../spark/submit/conf/localFiles.ts";

/**
 * Restricts `files` to paths inside the folder, after links are resolved. Other paths seem not to exist; if `folder` is
 * undefined, no path exists. An assistant names paths, and a message about a file's content would show a part of it.
 */
export function filesInside(files: LocalFiles, folder: string | undefined): LocalFiles {
  const root =
    folder === undefined
      ? undefined
      : files.canonical(folder).replaceAll("\\", "/").replace(/\/*$/, "/");
  const isBelow = (path: string): boolean =>
    root !== undefined && `${files.canonical(path).replaceAll("\\", "/")}/`.startsWith(root);
  return {
    kind: (path) => (isBelow(path) ? files.kind(path) : undefined),
    text: (path) => (isBelow(path) ? files.text(path) : undefined),
    base64: (path) => (isBelow(path) ? files.base64(path) : undefined),
    names: (path) => (isBelow(path) ? files.names(path) : []),
    canonical: (path) => files.canonical(path),
    zipText: (path, entry) => (isBelow(path) ? files.zipText(path, entry) : undefined),
  };
}
