import type { LocalFiles } from "../../spark/submit/conf/localFiles.ts";

/**
 * Restricts `files` to paths inside the folder, after symbolic links are resolved. Other paths count as missing;
 * without a `folder`, all paths do. This is necessary because an assistant chooses the paths, and error messages can
 * quote file content. `canonical` is not restricted.
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
