import { l10n, type Uri } from "vscode";
import { err, ok, type Result } from "../../base/result.ts";
import { decodeRunProfile, type RunProfile } from "../../spark/submit/runProfile.ts";
import type { Surroundings } from "../../spark/submit/surroundings.ts";
import type { Log } from "../log.ts";
import { showProblems } from "../showError.ts";
import { findManifest, type ChosenManifest } from "./manifestDocuments.ts";
import { resolveVariables } from "./resolveVariables.ts";

/** Whether a run profile's application is one that an operator is asked to run. */
export const isManifestProfile = (definition: unknown): boolean =>
  /\.ya?ml$|^untitled:/i.test(decodeRunProfile(definition).value.application);

/** The manifest that a profile means, or in words why none is. */
export async function manifestOfProfile(
  profile: RunProfile,
  workingDirectory: string,
): Promise<Result<ChosenManifest, string>> {
  const others = Object.keys(profile).filter((member) => !ownMembers.includes(member));
  if (others.length > 0) return err(withoutEffectWords(others));
  const { application, name, context } = profile;
  const [chosen, another] = await findManifest(application, name, workingDirectory);
  if (chosen === undefined || another !== undefined) {
    return err(whichWords(application, name, chosen !== undefined));
  }
  return ok({ ...chosen, context });
}

export interface WrittenDefinition {
  /** As it stands in tasks.json, variables not filled in. */
  readonly definition: unknown;
  readonly folder: Uri | undefined;
  readonly surroundings: Pick<Surroundings, "environment" | "workingDirectory">;
}

/**
 * The manifest of a profile that was not run yet. "another": its application is none; undefined: there is
 * nothing to go on with, and why has been said.
 */
export async function manifestBeforeRun(
  { definition, folder, surroundings }: WrittenDefinition,
  log: Log,
): Promise<ChosenManifest | "another" | undefined> {
  if (!isManifestProfile(definition)) return "another";
  const resolved = await resolveVariables(definition, folder, surroundings.environment);
  if (resolved === undefined) return undefined;
  const { value: profile } = decodeRunProfile(resolved.definition);
  const chosen = await manifestOfProfile(profile, surroundings.workingDirectory);
  if (chosen.ok) return chosen.value;
  await showProblems(l10n.t("The submission cannot be prepared"), [chosen.error], log);
  return undefined;
}

/** What a profile says of a manifest; all else stands in the manifest itself. */
const ownMembers = ["application", "name", "label", "context", "follow"];

const withoutEffectWords = (members: readonly string[]): string =>
  l10n.t(
    "A manifest is sent as it is, and this would have no effect on it: {0}. Write it into the manifest instead.",
    members.map((member) => `"${member}"`).join(", "),
  );

function whichWords(application: string, name: string | undefined, isThere: boolean): string {
  if (isThere) {
    return l10n.t('"{0}" has several applications: say which by "name".', application);
  }
  return name === undefined
    ? l10n.t('"{0}" has no Spark application of an operator.', application)
    : l10n.t('"{0}" has no Spark application named "{1}".', application, name);
}
