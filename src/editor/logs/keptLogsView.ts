import { msg, type Message } from "../../base/message.ts";
import type { KeptLog } from "../../engine/ports/logs.ts";
import type { ClusterSession } from "../apps/clusterSession.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { logPlainText } from "./logPlainText.ts";
import { keptDocument, keptLines, paged, type DocumentContext } from "./openDocuments.ts";
import type { Screen } from "../screen.ts";
import { dateAndTime, recentTime } from "../../base/timeOfDay.ts";

/**
 * Shows a quick pick of the saved logs of the given rows (without rows, of all saved logs), and opens the chosen log.
 */
export async function openKeptLog(
  context: DocumentContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  const { session, screen, loadLogDisk, editors } = context;
  const all = await (await loadLogDisk()).kept.list();
  const wanted =
    nodes.length === 0
      ? all
      : all.filter((log) => nodes.some((node) => isOfRow(session, node, log)));
  if (wanted.length === 0) {
    void screen.showInformationMessage(
      msg("No saved log. Use Keep Logs before the pods are deleted."),
    );
    return;
  }
  const items = wanted.map((log) => ({ ...wordsOf(screen, log), log }));
  const chosen = await screen.showQuickPick(items, {
    title: screen.translated(msg("Open Kept Log")),
    placeHolder: screen.translated(msg("Log to open")),
  });
  if (chosen) await editors.open(await keptDocument(context, chosen.log));
}

/**
 * Shows a quick pick of applications and, after a confirmation, deletes their saved logs. Keeps the logs that a window
 * is saving.
 */
export async function forgetKeptLogs({ screen, loadLogDisk }: DocumentContext): Promise<void> {
  const { kept } = await loadLogDisk();
  const title = screen.translated(msg("Delete Kept Logs"));
  const groups = new Map<string, KeptLog[]>();
  for (const log of await kept.list()) {
    const key = JSON.stringify([log.context, log.applicationId]);
    groups.set(key, [...(groups.get(key) ?? []), log]);
  }
  if (groups.size === 0) {
    void screen.showInformationMessage(msg("No saved logs found."));
    return;
  }
  const items = [...groups.values()].flatMap((logs) =>
    logs.slice(0, 1).map((log) => item(screen, log, logs)),
  );
  const chosen = await screen.showQuickPick(items, {
    title,
    placeHolder: screen.translated(msg("Select the applications whose kept logs to delete")),
    canPickMany: true,
  });
  if (chosen === undefined || chosen.length === 0) return;
  const names = (all: readonly { readonly label: string }[]): string =>
    all.map(({ label }) => `"${label}"`).join(", ");
  const question = msg`Delete the kept logs of ${names(chosen)}?`;
  const detail = msg("They cannot be restored if the pods were deleted.");
  const button = msg("Delete");
  if ((await screen.showWarningMessage(question, { modal: true, detail }, button)) !== button)
    return;
  const left = [];
  for (const one of chosen) {
    if (!(await kept.forget(one.log.context, one.log.applicationId))) left.push(one);
  }
  if (left.length === 0) return;
  void screen.showInformationMessage(
    msg`The logs of ${names(left)} were not deleted because a window is saving them.`,
  );
}

const maxHits = 500;

interface Hit {
  readonly log: KeptLog;
  readonly page: number;
  /** Index of the line on the page. */
  readonly line: number;
  readonly text: string;
}

/**
 * Prompts for text and searches all saved logs for it, ignoring case, the newest log first, up to 500 matches. Opens
 * the log of the chosen match at its line.
 */
export async function searchKeptLogs(context: DocumentContext): Promise<void> {
  const { screen } = context;
  const text = await screen.showInputBox({
    title: screen.translated(msg("Search Kept Logs")),
    prompt: screen.translated(msg("Text to search for")),
  });
  if (text === undefined || text === "") return;
  const hits = await screen.withProgress(
    { where: "notification", title: msg("Searching kept logs"), cancellable: true },
    (signal) => findIn(context, text, signal),
  );
  if (hits.length === 0) {
    void screen.showInformationMessage(msg`No results for "${text}" in kept logs.`);
    return;
  }
  const items = hits.map((hit) => ({
    label: logPlainText(hit.text).slice(0, 300),
    description: `${hit.log.application} ${hit.log.source}`,
    hit,
  }));
  const chosen = await screen.showQuickPick(items, {
    title: screen.translated(msg`Lines with "${text}"`),
    placeHolder:
      hits.length < maxHits
        ? screen.translated(lineCount(hits.length))
        : screen.translated(msg`First ${hits.length} lines`),
  });
  if (chosen === undefined) return;
  const { log, page, line } = chosen.hit;
  await context.editors.openAt(await keptDocument(context, log), page, line);
}

async function findIn(
  { screen, loadLogDisk }: DocumentContext,
  text: string,
  signal: AbortSignal,
): Promise<readonly Hit[]> {
  const { kept } = await loadLogDisk();
  const wanted = text.toLowerCase();
  const hits: Hit[] = [];
  for (const log of await kept.list()) {
    let [onPage, line] = [-1, -1];
    for await (const found of paged(keptLines({ screen }, kept, log, signal))) {
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
  screen: Screen,
  log: KeptLog,
  logs: readonly KeptLog[],
): { label: string; description: string; detail: string; log: KeptLog } {
  const megabytes = logs.reduce((sum, { bytes }) => sum + bytes, 0) / 2 ** 20;
  return {
    label: log.application,
    description: screen.translated(
      logs.length === 1
        ? msg`1 log, ${megabytes.toFixed(1)} MB`
        : msg`${logs.length} logs, ${megabytes.toFixed(1)} MB`,
    ),
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

function wordsOf(
  screen: Screen,
  log: KeptLog,
): { label: string; description: string; detail: string } {
  const { application, source, context, namespace, pod, lines, last, isCutOff } = log;
  const [from, to] = [Date.parse(log.first), Date.parse(last)];
  const count = isCutOff
    ? screen.translated(msg`${lines} lines; older lines were dropped`)
    : screen.translated(lineCount(lines));
  return {
    label: `${application} ${source}`,
    description:
      last === ""
        ? count
        : screen.translated(msg`${count}, ${dateAndTime(from)} to ${recentTime(to, from)}`),
    detail: `${context} · ${namespace} · ${pod}`,
  };
}

const lineCount = (count: number): Message => (count === 1 ? msg("1 line") : msg`${count} lines`);
