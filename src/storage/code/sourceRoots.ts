import { basename, dirname, join, resolve } from "node:path";
import {
  foldersOfPyproject,
  foldersOfSetupCfg,
  projectFileNames,
} from "../../spark/submit/code/projectFolders.ts";
import { isBelow, type CodeTree } from "./codeTree.ts";

/**
 * Returns the folders in which Python looks for top-level modules, in order: the script's own folder, the package
 * folders that its project configures, the project's `src` folder, the project, and the workspace folder. All are in
 * the workspace.
 */
export async function sourceRootsOf(
  tree: CodeTree,
  scriptFolder: string,
): Promise<readonly string[]> {
  const isInside = isBelow(scriptFolder, tree.root);
  const project = isInside ? await projectAbove(tree, scriptFolder) : undefined;
  const folders =
    project === undefined
      ? []
      : [...(await configuredIn(tree, project)), join(project, "src"), project];
  const roots = new Set<string>(isInside ? [scriptFolder] : []);
  for (const folder of [...folders, tree.root]) {
    if (isBelow(folder, tree.root) && (await isFolder(tree, folder))) roots.add(folder);
  }
  return [...roots];
}

async function projectAbove(tree: CodeTree, folder: string): Promise<string | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    const entries = await tree.entries(at);
    if (projectFileNames.some((name) => entries.get(name) === "file")) return at;
    if (at === tree.root) return undefined;
  }
}

async function configuredIn(tree: CodeTree, project: string): Promise<readonly string[]> {
  const entries = await tree.entries(project);
  const textOf = async (name: string): Promise<string> =>
    entries.get(name) === "file"
      ? ((await tree.read(join(project, name)))?.toString("utf8") ?? "")
      : "";
  const written = [
    ...foldersOfPyproject(await textOf("pyproject.toml")),
    ...foldersOfSetupCfg(await textOf("setup.cfg")),
  ];
  return written.map((folder) => resolve(project, folder));
}

/** True if the path is a folder inside the workspace. False for a link to a folder outside. */
async function isFolder(tree: CodeTree, path: string): Promise<boolean> {
  for (let at = path; at !== tree.root; at = dirname(at)) {
    const entries = await tree.entries(dirname(at));
    if (entries.get(basename(at)) !== "folder") return false;
  }
  return true;
}
