// The editor's variables in a run profile: `${file}`, `${env:USER}`, `${input:date}`.
import { problems } from "../problems.ts";
import type { SubmissionFinding } from "../submissionFinding.ts";

export interface Variable {
  /** `${env:USER}` */
  readonly written: string;
  /** `env` */
  readonly name: string;
  /** `USER` */
  readonly argument: string | undefined;
}

/** Every variable in the texts of a value, each once, in the order in which they stand. */
export function variablesIn(value: unknown): readonly Variable[] {
  const found = new Map<string, Variable>();
  for (const { text } of textsIn(value, [])) {
    for (const variable of variablesOf(text)) found.set(variable.written, variable);
  }
  return [...found.values()];
}

/** The value with those variables replaced that have one, by how they are written. */
export function fillVariables(value: unknown, values: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string") {
    return value.replace(pattern, (written) => values.get(written) ?? written);
  }
  if (Array.isArray(value)) return value.map((item: unknown) => fillVariables(item, values));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, fillVariables(member, values)] as const),
  );
}

/**
 * What is wrong with the variables of a profile. `written`: as it stands in the file, where the editor's own
 * are still to be filled in. `filled`: as it would be sent, where none of them may be left.
 */
export function checkVariables(
  definition: unknown,
  state: "written" | "filled",
): readonly SubmissionFinding[] {
  return textsIn(definition, []).flatMap(({ text, path }) =>
    variablesOf(text).flatMap(({ written, name }) => {
      const at = { kind: "member", path } as const;
      if (editorVariables.has(name)) {
        return state === "filled" ? [problems.unfilledVariable(written, at)] : [];
      }
      const member = path[0] === "contexts" ? path[2] : path[0];
      // Spark replaces these itself when it reads its conf.
      const isSparks = member === "conf" && /^(?:spark\.|system$)/.test(name);
      return isSparks ? [] : [problems.unknownVariable(written, at)];
    }),
  );
}

/**
 * The texts that variables of these names were replaced by, as far as they can be told: what must not be
 * shown of a definition whose secrets were asked for.
 */
export function filledTexts(
  written: unknown,
  filled: unknown,
  isWanted: (variable: Variable) => boolean,
): readonly string[] {
  const after = new Map(textsIn(filled, []).map(({ path, text }) => [path.join("\0"), text]));
  return textsIn(written, []).flatMap(({ path, text }) => {
    const result = after.get(path.join("\0"));
    const variables = variablesOf(text);
    if (result === undefined || !variables.some(isWanted)) return [];
    const parts = text.split(pattern).map(escapeRegExp);
    const values = new RegExp(`^${parts.join("([^]*)")}$`).exec(result)?.slice(1) ?? [];
    return values.filter((value, index) => {
      const variable = variables[index];
      return value !== "" && variable !== undefined && isWanted(variable);
    });
  });
}

/** Where a file lies; paths of one kind of machine. */
export interface EditedFile {
  readonly path: string;
  /** The workspace's folder that it is in. */
  readonly folder: string | undefined;
}

/** The values of the variables that name the file in the editor; `folder`: the profile's own. */
export function fileValues(
  { path, folder: fileFolder }: EditedFile,
  folder: string | undefined,
): Readonly<Record<string, string>> {
  const base = lastName(path);
  const dot = base.lastIndexOf(".");
  const directory = directoryOf(path);
  const relative = folder === undefined ? undefined : relativePath(folder, path);
  return {
    file: path,
    fileBasename: base,
    fileBasenameNoExtension: dot > 0 ? base.slice(0, dot) : base,
    fileExtname: dot > 0 ? base.slice(dot) : "",
    fileDirname: directory,
    fileDirnameBasename: lastName(directory),
    ...(fileFolder === undefined
      ? {}
      : { fileWorkspaceFolder: fileFolder, fileWorkspaceFolderBasename: lastName(fileFolder) }),
    ...(folder === undefined || relative === undefined
      ? {}
      : {
          relativeFile: relative,
          relativeFileDirname: relativePath(folder, directory) || ".",
        }),
  };
}

/** The values of the variables that name a folder. */
export const folderValues = (folder: string): Readonly<Record<string, string>> => ({
  workspaceFolder: folder,
  workspaceRoot: folder,
  workspaceFolderBasename: lastName(folder),
  workspaceRootFolderName: lastName(folder),
  cwd: folder,
});

export const separatorOf = (path: string): string => (path.includes("\\") ? "\\" : "/");

const pattern = /\$\{[^{}]*\}/g;

const editorVariables = new Set([
  ...["columnNumber", "command", "config", "cwd", "defaultBuildTask", "env", "execPath"],
  ...["extensionInstallFolder", "file", "fileBasename", "fileBasenameNoExtension", "fileDirname"],
  ...["fileDirnameBasename", "fileExtname", "fileWorkspaceFolder", "fileWorkspaceFolderBasename"],
  ...["input", "lineNumber", "pathSeparator", "relativeFile", "relativeFileDirname"],
  ...["selectedText", "userHome", "workspaceFolder", "workspaceFolderBasename", "workspaceRoot"],
  ...["workspaceRootFolderName", "/"],
]);

const variablesOf = (text: string): readonly Variable[] =>
  (text.match(pattern) ?? []).map((written) => {
    const inner = written.slice(2, -1);
    const colon = inner.indexOf(":");
    return colon < 0
      ? { written, name: inner, argument: undefined }
      : { written, name: inner.slice(0, colon), argument: inner.slice(colon + 1) };
  });

interface TextAt {
  readonly text: string;
  readonly path: readonly string[];
}

function textsIn(value: unknown, path: readonly string[]): readonly TextAt[] {
  if (typeof value === "string") return [{ text: value, path }];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]: [string, unknown]) =>
    textsIn(member, [...path, key]),
  );
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

const lastName = (path: string): string => path.slice(path.lastIndexOf(separatorOf(path)) + 1);

const directoryOf = (path: string): string =>
  path.slice(0, Math.max(1, path.lastIndexOf(separatorOf(path))));

function relativePath(from: string, to: string): string {
  const separator = separatorOf(to);
  const start = from.split(separator).filter((name) => name !== "");
  const end = to.split(separator).filter((name) => name !== "");
  const common = start.findIndex((name, index) => name !== end[index]);
  const shared = common < 0 ? start.length : common;
  const up = start.slice(shared).map(() => "..");
  return [...up, ...end.slice(shared)].join(separator);
}
