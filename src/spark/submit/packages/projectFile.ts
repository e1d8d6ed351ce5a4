import { isRecord, itemsOf, textAt } from "../../../base/json.ts";
import { fieldIn, readToml } from "../code/tomlText.ts";
import { poetryDependency } from "./lockFile.ts";
import { normalizedName, parseRequirement, type Requirement } from "./requirement.ts";

/** The dependencies that a `pyproject.toml` declares. */
export interface ProjectDependencies {
  /** The project's normalized name. Undefined if the project has no name. */
  readonly name: string | undefined;
  readonly requirements: readonly Requirement[];
  /** Entries of `project.dependencies` that are not requirements. */
  readonly unread: readonly string[];
}

/**
 * Reads a `pyproject.toml`. Uses Poetry's table only if `project.dependencies` has no requirement. Returns no
 * dependencies for invalid text.
 */
export function readProjectFile(text: string): ProjectDependencies {
  const read = readToml(text);
  const project = fieldIn(read, "project");
  const poetry = fieldIn(fieldIn(read, "tool"), "poetry");
  const unread: string[] = [];
  const declared = itemsOf(fieldIn(project, "dependencies"))
    .filter((item) => typeof item === "string")
    .flatMap((item) => {
      const requirement = parseRequirement(item);
      if (requirement === undefined) unread.push(item);
      return requirement === undefined ? [] : [requirement];
    });
  const poetryTable = fieldIn(poetry, "dependencies");
  const ofPoetry = isRecord(poetryTable)
    ? Object.entries(poetryTable).filter(([key]) => key !== "python")
    : [];
  const converted = ofPoetry.flatMap(([key, value]) =>
    poetryDependency(key, value)
      .filter(({ isOptional }) => !isOptional)
      .map((requirement) => {
        const range = typeof value === "string" ? value : textAt(value, "version");
        const { extras, marker, url, hashes } = requirement;
        const specifier = pep440Range(range ?? "*");
        return { name: requirement.name, extras, specifier, marker, url, hashes };
      }),
  );
  const name = textAt(project, "name") ?? textAt(poetry, "name");
  return {
    name: name === undefined ? undefined : normalizedName(name),
    requirements: declared.length > 0 ? declared : converted,
    unread,
  };
}

/** Converts a Poetry version range (`^1.2`, `~1.2`, `1.2`) to a PEP 440 specifier. */
export function pep440Range(range: string): string {
  return range
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "" && part !== "*")
    .map((part) => {
      const [, operator, version = ""] =
        /^(\^|~(?!=))?\s*([0-9][0-9A-Za-z.+!-]*)$/.exec(part) ?? [];
      if (version === "") return part.replace(/\s+/g, "");
      if (operator === undefined) return `==${version}`;
      return `>=${version},<${upperBound(version, operator === "^")}`;
    })
    .join(",");
}

/**
 * Returns the lowest version that the range excludes. `^` excludes increments of the first number that is not 0; `~`,
 * increments of the second number, or of the only one.
 */
function upperBound(version: string, isCaret: boolean): string {
  const numbers = version.split(".").map((part) => Number.parseInt(part, 10) || 0);
  const firstSet = numbers.findIndex((number) => number > 0);
  const caretAt = firstSet < 0 ? numbers.length - 1 : firstSet;
  const at = isCaret ? caretAt : Math.min(1, numbers.length - 1);
  return numbers
    .slice(0, at + 1)
    .map((number, index) => (index === at ? number + 1 : number))
    .join(".");
}
