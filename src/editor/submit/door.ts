import { l10n, ProgressLocation, window, type Memento, type Uri } from "vscode";
import type { Result } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { Connection } from "../../engine/ports.ts";
import type { RunProfile } from "../../spark/submit/runProfile.ts";
import type { Log } from "../log.ts";
import { showClusterError } from "../showError.ts";
import { withSignal } from "../withSignal.ts";
import { askForSubmission } from "./askForSubmission.ts";
import { manifestTerminal } from "./manifestRun.ts";
import { isManifestProfile } from "./profileManifest.ts";
import type { RunTerminal } from "./runTerminal.ts";
import { submissionTerminal, type RunOptions } from "./submissionRun.ts";

export { profileOfPasted } from "./profileOfPasted.ts";
export { readPasted } from "./readPasted.ts";
export { checkSubmission, comparableSubmission, previewSubmission } from "./previewSubmission.ts";
export { convertSubmission } from "./convertSubmission.ts";
export { chooseManifest, manifestStarts } from "./manifestDocuments.ts";
export { manifestBeforeRun } from "./profileManifest.ts";
export { changeManifest, checkManifest, manifestText, previewManifest } from "./tellManifest.ts";

/** The terminal of a run profile, be its application a program or a manifest for an operator. */
export const openRun = (options: RunOptions): RunTerminal =>
  options.source.kind === "profile" && isManifestProfile(options.source.definition)
    ? manifestTerminal(options.source.definition, options)
    : submissionTerminal(options);

export interface AskOptions {
  readonly connect: (signal: AbortSignal) => Promise<Result<Connection, ClusterError>>;
  /** Where the application goes. */
  readonly namespaceOf: (connection: Connection) => string;
  /** Keeps the answers of the last time. */
  readonly memory: Memento;
  readonly log: Log;
}

/**
 * Asks for what a submission needs. `file`: the conf or Python file or jar that the command was called on.
 * Undefined when the dialog was left, or when there is no cluster to ask; why has been said.
 */
export async function askForProfile(
  { connect, namespaceOf, memory, log }: AskOptions,
  file: Uri | undefined,
): Promise<RunProfile | undefined> {
  const connected = await window.withProgress(
    { location: ProgressLocation.Window, title: l10n.t("Connecting to the cluster") },
    (_, token) => withSignal(token, connect),
  );
  if (!connected.ok) {
    await showClusterError(l10n.t("Nothing was submitted"), connected.error, log);
    return undefined;
  }
  const connection = connected.value;
  return askForSubmission({ connection, namespace: namespaceOf(connection), memory, file });
}
