import type { Memento } from "vscode";
import type { PythonPackages } from "../../../engine/ports/packages.ts";
import type { MissingPackage } from "../../../spark/submit/packages/missingPackages.ts";
import type { PythonNeeds } from "../../../spark/submit/packages/pythonNeeds.ts";
import { storedMember, storedMembers } from "../../stored.ts";

const memoryKey = "submit.packageAnswers";
const maxAnswers = 50;

export type PackagesAnswer = "send" | "none";

/**
 * Returns the remembered answer for a file that lists packages. "send" is valid for any missing packages, "none" only
 * for the same ones as before. Undefined without a valid answer.
 */
export function packagesAnswer(
  memory: Pick<Memento, "get">,
  { path }: Pick<PythonNeeds, "path">,
  missing: readonly MissingPackage[],
): PackagesAnswer | undefined {
  const stored = storedMember(memory, memoryKey, path);
  if (stored === "send") return "send";
  return stored === refusalOf(missing) ? "none" : undefined;
}

/** The stored Python packages, and the user's answers about sending them. */
export interface PackagesPlace {
  readonly store: Pick<PythonPackages, "needs" | "image" | "archived">;
  /** Returns the user's remembered answer; undefined if the user must be prompted. */
  readonly answer: (
    needs: PythonNeeds,
    missing: readonly MissingPackage[],
  ) => PackagesAnswer | undefined;
}

/** Combines the stored packages with the answers stored in this workspace. */
export const packagesPlace = (
  store: PackagesPlace["store"],
  memory: Pick<Memento, "get">,
): PackagesPlace => ({
  store,
  answer: (needs, missing) => packagesAnswer(memory, needs, missing),
});

export async function rememberPackagesAnswer(
  memory: Memento,
  { path }: Pick<PythonNeeds, "path">,
  missing: readonly MissingPackage[],
  answer: PackagesAnswer,
): Promise<void> {
  const others = [...storedMembers(memory, memoryKey)].filter(([key]) => key !== path);
  const value = answer === "send" ? "send" : refusalOf(missing);
  const kept = [...others, [path, value] as const].slice(-maxAnswers);
  await memory.update(memoryKey, Object.fromEntries(kept));
}

const refusalOf = (missing: readonly MissingPackage[]): string =>
  `none: ${missing.map(({ needed: { name, specifier } }) => name + specifier).join(", ")}`;
