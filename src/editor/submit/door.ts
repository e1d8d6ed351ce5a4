import { l10n, workspace, type Memento, type Uri } from "vscode";
import type { Result } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { Connection, SpecialPlace, TrustQuestion } from "../../engine/ports/connection.ts";
import type { Mask } from "../../spark/redact.ts";
import type { RunProfile } from "../../spark/submit/profile/runProfile.ts";
import type { Log } from "../log.ts";
import { explainClusterError, showClusterError } from "../showError.ts";
import type { AnswerMemory } from "./answerMemory.ts";
import { askForSubmission } from "./askForSubmission.ts";
import { manifestTerminal } from "./manifestRun.ts";
import { isManifestProfile } from "./profileManifest.ts";
import * as profileManifest from "./profileManifest.ts";
import { resolveVariables, secretVariables } from "./resolveVariables.ts";
import * as pasted from "./readPasted.ts";
import type { PastedChoice, PastedPlace, PastedWindow } from "./readPasted.ts";
import * as pastedProfile from "./profileOfPasted.ts";
import type { PastedProfile } from "./profileOfPasted.ts";
import * as previews from "./previewSubmission.ts";
import type { PreviewOptions, PreviewWindow } from "./previewSubmission.ts";
import * as trust from "./agreeToTrust.ts";
import * as checks from "./checkManifest.ts";
import type { CheckedManifest } from "./checkManifest.ts";
import { findManifest, type ChosenManifest } from "./manifestDocuments.ts";
import { askSteps } from "./multiStep.ts";
import { findPastedText, openPastedText } from "./pastedText.ts";
import { runBuild } from "./runBuild.ts";
import * as manifests from "./tellManifest.ts";
import { keepsShells, showsLogSecrets } from "../settings.ts";
import { windowScreen } from "../windowScreen.ts";
import { RunTerminal } from "./runTerminal.ts";
import { submissionTerminal, type RunWindow, type SubmissionRunOptions } from "./submissionRun.ts";
import { inStatusBar } from "../progress.ts";
import { questionIn, refusalIn } from "../guard.ts";
import { translated } from "../ui/translated.ts";
import { saveRuns, type RunOnSave, type RunOnSaveOptions } from "./runOnSave.ts";

export { insertProfile } from "../../spark/submit/profile/insertProfile.ts";
export { startSession } from "./startSession.ts";
export { startShell } from "./startShell.ts";
export { showRecentRuns } from "./showRecentRuns.ts";
export { openPastedText } from "./pastedText.ts";
export { convertSubmission } from "./convertSubmission.ts";
export { chooseManifest, manifestStarts } from "./manifestDocuments.ts";

export const startRunOnSave = (options: RunOnSaveOptions): RunOnSave =>
  saveRuns(options, { refusalIn, questionIn, explainClusterError, translated });

/** The terminal of a run, for a program or an operator's manifest. */
export const openRun = (options: SubmissionRunOptions): RunTerminal =>
  new RunTerminal(
    options.source.kind === "profile" && isManifestProfile(options.source.definition)
      ? manifestTerminal(options.source.definition, options, submitWindow)
      : submissionTerminal(options, submitWindow),
  );

const submitWindow: RunWindow & PreviewWindow & PastedWindow & profileManifest.ProfileWindow = {
  screen: windowScreen,
  showsLogSecrets,
  keepsShells,
  runBuild,
  mayInstall: () => workspace.isTrusted,
  resolveVariables,
  secretVariables,
  findManifest,
  ask: askSteps,
  findText: findPastedText,
  openText: openPastedText,
  inStatusBar,
};

// ---- Commands with this window -----------------------------------------------------------------

export const agreeToTrust = (question: TrustQuestion, memory: Memento): Promise<boolean> =>
  trust.agreeToTrust(question, memory, windowScreen);

export const mayReach = (place: SpecialPlace, memory: Memento): Promise<boolean> =>
  trust.mayReach(place, memory, windowScreen);

export const readPasted = (place: PastedPlace): Promise<PastedChoice | undefined> =>
  pasted.readPasted(place, submitWindow);

export const profileOfPasted = (choice: PastedChoice): PastedProfile =>
  pastedProfile.profileOfPasted(choice, windowScreen);

const ofPreview =
  <T>(work: (options: PreviewOptions, window: PreviewWindow, signal: AbortSignal) => Promise<T>) =>
  (options: PreviewOptions, signal: AbortSignal): Promise<T> =>
    work(options, submitWindow, signal);

export const checkSubmission = ofPreview(previews.checkSubmission);
export const comparableSubmission = ofPreview(previews.comparableSubmission);
export const describeSent = ofPreview(previews.describeSent);
export const previewSubmission = ofPreview(previews.previewSubmission);

export const manifestBeforeRun = (
  written: profileManifest.WrittenDefinition,
  log: Log,
): Promise<profileManifest.ManifestBeforeRun | "another" | undefined> =>
  profileManifest.manifestBeforeRun(written, log, submitWindow);

export const checkManifest = (
  chosen: ChosenManifest,
  asking: manifests.ManifestAsking,
  signal: AbortSignal,
): Promise<CheckedManifest | undefined> =>
  checks.checkManifest(chosen, asking, windowScreen, signal);

export const previewManifest = (
  chosen: ChosenManifest,
  asking: manifests.ManifestAsking,
  signal: AbortSignal,
): Promise<manifests.ManifestPreview | undefined> =>
  manifests.previewManifest(chosen, asking, windowScreen, signal);

export const changeManifest = (
  chosen: ChosenManifest,
  kind: "suspend" | "resume",
  asking: manifests.ManifestAsking,
  signal: AbortSignal,
): Promise<boolean> => manifests.changeManifest(chosen, kind, asking, windowScreen, signal);

export const manifestText = (
  chosen: Pick<ChosenManifest, "decoded">,
  log: Log,
  mask: Mask,
): Promise<string | undefined> => manifests.manifestText(chosen, log, windowScreen, mask);

export interface AskOptions {
  readonly connect: (signal: AbortSignal) => Promise<Result<Connection, ClusterError>>;
  /** The namespace to submit to. */
  readonly namespaceOf: (connection: Connection) => string;
  readonly log: Log;
}

/**
 * Asks for a submission's settings. `file`: the conf file, Python file or jar on which the command
 * was called. `program`: the application, if it is not asked for. Undefined if the user cancels, or if there is no cluster (an error was shown).
 */
export async function askForProfile(
  { connect, namespaceOf, log }: AskOptions,
  memory: AnswerMemory,
  { file, program }: { readonly file?: Uri | undefined; readonly program?: Uri },
): Promise<RunProfile | undefined> {
  const connected = await inStatusBar(l10n.t("Connecting to the cluster"), connect);
  if (!connected.ok) {
    await showClusterError(l10n.t("The application was not submitted"), connected.error, log);
    return undefined;
  }
  const connection = connected.value;
  const namespace = namespaceOf(connection);
  return askForSubmission({ connection, namespace, memory, file, program });
}
