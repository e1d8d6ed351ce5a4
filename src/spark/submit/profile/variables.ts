// Finds, checks and replaces VS Code variables in a run profile: `${file}`, `${env:USER}`, `${input:date}`.
import { isRecord } from "../../../base/json.ts";
import { problems } from "../plan/problems.ts";
import type { SubmissionFinding } from "../plan/submissionFinding.ts";

export interface Variable {
  /** As written: `${env:USER}`. */
  readonly written: string;
  /** For example `env`. */
  readonly name: string;
  /** For example `USER`. Undefined without a colon. */
  readonly argument: string | undefined;
}

/** Returns the distinct variables in all strings of a JSON value, in the order of their first use. */
export function variablesIn(value: unknown): readonly Variable[] {
  const found = new Map<string, Variable>();
  for (const { text } of textsIn(value, [])) {
    for (const variable of variablesOf(text)) found.set(variable.written, variable);
  }
  return [...found.values()];
}

/** Replaces variables with their values in all strings of a JSON value. Keeps variables without a value. */
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
 * Checks the variables of a profile. `written`: the profile before the editor fills in its variables. `filled`: the
 * profile as it would be sent, in which a remaining variable of the editor is an error. `deferred`: variables that only
 * a submission fills in.
 */
export function checkVariables(
  definition: unknown,
  state: "written" | "filled",
  deferred: readonly string[] = [],
): readonly SubmissionFinding[] {
  return textsIn(definition, []).flatMap(({ text, path }) =>
    variablesOf(text).flatMap(({ written, name }) => {
      const at = { kind: "member", path } as const;
      if (deferred.includes(written)) return [problems.commandVariable(written, at)];
      if (editorVariables.has(name)) {
        return state === "filled" ? [problems.unfilledVariable(written, at)] : [];
      }
      const member = path[0] === "contexts" ? path[2] : path[0];
      // Accepts the references that Spark resolves itself.
      const isSparks = member === "conf" && /^(?:spark\.|system$)/.test(name);
      return isSparks ? [] : [problems.unknownVariable(written, at)];
    }),
  );
}

/**
 * Returns the texts that replaced the wanted variables. Callers redact these texts, because the user may have entered
 * secrets.
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
    return filledValues(text.split(pattern), result).flatMap((values, index) => {
      const variable = variables[index];
      return variable !== undefined && isWanted(variable) ? values : [];
    });
  });
}

/**
 * Returns candidates for the text in each gap between the parts: the earliest and the latest match. If they differ,
 * either may be the filled-in value.
 */
function filledValues(parts: readonly string[], result: string): readonly (readonly string[])[] {
  const { starts, ends } = partPlaces(parts, result);
  if (starts === undefined || ends === undefined) return [];
  return parts.slice(1).map((_, index) => {
    const before = parts[index]?.length ?? 0;
    const between = (places: readonly number[]): string =>
      result.slice((places[index] ?? 0) + before, places[index + 1] ?? result.length);
    return [...new Set([between(starts), between(ends)])].filter((value) => value !== "");
  });
}

/** Returns the earliest and the latest positions of the parts in the result. Undefined if the parts do not match. */
function partPlaces(
  parts: readonly string[],
  result: string,
): Readonly<Record<"starts" | "ends", readonly number[] | undefined>> {
  const none = { starts: undefined, ends: undefined };
  const [first = ""] = parts;
  const last = parts.at(-1) ?? "";
  const lastPlace = result.length - last.length;
  if (!result.startsWith(first) || !result.endsWith(last)) return none;
  const starts = [0];
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const place = result.indexOf(part, at);
    if (place === -1) return none;
    starts.push(place);
    at = place + part.length;
  }
  if (at > lastPlace) return none;
  const ends = [lastPlace];
  let before = lastPlace;
  for (const part of parts.slice(1, -1).reverse()) {
    before = result.lastIndexOf(part, before - part.length);
    ends.unshift(before);
  }
  return { starts: [...starts, lastPlace], ends: [0, ...ends] };
}

/** The file in the active editor. */
interface EditedFile {
  readonly path: string;
  /** The workspace folder of the file. */
  readonly folder: string | undefined;
}

/** Returns the values of the variables for the edited file. `folder`: the workspace folder of the profile. */
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

/** Returns the values of the variables for a workspace folder. */
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
