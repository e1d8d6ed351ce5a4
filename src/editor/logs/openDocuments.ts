import { msg } from "../../base/message.ts";
import { commands, l10n } from "vscode";
import { containerUpdates } from "../../engine/logs/containerState.ts";
import {
  openLogPages,
  PageCutter,
  readContainerLog,
  logTextChunks,
  type WhichRun,
  type LogLoss,
  type OpenedPages,
  type LogText,
} from "../../engine/logs/logPages.ts";
import { hasNotStarted } from "../../engine/logs/tail.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import type { KeptLog, KeptLogs, LogItem, LogSource } from "../../engine/ports/logs.ts";
import { endInLog } from "../../spark/diagnosis/starving.ts";
import type { LogLine } from "../../spark/logs/logLine.ts";
import { logTargetOf, type LogTarget } from "../../spark/logs/targets.ts";
import type { Application } from "../../spark/pods/application.ts";
import { executorsOf } from "../../spark/pods/applicationRun.ts";
import { pickPod } from "../apps/pick.ts";
import { translated } from "../ui/translated.ts";
import { executorName } from "../apps/rows/podRow.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { showClusterError } from "../showError.ts";
import { executorOf, type LogPod } from "./followed.ts";
import { keptOfGone } from "./keptOfGone.ts";
import type { LogDocuments } from "./logDocuments.ts";
import { logPlainText, type LogEditors, type OpenedLog } from "./logEditors.ts";
import type { LogsContext } from "./logsContext.ts";
import { SessionLogs } from "./sessionLogs.ts";
import { noLogYetWords } from "./noticeWords.ts";
import { podsOfRows } from "./tailLogs.ts";
import { textRules } from "../ui/plainText.ts";
import { window } from "../ui/window.ts";
import { inNotification } from "../progress.ts";

export interface DocumentContext extends LogsContext {
  readonly documents: LogDocuments;
  readonly editors: LogEditors;
}

/** Opens the logs of the given rows, or of a pod that the user picks. An application means its driver. */
export async function openLogDocuments(
  context: DocumentContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  const all = await podsFor(context, nodes, l10n.t("Open Log"));
  // Asks which logs to open if a row has many pods.
  const pods = all.length <= Math.max(1, nodes.length) ? all : await pickSeveral(all);
  for (const one of pods) {
    const opened = await readLog(context, one);
    if (opened) await context.editors.open(opened);
  }
}

/** Opens the logs of the given rows, or of a pod that the user picks, at the errors that ended them. */
export async function openLogErrors(
  context: DocumentContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  for (const one of await podsFor(context, nodes, l10n.t("Show Error in Log"))) {
    const opened = await readLog(context, one);
    if (opened === undefined) continue;
    const { last, count } = opened.pages;
    const cause = endInLog(last.map(({ text }) => text));
    if (cause !== undefined) await context.editors.openAt(opened, count - 1, cause.at);
    else {
      await context.editors.open(opened);
      void window.showInformationMessage(
        l10n.t("No error found in the last {0} lines of the log of {1}.", last.length, opened.name),
      );
    }
  }
}

/** Opens the logs of the previous container runs of the given rows. */
export async function openPreviousLogs(
  context: DocumentContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  const task = l10n.t("Cannot open the log");
  for (const one of await podsFor(context, nodes, l10n.t("Open Previous Log"))) {
    const source = await sourceOf(context, one, task);
    if (source === undefined) return;
    const read = await readPages(source, nameOf(one), "previous");
    if (read.kind === "failed") await showClusterError(task, read.error, context.log);
    else {
      const name = l10n.t("{0} (previous)", nameOf(one));
      const { pages } = read;
      await context.editors.open({
        id: shortIdOf(source.target.uid),
        name,
        pages,
        live: undefined,
      });
    }
  }
}

/** Compares the logs of two executors without timestamps. Asks for the second if one row is given. */
export async function compareLogs(
  context: DocumentContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  const [first, given] = await podsFor(context, nodes, l10n.t("Compare Logs"));
  if (first === undefined) return;
  const other = given ? () => readLog(context, given) : await pickOther(context, first);
  if (other === undefined) return;
  const left = await readLog(context, first);
  const right = await other();
  if (left === undefined || right === undefined) return;
  const uris = [left, right].map(({ id, name, pages }) =>
    context.documents.keep(`/compared/${id}/${name}.log`, pages.last.map(withoutTime)),
  );
  const isWhole = left.pages.count <= 1 && right.pages.count <= 1;
  const title = isWhole
    ? l10n.t("{0} and {1}", left.name, right.name)
    : l10n.t(
        "{0} and {1}: only the newest {2} and {3} lines",
        left.name,
        right.name,
        left.pages.last.length,
        right.pages.last.length,
      );
  await commands.executeCommand("vscode.diff", ...uris, textRules.title(title), {
    preview: false,
  });
}

/** Saves the whole log of a row to a file. An application means its driver. */
export async function saveLog(
  context: DocumentContext,
  nodes: readonly TreeNode[],
  shown: OpenedLog | undefined,
): Promise<void> {
  const [one] =
    nodes.length === 0 && shown ? [] : await podsFor(context, nodes, l10n.t("Save Log"));
  const whole = one ? await wholeLogOf(context, one) : shown && { ...shown, log: shown.pages };
  if (whole === undefined) return;
  const { name, log } = whole;
  const target = await window.showSaveDialog({
    name: `${name.replaceAll(/[^\w.-]+/g, "-")}.log`,
    title: l10n.t("Save the Log of {0}", name),
  });
  if (target?.scheme !== "file") return;
  const disk = await context.loadLogDisk();
  let loss: LogLoss | undefined;
  const lost = (found: LogLoss): string => {
    loss = found;
    return lossWords[found.kind]();
  };
  await inNotification(l10n.t("Saving the log of {0}", name), (signal) =>
    disk.save(target.fsPath, logTextChunks(log, lost, signal), signal),
  );
  await tellLoss(context, name, loss);
}

const lossWords: Readonly<Record<LogLoss["kind"], () => string>> = {
  failed: () => l10n.t("the rest of the log cannot be read"),
  cutOff: () => l10n.t("the node deleted older lines while the log was open"),
};

async function tellLoss(
  { log }: DocumentContext,
  name: string,
  loss: LogLoss | undefined,
): Promise<void> {
  if (loss === undefined) return;
  const task = l10n.t('The log of "{0}" was saved only partially', name);
  if (loss.kind === "failed") await showClusterError(task, loss.error, log);
  else void window.showErrorMessage(`${task}: ${lossWords.cutOff()}.`);
}

/** Reads a pod's log from its node, or the saved log if the node deleted it. */
async function wholeLogOf(
  context: DocumentContext,
  one: LogPod,
): Promise<{ readonly name: string; readonly log: LogText } | undefined> {
  const source = await sourceOf(context, one, l10n.t("Cannot save the log"));
  if (source === undefined) return undefined;
  const { logs, target, connection } = source;
  const readAll = async function* (signal: AbortSignal): AsyncGenerator<LogItem> {
    let isAccepted = false;
    for await (const item of readContainerLog(
      logs,
      target,
      { run: "current", sinceTime: undefined },
      signal,
    )) {
      const kept =
        item.kind === "failed" && !isAccepted
          ? await keptLogOf(context, connection, target)
          : undefined;
      if (kept) {
        const disk = await context.loadLogDisk();
        yield* keptItems(keptLines(disk.kept, kept, signal));
        return;
      }
      isAccepted = true;
      yield item;
    }
  };
  return { name: nameOf(one), log: { first: undefined, readAll } };
}

/** A saved log. */
export async function keptDocument(context: LogsContext, log: KeptLog): Promise<OpenedLog> {
  const { kept } = await context.loadLogDisk();
  const name = l10n.t("{0} {1} (kept)", log.application, log.source);
  let count = 0;
  let first: LogLine | undefined;
  let last: LogLine[] = [];
  await whileReading(name, async (signal) => {
    for await (const { page, line } of paged(keptLines(kept, log, signal))) {
      if (page >= count) last = [];
      first ??= line;
      count = page + 1;
      last.push(line);
    }
  });
  const newest = last;
  const readOlder = async (wanted: number, signal: AbortSignal): Promise<readonly LogLine[]> => {
    const lines: LogLine[] = [];
    for await (const { page, line } of paged(keptLines(kept, log, signal))) {
      if (page > wanted) break;
      if (page === wanted) lines.push(line);
    }
    return lines;
  };
  const read = async (wanted: number, signal: AbortSignal): Promise<readonly LogLine[]> =>
    wanted === count - 1
      ? newest
      : whileReading(name, (own) => readOlder(wanted, AbortSignal.any([own, signal])));
  return {
    id: shortIdOf(log.uid),
    name,
    pages: {
      ...{ count, first, last, read },
      readAll: (signal) => keptItems(keptLines(kept, log, signal)),
    },
    live: undefined,
  };
}

async function* keptItems(batches: AsyncIterable<readonly LogLine[]>): AsyncGenerator<LogItem> {
  for await (const lines of batches) yield { kind: "lines", take: () => lines };
}

/** The lines of a saved log, with a note in place of unreadable parts. */
export async function* keptLines(
  kept: KeptLogs,
  log: KeptLog,
  signal: AbortSignal,
): AsyncGenerator<readonly LogLine[]> {
  const unreadable: LogLine = {
    timestamp: "",
    text: `-- ${l10n.t("a part of the saved log cannot be read")} --`,
  };
  for await (const lines of kept.read(log, signal)) yield lines ?? [unreadable];
}

/** Each line with its page, in log order. */
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
  const task = l10n.t("Cannot open the log");
  const source = await sourceOf(context, one, task);
  if (source === undefined) return undefined;
  const { logs, target, connection } = source;
  const read = await readPages(source, nameOf(one), "current");
  if (read.kind === "pages") {
    const { pages } = read;
    const news = containerUpdates(context.session.podsOf(one.application.key), target);
    const add = (line: LogLine): boolean => pages.add(line);
    const { key } = one.application;
    const applications = (): readonly Application[] => {
      const application = context.session.find(key);
      return application === undefined ? [] : [application];
    };
    return {
      id: shortIdOf(target.uid),
      name: nameOf(one),
      pages,
      live: { logs, target, news, add, applications },
    };
  }
  const kept = await keptLogOf(context, connection, target);
  if (kept) return keptDocument(context, kept);
  if (hasNotStarted(read.error)) {
    const [diagnosis] = context.session.diagnose(one.application, one.pod);
    const words = noLogYetWords(nameOf(one), one.pod, diagnosis);
    void window.showInformationMessage(translated(words));
    return undefined;
  }
  await showClusterError(task, read.error, context.log);
  return undefined;
}

interface ContainerSource {
  readonly connection: Connection;
  readonly logs: LogSource;
  readonly target: LogTarget;
}

/** Undefined without a connection; the user has then been told. */
async function sourceOf(
  { session, secrets, log }: DocumentContext,
  { application: { key }, pod }: LogPod,
  task: string,
): Promise<ContainerSource | undefined> {
  const connected = await session.connectTo(key, new AbortController().signal);
  if (connected.ok) {
    const connection = connected.value;
    return {
      connection,
      logs: new SessionLogs(session, key, connection, secrets()),
      target: logTargetOf(pod),
    };
  }
  await showClusterError(task, connected.error, log);
  return undefined;
}

const readPages = (
  { logs, target }: ContainerSource,
  name: string,
  run: WhichRun,
): Thenable<OpenedPages> => whileReading(name, (signal) => openLogPages(logs, target, run, signal));

/** Reads a log with cancellable progress. */
const whileReading = <T>(name: string, read: (signal: AbortSignal) => Promise<T>): Thenable<T> =>
  inNotification(l10n.t("Reading the log of {0}", name), read);

const nameOf = ({ application, name }: LogPod): string => `${application.name} ${translated(name)}`;

/** A prefix of the pod's uid that distinguishes runs with the same name. */
const shortIdOf = (uid: string): string => uid.slice(0, 8);

async function keptLogOf(
  { loadLogDisk }: LogsContext,
  connection: Connection,
  { uid, container = "" }: LogTarget,
): Promise<KeptLog | undefined> {
  const all = await (await loadLogDisk()).kept.list();
  return all.find(
    (one) => one.uid === uid && one.container === container && one.context === connection.context,
  );
}

/** An application means its driver, or its first pod if the driver was deleted. */
async function podsFor(
  context: LogsContext,
  nodes: readonly TreeNode[],
  title: string,
): Promise<readonly LogPod[]> {
  const { session } = context;
  if (nodes.length === 0) {
    const picked = await pickPod(context, title, (name) => msg`Log of "${name}"`);
    return picked === undefined ? [] : [picked];
  }
  const pods = nodes.flatMap((node) => {
    const all = podsOfRows(session, [node]);
    return node.kind === "application" ? all.slice(0, 1) : all;
  });
  return [...new Map(pods.map((one) => [one.pod.pod.uid, one])).values()];
}

async function pickSeveral(pods: readonly LogPod[]): Promise<readonly LogPod[]> {
  const items = pods.map((one) => ({
    label: translated(one.name),
    description: one.pod.pod.name,
    one,
  }));
  const chosen = await window.showQuickPick(items, {
    title: l10n.t("Open Log"),
    placeHolder: l10n.t("Logs to open"),
    canPickMany: true,
    matchOnDescription: true,
  });
  return chosen?.map(({ one }) => one) ?? [];
}

/** Asks for the log of an executor or for the saved log of a deleted pod. */
async function pickOther(
  context: DocumentContext,
  first: LogPod,
): Promise<(() => Promise<OpenedLog | undefined>) | undefined> {
  const { session, loadLogDisk } = context;
  const application = session.find(first.application.key) ?? first.application;
  const executors = [...executorsOf(application)]
    .filter(({ pod }) => pod.uid !== first.pod.pod.uid)
    .map((one) => ({
      label: translated(executorName(one)),
      detail: one.pod.name,
      read: () => readLog(context, executorOf(application, one)),
    }));
  const { kept } = await loadLogDisk();
  const gone = keptOfGone(await kept.list(), session.contextOf(application.key), application)
    .filter(({ uid }) => uid !== first.pod.pod.uid)
    .map((log) => ({
      label: l10n.t("{0} (kept)", log.source),
      detail: log.pod,
      read: () => keptDocument(context, log),
    }));
  const chosen = await window.showQuickPick([...executors, ...gone], {
    title: l10n.t("Compare Logs"),
    placeHolder: translated(msg`Executor to compare ${first.name} with`),
  });
  return chosen?.read;
}

// Timestamps always differ.
const withoutTime = ({ text }: LogLine): string =>
  logPlainText(text).replace(/^\[?\d[\d/:., T-]{6,}Z?\]?\s*/, "");
