import { l10n, workspace, type Uri } from "vscode";
import type { Result } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import type { RunProfile } from "../../spark/submit/profile/runProfile.ts";
import { rulesSetting } from "../conf/confIds.ts";
import { severityChoices } from "../conf/severityChoices.ts";
import { settingsSection } from "../ids.ts";
import type { Log } from "../log.ts";
import { explainClusterError, showClusterError } from "../showError.ts";
import type { AnswerMemory } from "./answerMemory.ts";
import { commandTitle, type AskingCommand } from "./askingTitle.ts";
import { askForSubmission } from "./askForSubmission.ts";
import { manifestTerminal } from "./manifestRun.ts";
import { isManifestProfile, type ProfileWindow } from "./profileManifest.ts";
import { resolveVariables, secretVariables } from "./resolveVariables.ts";
import type { PastedWindow } from "./readPasted.ts";
import type { PreviewWindow } from "./previewSubmission.ts";
import { findManifest } from "./manifestDocuments.ts";
import { askSteps } from "./multiStep.ts";
import { findPastedText, openPastedText } from "./pastedText.ts";
import { runBuild } from "./runBuild.ts";
import { findProfiles } from "../profiles/profileTasks.ts";
import type { StartWindow } from "./chooseSettings.ts";
import { keepsShells, sessionIdleMinutes, showsLogSecrets } from "../settings.ts";
import { windowScreen } from "../windowScreen.ts";
import { RunTerminal } from "./runTerminal.ts";
import { submissionTerminal, type RunWindow, type SubmissionRunOptions } from "./submissionRun.ts";
import { inStatusBar } from "../progress.ts";
import { questionIn, refusalIn } from "../guard.ts";
import { window } from "../ui/window.ts";
import { translated } from "../ui/translated.ts";
import type { Programs } from "./programs.ts";
import { saveRuns } from "./runOnSave.ts";
import { saveRunsOf, type SaveOptions, type SaveRuns } from "./saveRuns.ts";
import { saveWindow } from "./saveWindow.ts";

export { pickFolder, writeProfile } from "./writeProfile.ts";
export { agreeToTrust, askToReachAddress } from "./agreeToTrust.ts";
export { submitPasted } from "./submitPasted.ts";
export {
  checkSubmission,
  comparableSubmission,
  describeSent,
  previewSubmission,
} from "./previewSubmission.ts";
export { checkChoice, compareWithLast, manifestOf, runPreviewText } from "./askBeforeRun.ts";
export { showChecked } from "./offerNext.ts";
export { manifestBeforeRun } from "./profileManifest.ts";
export { checkManifest } from "./checkManifest.ts";
export { changeManifest, manifestText, previewManifest } from "./previewManifest.ts";
export { definitionOfFile, newDefinition, rememberProgram } from "./programDefinition.ts";
export { startSession } from "./startSession.ts";
export { startShell } from "./startShell.ts";
export { showRecentRuns } from "./showRecentRuns.ts";
export { convertSubmission } from "./convertSubmission.ts";
export { convertWindow } from "./convertWindow.ts";
export { chooseManifest, manifestStarts } from "./manifestDocuments.ts";

export const openSaveRuns = (
  programs: Pick<Programs, "prepare">,
  options: Omit<SaveOptions, "startRunOnSave">,
): SaveRuns =>
  saveRunsOf(
    programs,
    {
      ...options,
      startRunOnSave: (run) =>
        saveRuns(run, { refusalIn, questionIn, explainClusterError, translated }),
    },
    saveWindow,
  );

/** Returns the terminal of a run, for a program or an operator's manifest. */
export const openRun = (options: SubmissionRunOptions): RunTerminal =>
  new RunTerminal(
    options.source.kind === "profile" && isManifestProfile(options.source.definition)
      ? manifestTerminal(options.source.definition, options, submitWindow)
      : submissionTerminal(options, submitWindow),
  );

/** The parts of the window that the functions of this bundle use. */
export const submitWindow: RunWindow & PreviewWindow & PastedWindow & ProfileWindow & StartWindow =
  {
    screen: windowScreen,
    showsLogSecrets,
    keepsShells,
    sessionIdleMinutes,
    findProfiles,
    runBuild,
    mayInstall: () => workspace.isTrusted,
    resolveVariables,
    secretVariables,
    findManifest,
    ask: askSteps,
    findText: findPastedText,
    openText: openPastedText,
    inStatusBar,
    severityChoices: () =>
      severityChoices(workspace.getConfiguration(settingsSection).get(rulesSetting)),
  };

export interface AskOptions {
  readonly connect: (signal: AbortSignal) => Promise<Result<Connection, ClusterError>>;
  /**
   * Returns the watched or chosen namespaces. Empty if all are watched or none is chosen: the submission then uses the
   * context's namespace.
   */
  readonly namespaces: () => readonly string[];
  readonly log: Log;
}

/**
 * Prompts for a submission's settings. `file`: the conf file, Python file or jar on which the command was called.
 * `program`: the application, if the command does not prompt for it. `typed`: text prefilled in the prompt for the
 * application. Undefined if the user cancels, or if the connection fails (an error was shown).
 */
export async function askForProfile(
  { connect, namespaces, log }: AskOptions,
  memory: AnswerMemory,
  {
    asking,
    file,
    program,
    typed,
  }: {
    readonly asking: AskingCommand;
    readonly file?: Uri | undefined;
    readonly program?: Uri;
    readonly typed?: string;
  },
): Promise<RunProfile | undefined> {
  const connected = await inStatusBar(l10n.t("Connecting to the cluster"), connect);
  if (!connected.ok) {
    await showClusterError(l10n.t("The application was not submitted"), connected.error, log);
    return undefined;
  }
  const connection = connected.value;
  const namespace = await chooseNamespace(namespaces(), connection, asking);
  if (namespace === undefined) return undefined;
  return askForSubmission({ asking, connection, namespace, memory, file, program, typed });
}

/**
 * Returns the only namespace, or the context's namespace if the list is empty. Otherwise shows a quick pick; undefined
 * if the user cancels.
 */
async function chooseNamespace(
  namespaces: readonly string[],
  { context, namespace }: Connection,
  asking: AskingCommand,
): Promise<string | undefined> {
  if (namespaces.length < 2) return namespaces[0] ?? namespace;
  const chosen = await window.showQuickPick(
    namespaces.map((label) => ({ label })),
    {
      title: l10n.t('{0}: "{1}"', translated(commandTitle(asking)), context),
      placeHolder: l10n.t("Namespace of the application"),
      ignoreFocusOut: true,
    },
  );
  return chosen?.label;
}
