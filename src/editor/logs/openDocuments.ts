import { commands, l10n, ProgressLocation, Uri, window } from "vscode";
import { containerNews } from "../../engine/containerNews.ts";
import { openLogPages, PageCutter, type LogPages } from "../../engine/logPages.ts";
import type { Connection, KeptLog } from "../../engine/ports.ts";
import type { LogLine } from "../../spark/logs/logLine.ts";
import { logTargetOf } from "../../spark/logs/targets.ts";
import { executorsOf } from "../../spark/pods/applicationRun.ts";
import { pickPod } from "../apps/pick.ts";
import { executorName } from "../apps/treeItem.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { showClusterError } from "../showError.ts";
import { withSignal } from "../withSignal.ts";
import { executorOf, type LogPod } from "./followed.ts";
import type { LogDocuments } from "./logDocuments.ts";
import { plainText, type LogEditors, type OpenedLog } from "./logEditors.ts";
import type { LogsContext } from "./logsContext.ts";
import { SessionLogs } from "./sessionLogs.ts";
import { podsOfRows } from "./tailLogs.ts";

export interface DocumentContext extends LogsContext {
  readonly documents: LogDocuments;
  readonly editors: LogEditors;
}

/** Opens the logs of the given rows up to now, or of the pod that is picked. */
export async function openLogDocuments(
  context: DocumentContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  for (const one of await podsFor(context, nodes, l10n.t("Open Log"))) {
    const opened = await readLog(context, one);
    if (opened) await context.editors.open(opened);
  }
}

/** Shows in what the logs of two executors differ, but for the times; the second is picked where one was given. */
export async function compareLogs(
  context: DocumentContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  const [first, given] = await podsFor(context, nodes, l10n.t("Compare Logs"));
  if (first === undefined) return;
  const second = given ?? (await pickOther(context, first));
  if (second === undefined) return;
  const left = await readLog(context, first);
  const right = await readLog(context, second);
  if (left === undefined || right === undefined) return;
  const uris = [left, right].map(({ name, last }, at) =>
    context.documents.keep(`/compared/${at + 1}/${name}.log`, last.map(withoutTime)),
  );
  const title = l10n.t("{0} and {1}", left.name, right.name);
  await commands.executeCommand("vscode.diff", ...uris, title, { preview: false });
}

/** Writes the whole log of a row into a file. */
export async function saveLog(
  context: DocumentContext,
  nodes: readonly TreeNode[],
  shown: OpenedLog | undefined,
): Promise<void> {
  const [one] =
    nodes.length === 0 && shown ? [] : await podsFor(context, nodes, l10n.t("Save Log"));
  const opened = one ? await readLog(context, one) : shown;
  if (opened === undefined) return;
  const target = await window.showSaveDialog({
    defaultUri: Uri.file(`${opened.name.replaceAll(/[^\w.-]+/g, "-")}.log`),
    title: l10n.t("Save Log"),
  });
  if (target?.scheme !== "file") return;
  const disk = await context.loadLogDisk();
  await window.withProgress(
    { location: ProgressLocation.Notification, title: l10n.t("Saving the log"), cancellable: true },
    (_, token) =>
      withSignal(token, (signal) => disk.save(target.fsPath, textOf(opened.pages, signal), signal)),
  );
}

/** The log as a file has it: every page, as the program wrote it. */
async function* textOf(pages: LogPages, signal: AbortSignal): AsyncGenerator<string> {
  for (let page = 0; page < pages.count; page += 1) {
    const lines = await pages.read(page, signal);
    yield (lines ?? []).map(({ text }) => `${text}\n`).join("");
  }
}

/** A log that is kept on this machine. */
export async function keptDocument(context: LogsContext, log: KeptLog): Promise<OpenedLog> {
  const { kept } = await context.loadLogDisk();
  const never = new AbortController().signal;
  let count = 0;
  let last: LogLine[] = [];
  for await (const { page, line } of paged(kept.read(log, never))) {
    if (page >= count) last = [];
    count = page + 1;
    last.push(line);
  }
  const newest = last;
  const read = async (wanted: number, signal: AbortSignal): Promise<readonly LogLine[]> => {
    if (wanted === count - 1) return newest;
    const lines: LogLine[] = [];
    for await (const { page, line } of paged(kept.read(log, signal))) {
      if (page > wanted) break;
      if (page === wanted) lines.push(line);
    }
    return lines;
  };
  const name = l10n.t("{0} {1} (kept)", log.application, log.source);
  return { name, pages: { count, read }, last, live: undefined };
}

/** Each line with its page, in the order of the log. */
export async function* paged(
  batches: AsyncIterable<readonly LogLine[]>,
): AsyncGenerator<{ readonly page: number; readonly line: LogLine }> {
  const cutter = new PageCutter();
  let page = -1;
  for await (const batch of batches) {
    for (const line of batch) {
      if (cutter.begins(line)) page += 1;
      yield { page, line };
    }
  }
}

async function readLog(context: DocumentContext, one: LogPod): Promise<OpenedLog | undefined> {
  const { session, log } = context;
  const { key } = one.application;
  const task = l10n.t("The log was not opened");
  const connected = await session.connectTo(key, new AbortController().signal);
  if (!connected.ok) {
    await showClusterError(task, connected.error, log);
    return undefined;
  }
  const logs = new SessionLogs(session, key, connected.value);
  const target = logTargetOf(one.pod);
  const read = await window.withProgress(
    { location: ProgressLocation.Window, title: l10n.t("Reading the log of {0}", one.name) },
    () => openLogPages(logs, target, "current", new AbortController().signal),
  );
  const name = `${one.application.name} ${one.name}`;
  if (read.kind === "pages") {
    const { pages, last } = read;
    return {
      name,
      pages,
      last,
      live: { logs, target, news: containerNews(session.podsOf(key), target) },
    };
  }
  const kept = await keptLogOf(context, connected.value, target.uid);
  if (kept) return keptDocument(context, kept);
  await showClusterError(task, read.error, log);
  return undefined;
}

async function keptLogOf(
  { loadLogDisk }: LogsContext,
  connection: Connection,
  uid: string,
): Promise<KeptLog | undefined> {
  const all = await (await loadLogDisk()).kept.list();
  return all.find((one) => one.uid === uid && one.context === connection.context);
}

async function podsFor(
  { session }: LogsContext,
  nodes: readonly TreeNode[],
  title: string,
): Promise<readonly LogPod[]> {
  if (nodes.length > 0) return podsOfRows(session, nodes);
  return (await pickPod(session, title).then((one) => one && [one])) ?? [];
}

async function pickOther({ session }: LogsContext, first: LogPod): Promise<LogPod | undefined> {
  const application = session.find(first.application.key) ?? first.application;
  const items = [...executorsOf(application)]
    .filter(({ pod }) => pod.uid !== first.pod.pod.uid)
    .map((one) => ({ label: executorName(one), detail: one.pod.name, one }));
  const chosen = await window.showQuickPick(items, {
    title: l10n.t("Compare Logs"),
    placeHolder: l10n.t("Executor to compare {0} with", first.name),
  });
  return chosen && executorOf(application, chosen.one);
}

// Each line differs in its time; what else does is what is looked for.
const withoutTime = ({ text }: LogLine): string =>
  plainText(text).replace(/^\[?\d[\d/:., T-]{6,}Z?\]?\s*/, "");
