import { env, l10n, Uri } from "vscode";
import { localTime } from "../../base/timeOfDay.ts";
import { assertNever } from "../../base/assertNever.ts";
import { isAbort } from "../../base/isAbort.ts";
import type { DisposableStore } from "../../base/disposable.ts";
import type {
  EventLogProblem,
  FindInstalledSpark,
  ReadEventLog,
} from "../../engine/ports/eventLogs.ts";
import { idInLogPath, wholeLogPath } from "../../spark/eventLog/orderLogFiles.ts";
import { summarizeLog } from "../../spark/eventLog/summarizeLog.ts";
import { tableLanguage } from "../ids.ts";
import type { ReadOnlyDocuments } from "../readOnlyDocuments.ts";
import { translated } from "../ui/translated.ts";
import { window } from "../ui/window.ts";
import { inNotification } from "../progress.ts";

interface EventLogContext {
  readonly documents: ReadOnlyDocuments;
  readonly readEventLog: ReadEventLog;
  readonly findSpark: FindInstalledSpark;
  /** Owns the history servers. */
  readonly updates: DisposableStore;
}

/**
 * Shows the summary of an event log that the user chooses. If this machine has Spark, offers the Spark UI of the log.
 * Its history server then runs until the window closes.
 */
export async function showEventLog(context: EventLogContext): Promise<void> {
  const { documents, readEventLog } = context;
  const [chosen] =
    (await window.showOpenDialog({
      title: l10n.t("Open Event Log"),
      openLabel: l10n.t("Open"),
      // Dialogs of Windows and Linux select either files or folders. Choosing a file of a rolling log opens its folder.
      canSelectFiles: true,
    })) ?? [];
  if (chosen === undefined) return;
  const { fsPath } = chosen.with({ path: wholeLogPath(chosen.path) });
  try {
    const log = await inNotification(l10n.t("Reading the event log"), (signal) =>
      readEventLog(fsPath, signal),
    );
    if (!log.ok) {
      void window.showErrorMessage(problemWords(fsPath, log.error));
      return;
    }
    const { application } = log.value;
    const name = application.name ?? application.id ?? idInLogPath(chosen.path);
    const summary = summarizeLog(log.value, translated, localTime);
    await documents.show(`${name} event log.txt`, summary, tableLanguage);
    await offerSparkUi(fsPath, application.id, context);
  } catch (error) {
    if (!isAbort(error)) throw error;
  }
}

/** Returns the URL of an application's page in a history server. */
const pageOf = (port: number, id: string): Uri =>
  Uri.from({ scheme: "http", authority: `127.0.0.1:${port}`, path: `/history/${id}/jobs/` });

async function offerSparkUi(
  path: string,
  id: string | undefined,
  { findSpark, updates }: EventLogContext,
): Promise<void> {
  const spark = id === undefined ? undefined : await findSpark();
  if (spark === undefined || id === undefined) return;
  const { version } = spark;
  const open = l10n.t("Open Spark UI");
  const words = l10n.t(
    "Spark {0} on this machine can show the Spark UI of this event log.",
    version,
  );
  if ((await window.showInformationMessage(words, open)) !== open) return;
  const starting = l10n.t("Starting the history server of Spark {0}", version);
  const started = await inNotification(starting, (signal) =>
    spark.startHistoryServer(path, signal),
  );
  if (!started.ok) {
    void window.showErrorMessage(l10n.t("Cannot open the Spark UI: {0}", started.error));
    return;
  }
  const server = updates.add(started.value);
  await env.openExternal(pageOf(server.port, id));
  const stop = l10n.t("Stop History Server");
  const runs = l10n.t("The history server runs on this machine until the window closes.");
  if ((await window.showInformationMessage(runs, stop)) === stop) updates.remove(server);
}

function problemWords(path: string, problem: EventLogProblem): string {
  switch (problem.kind) {
    case "missing":
      return l10n.t(
        '"{0}" has no event log. Choose a log file, or a file "events_…" in a folder "eventlog_v2_…".',
        path,
      );
    case "codec":
      return l10n.t(
        'Cannot read "{0}": its codec {1} is not supported. Set spark.eventLog.compression.codec=zstd.',
        path,
        problem.codec,
      );
    case "torn":
      return l10n.t(
        'Cannot read "{0}": it is truncated or corrupted before the first job, or it is not a Spark event log. Copy the log again.',
        path,
      );
    case "notEvents":
      return l10n.t('"{0}" is not a Spark event log.', path);
    default:
      return assertNever(problem);
  }
}
