import { l10n } from "vscode";
import type { KeptLog } from "../../engine/ports/logs.ts";
import type { ClusterSession } from "../apps/clusterSession.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { logPlainText } from "./logEditors.ts";
import { keptDocument, keptLines, paged, type DocumentContext } from "./openDocuments.ts";
import { window } from "../ui/window.ts";
import { inNotification } from "../progress.ts";

/** Opens a saved log of the given rows, or any saved log. */
export async function openKeptLog(
  context: DocumentContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  const { session, loadLogDisk, editors } = context;
  const all = await (await loadLogDisk()).kept.list();
  const wanted =
    nodes.length === 0
      ? all
      : all.filter((log) => nodes.some((node) => isOfRow(session, node, log)));
  if (wanted.length === 0) {
    void window.showInformationMessage(
      l10n.t("No saved log. Use Keep Logs before the pods are deleted."),
    );
    return;
  }
  const items = wanted.map((log) => ({ ...wordsOf(log), log }));
  const chosen = await window.showQuickPick(items, {
    title: l10n.t("Open Kept Log"),
    placeHolder: l10n.t("Log to open"),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (chosen) await editors.open(await keptDocument(context, chosen.log));
}

/** Deletes the saved logs of the applications that the user picks. */
export async function forgetKeptLogs({ loadLogDisk }: DocumentContext): Promise<void> {
  const { kept } = await loadLogDisk();
  const title = l10n.t("Delete Kept Logs");
  const groups = new Map<string, KeptLog[]>();
  for (const log of await kept.list()) {
    const key = JSON.stringify([log.context, log.applicationId]);
    groups.set(key, [...(groups.get(key) ?? []), log]);
  }
  if (groups.size === 0) {
    void window.showInformationMessage(l10n.t("No saved logs found."));
    return;
  }
  const items = [...groups.values()].flatMap((logs) =>
    logs.slice(0, 1).map((log) => item(log, logs)),
  );
  const chosen = await window.showQuickPick(items, {
    title,
    placeHolder: l10n.t("Applications whose kept logs to delete"),
    canPickMany: true,
    matchOnDetail: true,
  });
  if (chosen === undefined || chosen.length === 0) return;
  const names = (all: readonly { readonly label: string }[]): string =>
    all.map(({ label }) => `"${label}"`).join(", ");
  const question = l10n.t("Delete the kept logs of {0}?", names(chosen));
  const detail = l10n.t("They cannot be restored if the pods were deleted.");
  const button = l10n.t("Delete");
  if ((await window.showWarningMessage(question, { modal: true, detail }, button)) !== button)
    return;
  const left = [];
  for (const one of chosen) {
    if (!(await kept.forget(one.log.context, one.log.applicationId))) left.push(one);
  }
  if (left.length === 0) return;
  void window.showInformationMessage(
    l10n.t("The logs of {0} were not deleted because a window is saving them.", names(left)),
  );
}

// The search stops at this number.
const maxHits = 500;

interface Hit {
  readonly log: KeptLog;
  readonly page: number;
  /** The line on the page. */
  readonly line: number;
  readonly text: string;
}

/** Searches all saved logs, the newest first. A hit opens its log at the line. */
export async function searchKeptLogs(context: DocumentContext): Promise<void> {
  const text = await window.showInputBox({
    title: l10n.t("Search Kept Logs"),
    prompt: l10n.t("Text to search for"),
  });
  if (text === undefined || text === "") return;
  const hits = await inNotification(l10n.t("Searching kept logs"), (signal) =>
    findIn(context, text, signal),
  );
  if (hits.length === 0) {
    void window.showInformationMessage(l10n.t('No results for "{0}" in kept logs.', text));
    return;
  }
  const items = hits.map((hit) => ({
    label: logPlainText(hit.text).slice(0, 300),
    description: `${hit.log.application} ${hit.log.source}`,
    hit,
  }));
  const chosen = await window.showQuickPick(items, {
    title: l10n.t('Lines with "{0}"', text),
    placeHolder:
      hits.length < maxHits
        ? l10n.t("{0} lines", hits.length)
        : l10n.t("First {0} lines", hits.length),
  });
  if (chosen === undefined) return;
  const { log, page, line } = chosen.hit;
  await context.editors.openAt(await keptDocument(context, log), page, line);
}

async function findIn(
  { loadLogDisk }: DocumentContext,
  text: string,
  signal: AbortSignal,
): Promise<readonly Hit[]> {
  const { kept } = await loadLogDisk();
  const wanted = text.toLowerCase();
  const hits: Hit[] = [];
  for (const log of await kept.list()) {
    let [onPage, line] = [-1, -1];
    for await (const found of paged(keptLines(kept, log, signal))) {
      line = found.page === onPage ? line + 1 : 0;
      onPage = found.page;
      if (!found.line.text.toLowerCase().includes(wanted)) continue;
      hits.push({ log, page: onPage, line, text: found.line.text });
      if (hits.length >= maxHits) return hits;
    }
  }
  return hits;
}

function item(
  log: KeptLog,
  logs: readonly KeptLog[],
): { label: string; description: string; detail: string; log: KeptLog } {
  const megabytes = logs.reduce((sum, { bytes }) => sum + bytes, 0) / 2 ** 20;
  return {
    label: log.application,
    description: l10n.t("{0} logs, {1} MB", logs.length, megabytes.toFixed(1)),
    detail: `${log.context} · ${log.namespace} · ${log.applicationId}`,
    log,
  };
}

function isOfRow(session: ClusterSession, node: TreeNode, log: KeptLog): boolean {
  if (node.kind === "driver" || node.kind === "executor") return node.uid === log.uid;
  if (!("key" in node)) return false;
  const application = session.find(node.key);
  return application?.id === log.applicationId && application.namespace === log.namespace;
}

function wordsOf(log: KeptLog): { label: string; description: string; detail: string } {
  const { application, source, namespace, pod, lines, last, isCutOff } = log;
  const count = isCutOff
    ? l10n.t("{0} lines; older lines were dropped", lines)
    : l10n.t("{0} lines", lines);
  return {
    label: `${application} ${source}`,
    description:
      last === "" ? count : l10n.t("{0}, until {1}", count, new Date(last).toLocaleString()),
    detail: `${namespace} · ${pod}`,
  };
}
