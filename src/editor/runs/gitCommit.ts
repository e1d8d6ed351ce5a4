import { extensions, workspace, type Uri } from "vscode";
import { fieldsOf, itemsOf, textOf } from "../../base/json.ts";
import type { RunCommit } from "../../spark/history/runRecord.ts";

/**
 * Returns the current commit of a folder's repository, by default of the first workspace folder. Uses VS Code's Git
 * extension and starts no process. Undefined without this extension, without a repository, and in an untrusted
 * workspace.
 */
export async function gitCommitOf(folder: Uri | undefined): Promise<RunCommit | undefined> {
  const place = folder ?? workspace.workspaceFolders?.[0]?.uri;
  const git = extensions.getExtension("vscode.git");
  if (place === undefined || git === undefined || !workspace.isTrusted) return undefined;
  const api: unknown = callOf(await git.activate(), "getAPI", 1);
  const state = fieldsOf(fieldsOf(callOf(api, "getRepository", place))["state"]);
  const head = fieldsOf(state["HEAD"]);
  const commit = textOf(head["commit"]);
  if (commit === undefined) return undefined;
  const changes = ["workingTreeChanges", "indexChanges", "mergeChanges", "untrackedChanges"];
  return {
    commit,
    branch: textOf(head["name"]),
    isDirty: changes.some((name) => itemsOf(state[name]).length > 0),
  };
}

/** Calls a method of another extension. Undefined if the object lacks the method, or if the method throws. */
function callOf(object: unknown, name: string, argument: unknown): unknown {
  const method: unknown = fieldsOf(object)[name];
  if (typeof method !== "function") return undefined;
  try {
    return Reflect.apply(method, object, [argument]) as unknown;
  } catch {
    return undefined;
  }
}
