import { isRecord } from "../../../base/json.ts";
import { fieldIn, maxCharacters, readToml } from "./tomlText.ts";

/** The files that mark a folder as a Python project. */
export const projectFileNames = ["pyproject.toml", "setup.cfg", "setup.py"] as const;

/**
 * Returns the package folders that a `pyproject.toml` configures for setuptools, Poetry or Hatch, relative to the
 * project. Empty if the text is invalid.
 */
export function foldersOfPyproject(text: string): readonly string[] {
  const tool = fieldIn(readToml(text), "tool");
  const setuptools = fieldIn(tool, "setuptools");
  const hatch = [
    ["hatch", "build", "targets", "wheel"],
    ["hatch", "build"],
  ].map((keys) => keys.reduce<unknown>(fieldIn, tool));
  return [
    ...stringsOf(["packages", "find", "where"].reduce<unknown>(fieldIn, setuptools)),
    ...foldersOfMap(entriesOf(fieldIn(setuptools, "package-dir"))),
    ...arrayOf(fieldIn(fieldIn(tool, "poetry"), "packages")).flatMap((entry) =>
      stringsOf(fieldIn(entry, "from")),
    ),
    ...hatch.flatMap((build) => [
      ...stringsOf(fieldIn(build, "packages")).map(parentOf),
      ...stringsOf(fieldIn(build, "sources")),
      ...foldersOfSources(entriesOf(fieldIn(build, "sources"))),
    ]),
  ];
}

/** Returns the package folders that a `setup.cfg` configures for setuptools, relative to the project. */
export function foldersOfSetupCfg(text: string): readonly string[] {
  if (text.length > maxCharacters) return [];
  const packageDir = valuesIn(text, "options", "package_dir").flatMap((line) => {
    const at = line.indexOf("=");
    return at < 0 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1).trim()] as const];
  });
  return [
    ...valuesIn(text, "options.packages.find", "where"),
    ...valuesIn(text, "options.packages.find_namespace", "where"),
    ...foldersOfMap(packageDir),
  ];
}

// Returns the folders that contain the packages of a setuptools map: `"" = "src"` gives `src`, and `a = "lib/a"` gives
// `lib`. Omits the folders of renamed packages.
const foldersOfMap = (entries: readonly (readonly [string, string])[]): readonly string[] =>
  entries.flatMap(([name, folder]) => {
    if (name === "") return [folder];
    const path = name.replaceAll(".", "/");
    if (folder === path) return ["."];
    return folder.endsWith(`/${path}`) ? [folder.slice(0, -path.length - 1)] : [];
  });

// Returns the folders that Hatch's `sources` maps to the root, such as `src` for `"src" = ""`.
const foldersOfSources = (entries: readonly (readonly [string, string])[]): readonly string[] =>
  entries.flatMap(([folder, name]) => (name === "" ? [folder] : []));

const parentOf = (path: string): string =>
  path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ".";

/** Returns the lines of a value in an INI file, without empty lines and comments. */
function valuesIn(text: string, section: string, key: string): readonly string[] {
  const values: string[] = [];
  let isSection = false;
  let isValue = false;
  for (const line of text.split(/\r?\n/)) {
    const trimmed = line.trim();
    if (trimmed === "" || trimmed.startsWith("#") || trimmed.startsWith(";")) continue;
    if (/^\s/.test(line)) {
      if (isValue) values.push(trimmed);
      continue;
    }
    isValue = false;
    if (trimmed.startsWith("[")) isSection = trimmed === `[${section}]`;
    else if (isSection) {
      const at = trimmed.search(/[=:]/);
      isValue = at >= 0 && trimmed.slice(0, at).trim().replaceAll("-", "_") === key;
      const value = trimmed.slice(at + 1).trim();
      if (isValue && value !== "") values.push(value);
    }
  }
  return values;
}

const arrayOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as readonly unknown[]) : [];

/** Returns a string, or the strings of a list, as a list. */
const stringsOf = (value: unknown): readonly string[] =>
  [value].flat().filter((item): item is string => typeof item === "string");

const entriesOf = (value: unknown): readonly (readonly [string, string])[] =>
  isRecord(value)
    ? Object.entries(value).flatMap(([key, item]) =>
        typeof item === "string" ? [[key, item] as const] : [],
      )
    : [];
