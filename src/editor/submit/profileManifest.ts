import { translated } from "../../editor/ui/translated.ts";
import { l10n, type Uri } from "vscode";
import { err, ok, type Result } from "../../base/result.ts";
import { problems } from "../../spark/submit/plan/problems.ts";
import { decodeRunProfile, type RunProfile } from "../../spark/submit/profile/runProfile.ts";
import type { SubmissionEnvironment } from "../../spark/submit/conf/environment.ts";
import type { Log } from "../log.ts";
import { showProblems } from "../showError.ts";
import { findManifest, type ChosenManifest } from "./manifestDocuments.ts";
import { resolveVariables } from "./resolveVariables.ts";

/** True if the profile's application is a manifest for an operator. */
export const isManifestProfile = (definition: unknown): boolean =>
  /\.ya?ml$|^untitled:/i.test(decodeRunProfile(definition).value.application);

/** The manifest that a profile refers to, or an error message. */
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

export interface ManifestBeforeRun extends ChosenManifest {
  /** The user's answers to input variables, for the submission that follows. */
  readonly answers: ReadonlyMap<string, string>;
}

export interface WrittenDefinition {
  /** The definition from tasks.json, before variable substitution. */
  readonly definition: unknown;
  readonly folder: Uri | undefined;
  readonly surroundings: Pick<SubmissionEnvironment, "environment" | "workingDirectory">;
}

/**
 * The manifest of a profile, for a preview or check. "another": the application is not a manifest;
 * undefined: the user cancelled, or an error was shown.
 */
export async function manifestBeforeRun(
  { definition, folder, surroundings }: WrittenDefinition,
  log: Log,
): Promise<ManifestBeforeRun | "another" | undefined> {
  if (!isManifestProfile(definition)) return "another";
  const resolved = await resolveVariables(definition, folder, surroundings.environment);
  if (resolved === undefined) return undefined;
  const { value: profile } = decodeRunProfile(resolved.definition);
  const chosen = await manifestOfProfile(profile, surroundings.workingDirectory);
  if (chosen.ok) return { ...chosen.value, answers: resolved.answers };
  const deferred = resolved.deferred.map((written) => problems.commandVariable(written, undefined));
  const sentences = [chosen.error, ...deferred.map(({ message }) => translated(message))];
  await showProblems(l10n.t("Cannot prepare the submission"), sentences, log);
  return undefined;
}

/** The profile members that apply to a manifest. */
const ownMembers = ["application", "name", "label", "context", "follow"];

const withoutEffectWords = (members: readonly string[]): string =>
  l10n.t(
    "These members do not apply to a manifest: {0}. Write them in the manifest instead.",
    members.map((member) => `"${member}"`).join(", "),
  );

function whichWords(application: string, name: string | undefined, isThere: boolean): string {
  if (isThere) {
    return l10n.t('"{0}" has several Spark applications. Select one with "name".', application);
  }
  return name === undefined
    ? l10n.t('"{0}" has no SparkApplication.', application)
    : l10n.t('"{0}" has no SparkApplication named "{1}".', application, name);
}
