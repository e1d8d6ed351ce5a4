import { FileType, l10n, Uri, workspace } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import { isSparkConf } from "../../spark/conf/parse/isSparkConf.ts";
import { window } from "../ui/window.ts";
import type { AnswerMemory } from "./answerMemory.ts";
import type { AskingCommand } from "./askingTitle.ts";
import type { Choice, ResolvedAnswer } from "./multiStep.ts";
import { labelOfResource } from "./submissionAnswers.ts";
import { resolveFile } from "./resolveFile.ts";

export interface SubmissionQuestionOptions {
  readonly asking: AskingCommand;
  readonly connection: Connection;
  readonly namespace: string;
  readonly memory: AnswerMemory;
  /** The file that the command was called on. */
  readonly file: Uri | undefined;
  /** The application, if the command does not prompt for it. */
  readonly program: Uri | undefined;
  /** Text prefilled in the prompt for the application. */
  readonly typed: string | undefined;
}

export const fileChoice = (uri: Uri): Choice => ({
  label: workspace.asRelativePath(uri),
  value: uri.fsPath,
});

/** Returns a choice for an earlier answer. */
export const recentFile = (value: string): Choice => ({
  label: labelOfResource(value, (path) => workspace.asRelativePath(path)),
  value,
});

/** Returns a row that is always shown, so that Enter on an unmatched name opens a file dialog. */
export const browseFor = (title: string, extensions: readonly string[]): Choice => ({
  label: l10n.t("Browse…"),
  value: "\0browse",
  alwaysShow: true,
  browse: async () => {
    const filters = { [extensions.map((each) => `*.${each}`).join(", ")]: [...extensions] };
    const chosen = await window.showOpenDialog({ title, filters });
    return chosen?.[0]?.fsPath;
  },
});

/** Returns the command's file, else the active editor's file, if it is a Python file or a jar. Empty otherwise. */
export function currentFile(file: Uri | undefined): readonly Choice[] {
  const uri = file ?? window.activeTextEditor?.document.uri;
  if (uri?.scheme !== "file" || !/\.(?:py|jar)$/i.test(uri.path)) return [];
  return [
    {
      label: workspace.asRelativePath(uri),
      value: uri.fsPath,
      description: l10n.t("current file"),
    },
  ];
}

export interface FoundFiles {
  readonly applications: readonly Uri[];
  readonly propertiesFiles: readonly Uri[];
}

export async function findFiles(file: Uri | undefined): Promise<FoundFiles> {
  const find = (pattern: string): Thenable<Uri[]> => workspace.findFiles(pattern, notSources, 50);
  const [applications, named, others] = await Promise.all([
    find("**/*.{py,jar}"),
    find("**/{spark-defaults*.conf,spark.properties,*.spark.{conf,properties}}"),
    find("**/*.{conf,properties}"),
  ]);
  const areConf = await Promise.all(others.map(holdsSettings));
  const conf = [...named, ...others.filter((_, index) => areConf[index])];
  const isConf = file !== undefined && !/\.(?:py|jar)$/i.test(file.path);
  return {
    applications: byPath(applications),
    propertiesFiles: byPath(isConf ? [file, ...conf] : conf),
  };
}

// In bytes. Larger files are not read, because they are unlikely to be conf files.
const maxConfBytes = 64 * 1024;

/**
 * True if at least half of the properties in the first lines of the file are `spark.*`. False for a large or unreadable
 * file.
 */
async function holdsSettings(uri: Uri): Promise<boolean> {
  try {
    if ((await workspace.fs.stat(uri)).size > maxConfBytes) return false;
    return isSparkConf(new TextDecoder().decode(await workspace.fs.readFile(uri)));
  } catch {
    return false;
  }
}

const notSources = "**/{node_modules,.venv,venv,site-packages,.git}/**";

/** Finds the path of the file that the user means. `missing`: the error message if no file matches. */
export async function resolveInWorkspace(
  text: string,
  files: readonly Uri[],
  missing: string,
): Promise<ResolvedAnswer> {
  const folders = (workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  const isAbsolute = /^(?:[/\\]|[a-z]:[/\\]|file:)/i.test(text);
  const uris = isAbsolute
    ? [text.startsWith("file:") ? Uri.parse(text) : Uri.file(text)]
    : folders.map((folder) => Uri.joinPath(folder, text));
  const resolved = await resolveFile(
    text,
    uris.map(({ fsPath }) => fsPath),
    files.map((uri) => ({
      path: uri.fsPath,
      relativePath: workspace.asRelativePath(uri).replaceAll("\\", "/"),
    })),
    isFile,
  );
  switch (resolved.kind) {
    case "found":
      return { value: resolved.path };
    case "several":
      return { fault: l10n.t("{0} files have this name. Choose one.", resolved.count) };
    case "missing":
      return { fault: missing };
    default:
      return assertNever(resolved);
  }
}

async function isFile(path: string): Promise<boolean> {
  try {
    return ((await workspace.fs.stat(Uri.file(path))).type & FileType.File) !== 0;
  } catch {
    return false;
  }
}

function byPath(uris: readonly Uri[]): readonly Uri[] {
  const unique = new Map(uris.map((uri) => [uri.fsPath, uri]));
  return [...unique.values()].sort((a, b) => a.path.localeCompare(b.path));
}
