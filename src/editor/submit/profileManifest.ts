import type { Uri } from "vscode";
import { msg, type Message } from "../../base/message.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { problems } from "../../spark/submit/plan/problems.ts";
import { decodeRunProfile, type RunProfile } from "../../spark/submit/profile/runProfile.ts";
import type { SubmissionEnvironment } from "../../spark/submit/conf/environment.ts";
import type { Log } from "../log.ts";
import type { Screen } from "../screen.ts";
import type { ChosenManifest, findManifest } from "./manifestDocuments.ts";
import type { resolveVariables } from "./resolveVariables.ts";

/** True if the profile runs an operator's manifest: its application is a YAML file or an untitled document. */
export const isManifestProfile = (definition: unknown): boolean =>
  /\.ya?ml$|^untitled:/i.test(decodeRunProfile(definition).value.application);

/**
 * Finds the manifest that a profile refers to. Returns an error message if none or several match, or if the profile has
 * members that do not apply to a manifest.
 */
export async function manifestOfProfile(
  profile: RunProfile,
  workingDirectory: string,
  find: typeof findManifest,
): Promise<Result<ChosenManifest, Message>> {
  const others = Object.keys(profile).filter((member) => !ownMembers.includes(member));
  if (others.length > 0) return err(withoutEffectWords(others));
  const { application, name, context } = profile;
  const [chosen, another] = await find(application, name, workingDirectory);
  if (chosen === undefined || another !== undefined) {
    return err(whichWords(application, name, chosen !== undefined));
  }
  return ok({ ...chosen, context });
}

export interface ManifestBeforeRun extends ChosenManifest {
  /** The user's answers to input variables, for the submission that follows. */
  readonly answers: ReadonlyMap<string, string>;
}

/** The parts of the window that manifests of profiles use. */
export interface ProfileWindow {
  readonly screen: Pick<Screen, "showProblems">;
  readonly resolveVariables: typeof resolveVariables;
  readonly findManifest: typeof findManifest;
}

export interface WrittenDefinition {
  /** The definition from tasks.json, before variable substitution. */
  readonly definition: unknown;
  readonly folder: Uri | undefined;
  readonly submissionEnvironment: Pick<SubmissionEnvironment, "environment" | "workingDirectory">;
}

/**
 * Finds the manifest of a profile, for a preview or check. Returns "another" if the application is not a manifest;
 * undefined if the user cancels, or after a failure (an error was shown).
 */
export async function manifestBeforeRun(
  { definition, folder, submissionEnvironment }: WrittenDefinition,
  log: Log,
  window: ProfileWindow,
): Promise<ManifestBeforeRun | "another" | undefined> {
  if (!isManifestProfile(definition)) return "another";
  const resolved = await window.resolveVariables(
    definition,
    folder,
    submissionEnvironment.environment,
  );
  if (resolved === undefined) return undefined;
  const { value: profile } = decodeRunProfile(resolved.definition);
  const chosen = await manifestOfProfile(
    profile,
    submissionEnvironment.workingDirectory,
    window.findManifest,
  );
  if (chosen.ok) return { ...chosen.value, answers: resolved.answers };
  const deferred = resolved.deferred.map((written) => problems.commandVariable(written, undefined));
  const sentences = [chosen.error, ...deferred.map(({ message }) => message)];
  await window.screen.showProblems(msg("Cannot prepare the submission"), sentences, log);
  return undefined;
}

/** The profile members that apply to a manifest. */
const ownMembers = ["application", "name", "label", "context", "follow"];

const withoutEffectWords = (members: readonly string[]): Message =>
  msg`These members do not apply to a manifest: ${members.map((member) => `"${member}"`).join(", ")}. Write them in the manifest instead.`;

function whichWords(application: string, name: string | undefined, isThere: boolean): Message {
  if (isThere) {
    return msg`"${application}" has several Spark applications. Select one with "name".`;
  }
  return name === undefined
    ? msg`"${application}" has no SparkApplication.`
    : msg`"${application}" has no SparkApplication named "${name}".`;
}
