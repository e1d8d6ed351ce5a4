import { l10n } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import { isAbort } from "../../base/isAbort.ts";
import type { EventLogProblem, ReadEventLog } from "../../engine/ports/eventLogs.ts";
import { summarizeLog } from "../../spark/eventLog/summarizeLog.ts";
import type { ReadOnlyDocuments } from "../readOnlyDocuments.ts";
import { translated } from "../ui/translated.ts";
import { window } from "../ui/window.ts";
import { inNotification } from "../progress.ts";

interface EventLogContext {
  readonly documents: ReadOnlyDocuments;
  readonly readEventLog: ReadEventLog;
}

/** Shows the summary of an event log that the user chooses. */
export async function showEventLog({ documents, readEventLog }: EventLogContext): Promise<void> {
  const [chosen] =
    (await window.showOpenDialog({
      title: l10n.t("Open Event Log"),
      openLabel: l10n.t("Open"),
      // The log of Spark 4 is a folder.
      ...{ canSelectFiles: true, canSelectFolders: true },
    })) ?? [];
  if (chosen === undefined) return;
  try {
    const log = await inNotification(l10n.t("Reading the event log"), (signal) =>
      readEventLog(chosen.fsPath, signal),
    );
    if (!log.ok) {
      void window.showErrorMessage(problemWords(chosen.fsPath, log.error));
      return;
    }
    const { application } = log.value;
    const name = application.name ?? application.id ?? l10n.t("event log");
    await documents.show(`${name} event log.txt`, summarizeLog(log.value, translated));
  } catch (error) {
    if (!isAbort(error)) throw error;
  }
}

function problemWords(path: string, problem: EventLogProblem): string {
  switch (problem.kind) {
    case "missing":
      return l10n.t(
        '"{0}" has no event log. Choose a log file, or a folder "eventlog_v2_…".',
        path,
      );
    case "codec":
      return l10n.t(
        'Cannot read "{0}": its codec {1} is not supported. Set spark.eventLog.compression.codec=zstd.',
        path,
        problem.codec,
      );
    case "notEvents":
      return l10n.t('"{0}" is no event log of Spark.', path);
    default:
      return assertNever(problem);
  }
}
