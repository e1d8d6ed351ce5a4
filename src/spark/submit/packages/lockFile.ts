// Parses `uv.lock` and `poetry.lock`: both are lists of `[[package]]` tables, each with an exact version.
import { isRecord, itemsOf, textAt } from "../../../base/json.ts";
import { fieldIn, readToml } from "../code/tomlText.ts";
import { normalizedName, parseRequirement, type Requirement } from "./requirement.ts";

export type LockFormat = "uv.lock" | "poetry.lock";

export interface LockedPackage {
  /** Normalized by PEP 503. */
  readonly name: string;
  readonly version: string;
  /**
   * `index`: wheels of a package index. `project`: a folder of the workspace, whose modules are sent as code. `other`:
   * a Git repository or a URL.
   */
  readonly source: "index" | "project" | "other";
  /** The address of the index. Undefined: PyPI, or the index that the user's uv or pip is configured for. */
  readonly registry: string | undefined;
  readonly hashes: readonly string[];
  readonly dependencies: readonly Requirement[];
  /** Requirements by the normalized name of the extra. */
  readonly extras: ReadonlyMap<string, readonly Requirement[]>;
}

/** Returns the package tables of a lock file as unparsed text, so that each can be parsed in a short step. */
export const lockTables = (text: string): readonly string[] =>
  text
    .split(/^(?=\[\[package\]\])/m)
    .filter((part) => part.startsWith("[[package]]"))
    .map(withoutLockTables);

/** Removes the tables that follow the last package, such as `[metadata]` in poetry.lock. */
function withoutLockTables(part: string): string {
  const lines = part.split("\n");
  const end = lines.findIndex((line) => line.startsWith("[") && !/^\[\[?package\b/.test(line));
  return end < 0 ? part : lines.slice(0, end).join("\n");
}

/** Decodes one package table. Undefined if the table is invalid. */
export function lockedPackage(table: string, format: LockFormat): LockedPackage | undefined {
  const [read] = itemsOf(fieldIn(readToml(table), "package"));
  const name = textAt(read, "name");
  const version = textAt(read, "version");
  if (name === undefined) return undefined;
  const own = format === "uv.lock" ? uvParts(read) : poetryParts(read);
  // The project itself may have no version in uv.lock.
  if (version === undefined && own.source !== "project") return undefined;
  return { name: normalizedName(name), version: version ?? "0", ...own };
}

type LockedParts = Omit<LockedPackage, "name" | "version">;

// ---- uv ----------------------------------------------------------------------------------------

const pypi = /^https:\/\/pypi\.org\/simple\/?$/;

function uvParts(read: unknown): LockedParts {
  const source = fieldIn(read, "source");
  const registry = textAt(source, "registry");
  const isProject = ["editable", "virtual", "directory"].some(
    (key) => textAt(source, key) !== undefined,
  );
  const files = [fieldIn(read, "sdist"), ...itemsOf(fieldIn(read, "wheels"))];
  const extras = Object.entries(tableOf(fieldIn(read, "optional-dependencies")));
  return {
    source: registry !== undefined ? "index" : isProject ? "project" : "other",
    registry: registry === undefined || pypi.test(registry) ? undefined : registry,
    hashes: hashesOf(files),
    dependencies: itemsOf(fieldIn(read, "dependencies")).flatMap(uvDependency),
    extras: new Map(
      extras.map(([extra, list]) => [normalizedName(extra), itemsOf(list).flatMap(uvDependency)]),
    ),
  };
}

function uvDependency(item: unknown): readonly Requirement[] {
  const name = textAt(item, "name");
  if (name === undefined) return [];
  const version = textAt(item, "version");
  const extras = itemsOf(fieldIn(item, "extra")).filter((extra) => typeof extra === "string");
  return [
    {
      name: normalizedName(name),
      extras: extras.map(normalizedName),
      specifier: version === undefined ? "" : `==${version}`,
      marker: textAt(item, "marker"),
      url: undefined,
      hashes: [],
    },
  ];
}

// ---- Poetry ------------------------------------------------------------------------------------

function poetryParts(read: unknown): LockedParts {
  const source = fieldIn(read, "source");
  const kind = textAt(source, "type");
  const isIndex = kind === undefined || kind === "legacy";
  const dependencies = Object.entries(tableOf(fieldIn(read, "dependencies")));
  const extras = Object.entries(tableOf(fieldIn(read, "extras")));
  return {
    source: isIndex ? "index" : "other",
    registry: isIndex ? textAt(source, "url") : undefined,
    hashes: hashesOf(itemsOf(fieldIn(read, "files"))),
    // Omits optional dependencies, which belong to an extra.
    dependencies: dependencies
      .flatMap(([name, value]) => poetryDependency(name, value))
      .filter(({ isOptional }) => !isOptional),
    extras: new Map(
      extras.map(([extra, list]) => [
        normalizedName(extra),
        itemsOf(list).flatMap((item) => {
          const requirement = typeof item === "string" ? parseRequirement(item) : undefined;
          // Omits Poetry's version ranges, which do not follow PEP 440. The lock file pins the version anyway.
          return requirement === undefined ? [] : [{ ...requirement, specifier: "" }];
        }),
      ]),
    ),
  };
}

interface PoetryDependency extends Requirement {
  readonly isOptional: boolean;
}

/**
 * Decodes a dependency as Poetry writes it: a range, a table, or a list of tables. Omits the range, because the lock
 * file pins the version.
 */
export function poetryDependency(name: string, value: unknown): readonly PoetryDependency[] {
  if (Array.isArray(value)) return value.flatMap((item) => poetryDependency(name, item));
  const extras = itemsOf(fieldIn(value, "extras")).filter((extra) => typeof extra === "string");
  return [
    {
      name: normalizedName(name),
      extras: extras.map(normalizedName),
      specifier: "",
      marker: textAt(value, "markers"),
      url: undefined,
      hashes: [],
      isOptional: fieldIn(value, "optional") === true,
    },
  ];
}

const tableOf = (value: unknown): Readonly<Record<string, unknown>> =>
  isRecord(value) ? value : {};

const hashesOf = (files: readonly unknown[]): readonly string[] => [
  ...new Set(
    files
      .map((file) => textAt(file, "hash") ?? "")
      .filter((hash) => /^sha256:[0-9a-f]{64}$/.test(hash)),
  ),
];
