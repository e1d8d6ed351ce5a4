import { parse } from "yaml";
import { itemsOf, fieldAt } from "../../../base/json.ts";
import type { Requirement } from "./requirement.ts";
import { normalizedName } from "./requirement.ts";
import { readRequirementsFile } from "./requirementsFile.ts";

export interface CondaEnvironment {
  /** The requirements in the list `pip:`. */
  readonly pip: readonly Requirement[];
  readonly options: readonly string[];
  /** Names of conda packages, which may differ from those of the Python Package Index. */
  readonly conda: readonly string[];
}

const notPackages = new Set(["python", "pip"]);

/** Parses an `environment.yml`. Returns no packages for invalid text. */
export function readCondaEnvironment(text: string): CondaEnvironment {
  const items = itemsOf(fieldAt(parsed(text), "dependencies"));
  const lines = items
    .flatMap((item) => itemsOf(fieldAt(item, "pip")))
    .filter((line) => typeof line === "string");
  const { requirements, options } = readRequirementsFile(lines.join("\n"));
  const conda = items
    .filter((item) => typeof item === "string")
    .map((item) => /^(?:[^:\s]*::)?([A-Za-z0-9._-]+)/.exec(item)?.[1] ?? "")
    .filter((name) => name !== "" && !notPackages.has(name))
    .map(normalizedName);
  return { pip: requirements, options, conda };
}

function parsed(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 0 });
  } catch {
    return undefined;
  }
}
