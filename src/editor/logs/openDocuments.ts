import { msg, type Message, type MessageText } from "../../base/message.ts";
import { containerUpdates } from "../../engine/logs/containerState.ts";
import {
  openLogPages,
  PageCutter,
  readContainerLog,
  logTextChunks,
  type ContainerInstance,
  type LogLoss,
  type OpenedPages,
  type LogText,
} from "../../engine/logs/logPages.ts";
import { hasNotStarted } from "../../engine/logs/tail.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import type { KeptLog, KeptLogs, LogItem, LogSource } from "../../engine/ports/logs.ts";
import { endCauseInLog } from "../../spark/diagnosis/starving.ts";
import type { LogLine } from "../../spark/logs/logLine.ts";
import { logTargetOf, type LogTarget } from "../../spark/logs/targets.ts";
import type { Application } from "../../spark/pods/application.ts";
import { executorsOf } from "../../spark/pods/applicationRun.ts";
import { pickPod } from "../apps/pick.ts";
import { executorName } from "../apps/rows/podRow.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { executorOf, type LogPod } from "./followed.ts";
import { keptOfGone } from "./keptOfGone.ts";
import type { LogDocuments } from "./logDocuments.ts";
import type { LogEditors, OpenedLog } from "./logEditors.ts";
import { logPlainText } from "./logPlainText.ts";
import type { LogsContext } from "./logsContext.ts";
import { SessionLogs } from "./sessionLogs.ts";
import { noLogYetWords } from "./noticeWords.ts";
import { podsOfRows } from "./tailLogs.ts";
import { textRules } from "../ui/plainText.ts";

export interface DocumentContext extends LogsContext {
  readonly documents: LogDocuments;
  readonly editors: LogEditors;
}

/** Opens the logs of the given rows, or of a pod that the user picks. An application means its driver. */
export async function openLogDocuments(
  context: DocumentContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  const all = await podsFor(context, nodes, msg("Open Log"));
  // If a row has several pods, the user chooses which logs to open.
  const pods = all.length <= Math.max(1, nodes.length) ? all : await pickSeveral(context, all);
  for (const one of pods) {
    const opened = await readLog(context, one);
    if (opened) await context.editors.open(opened);
  }
}

/**
 * Opens the logs of the given rows, or of a pod that the user picks, at the errors that ended them. Without such an
 * error in the newest page, opens the end of the log and shows a message.
 */
export async function openLogErrors(
  context: DocumentContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  for (const one of await podsFor(context, nodes, msg("Show Error in Log"))) {
    const opened = await readLog(context, one);
    if (opened === undefined) continue;
    const { last, count } = opened.pages;
    const cause = endCauseInLog(last.map(({ text }) => text));
    if (cause !== undefined) await context.editors.openAt(opened, count - 1, cause.at);
    else {
      await context.editors.open(opened);
      void context.screen.showInformationMessage(
        last.length === 0
          ? msg`The log of ${opened.name} is empty.`
          : msg`No error found in the last ${last.length} lines of the log of ${opened.name}.`,
      );
    }
  }
}

/** Opens the logs of the previous container runs of the given rows. */
export async function openPreviousLogs(
  context: DocumentContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  const task = msg("Cannot open the log");
  for (const one of await podsFor(context, nodes, msg("Open Previous Log"))) {
    const source = await sourceOf(context, one, task);
    if (source === undefined) return;
    const read = await readPages(context, source, nameOf(context, one), "previous");
    if (read.kind === "failed")
      await context.screen.showClusterError(task, read.error, context.log);
    else {
      const name = context.screen.translated(msg`${nameOf(context, one)} (previous)`);
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

/** Compares the newest pages of two logs without timestamps. With one row, shows a quick pick for the second log. */
export async function compareLogs(
  context: DocumentContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  const [first, given] = await podsFor(context, nodes, msg("Compare Logs"));
  if (first === undefined) return;
  const other = given ? () => readLog(context, given) : await pickOther(context, first);
  if (other === undefined) return;
  const left = await readLog(context, first);
  const right = await other();
  if (left === undefined || right === undefined) return;
  const uris = [left, right].map(({ id, name, pages }) =>
    context.documents.keep(`/compared/${id}/${name}.log`, pages.last.map(withoutTime)),
  );
  const { screen } = context;
  const isWhole = left.pages.count <= 1 && right.pages.count <= 1;
  const title = isWhole
    ? msg`${left.name} and ${right.name}`
    : msg`${left.name} and ${right.name}: only the newest ${left.pages.last.length} and ${right.pages.last.length} lines`;
  await screen.runCommand("vscode.diff", ...uris, textRules.title(screen.translated(title)), {
    preview: false,
  });
}

/**
 * Saves the whole log of a row to a file. An application means its driver. Without rows, saves `shown`, the log of the
 * active editor.
 */
export async function saveLog(
  context: DocumentContext,
  nodes: readonly TreeNode[],
  shown: OpenedLog | undefined,
): Promise<void> {
  const [one] = nodes.length === 0 && shown ? [] : await podsFor(context, nodes, msg("Save Log"));
  const whole = one ? await wholeLogOf(context, one) : shown && { ...shown, log: shown.pages };
  if (whole === undefined) return;
  const { name, log } = whole;
  const { screen } = context;
  const target = await screen.saveDialog({
    fileName: `${name.replaceAll(/[^\w.-]+/g, "-")}.log`,
    title: msg`Save the Log of ${name}`,
  });
  if (target?.scheme !== "file") return;
  const disk = await context.loadLogDisk();
  let loss: LogLoss | undefined;
  const lost = (found: LogLoss): string => {
    loss = found;
    return screen.translated(lossWords[found.kind]);
  };
  await screen.withProgress(
    { where: "notification", title: msg`Saving the log of ${name}`, cancellable: true },
    (signal) => disk.save(target.fsPath, logTextChunks(log, lost, signal), signal),
  );
  await tellLoss(context, name, loss);
}

const lossWords: Readonly<Record<LogLoss["kind"], Message>> = {
  failed: msg("the rest of the log cannot be read"),
  cutOff: msg("the node deleted older lines while the log was open"),
};

async function tellLoss(
  { screen, log }: DocumentContext,
  name: string,
  loss: LogLoss | undefined,
): Promise<void> {
  if (loss === undefined) return;
  const task = msg`The log of "${name}" was saved only partially`;
  if (loss.kind === "failed") await screen.showClusterError(task, loss.error, log);
  else
    void screen.showErrorMessage(
      `${screen.translated(task)}: ${screen.translated(lossWords.cutOff)}.`,
    );
}

/**
 * Returns a pod's log as its node has it, or the saved log if the first read fails. Undefined if the connection fails
 * (an error was shown).
 */
async function wholeLogOf(
  context: DocumentContext,
  one: LogPod,
): Promise<{ readonly name: string; readonly log: LogText } | undefined> {
  const source = await sourceOf(context, one, msg("Cannot save the log"));
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
        yield* keptItems(keptLines(context, disk.kept, kept, signal));
        return;
      }
      isAccepted = true;
      yield item;
    }
  };
  return { name: nameOf(context, one), log: { first: undefined, readAll } };
}

/** Reads a saved log with cancellable progress, and returns it as pages. */
export async function keptDocument(context: LogsContext, log: KeptLog): Promise<OpenedLog> {
  const { kept } = await context.loadLogDisk();
  const name = context.screen.translated(msg`${log.application} ${log.source} (kept)`);
  let count = 0;
  let first: LogLine | undefined;
  let last: LogLine[] = [];
  await whileReading(context, name, async (signal) => {
    for await (const { page, line } of paged(keptLines(context, kept, log, signal))) {
      if (page >= count) last = [];
      first ??= line;
      count = page + 1;
      last.push(line);
    }
  });
  const newest = last;
  const readOlder = async (wanted: number, signal: AbortSignal): Promise<readonly LogLine[]> => {
    const lines: LogLine[] = [];
    for await (const { page, line } of paged(keptLines(context, kept, log, signal))) {
      if (page > wanted) break;
      if (page === wanted) lines.push(line);
    }
    return lines;
  };
  const read = async (wanted: number, signal: AbortSignal): Promise<readonly LogLine[]> =>
    wanted === count - 1
      ? newest
      : whileReading(context, name, (own) => readOlder(wanted, AbortSignal.any([own, signal])));
  return {
    id: shortIdOf(log.uid),
    name,
    pages: {
      ...{ count, first, last, read },
      readAll: (signal) => keptItems(keptLines(context, kept, log, signal)),
    },
    live: undefined,
  };
}

async function* keptItems(batches: AsyncIterable<readonly LogLine[]>): AsyncGenerator<LogItem> {
  for await (const lines of batches) yield { kind: "lines", take: () => lines };
}

/** Yields the lines of a saved log, with a note in place of unreadable parts. */
export async function* keptLines(
  { screen }: Pick<LogsContext, "screen">,
  kept: KeptLogs,
  log: KeptLog,
  signal: AbortSignal,
): AsyncGenerator<readonly LogLine[]> {
  const unreadable: LogLine = {
    timestamp: "",
    text: `-- ${screen.translated(msg("a part of the saved log cannot be read"))} --`,
  };
  for await (const lines of kept.read(log, signal)) yield lines ?? [unreadable];
}

/** Yields each line with the number of its page, from 0, in log order. */
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
  const task = msg("Cannot open the log");
  const source = await sourceOf(context, one, task);
  if (source === undefined) return undefined;
  const { logs, target, connection } = source;
  const read = await readPages(context, source, nameOf(context, one), "current");
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
      name: nameOf(context, one),
      pages,
      live: { logs, target, news, add, applications },
    };
  }
  const kept = await keptLogOf(context, connection, target);
  if (kept) return keptDocument(context, kept);
  if (hasNotStarted(read.error)) {
    const [diagnosis] = context.session.diagnose(one.application, one.pod);
    void context.screen.showInformationMessage(
      noLogYetWords(nameOf(context, one), one.pod, diagnosis),
    );
    return undefined;
  }
  await context.screen.showClusterError(task, read.error, context.log);
  return undefined;
}

interface ContainerSource {
  readonly connection: Connection;
  readonly logs: LogSource;
  readonly target: LogTarget;
}

/** Returns the source of a pod's logs. Undefined if the connection fails (an error was shown). */
async function sourceOf(
  { session, screen, secrets, log }: DocumentContext,
  { application: { key }, pod }: LogPod,
  task: MessageText,
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
  await screen.showClusterError(task, connected.error, log);
  return undefined;
}

const readPages = (
  context: LogsContext,
  { logs, target }: ContainerSource,
  name: string,
  run: ContainerInstance,
): Thenable<OpenedPages> =>
  whileReading(context, name, (signal) => openLogPages(logs, target, run, signal));

/** Calls `read` while it shows a cancellable progress notification. */
const whileReading = <T>(
  { screen }: LogsContext,
  name: string,
  read: (signal: AbortSignal) => Promise<T>,
): Thenable<T> =>
  screen.withProgress(
    { where: "notification", title: msg`Reading the log of ${name}`, cancellable: true },
    read,
  );

const nameOf = ({ screen }: LogsContext, { application, name }: LogPod): string =>
  `${application.name} ${screen.translated(name)}`;

/** Returns a prefix of the pod's uid, which distinguishes logs with the same name. */
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

/**
 * Returns the pods of the rows; without rows, a pod that the user picks. An application means its driver, or its first
 * pod if the driver was deleted.
 */
async function podsFor(
  context: LogsContext,
  nodes: readonly TreeNode[],
  title: Message,
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

async function pickSeveral(
  { screen }: LogsContext,
  pods: readonly LogPod[],
): Promise<readonly LogPod[]> {
  const items = pods.map((one) => ({
    label: screen.translated(one.name),
    description: one.pod.pod.name,
    one,
  }));
  const chosen = await screen.showQuickPick(items, {
    title: screen.translated(msg("Open Log")),
    placeHolder: screen.translated(msg("Logs to open")),
    canPickMany: true,
  });
  return chosen?.map(({ one }) => one) ?? [];
}

/**
 * Shows a quick pick of the logs of executors and the saved logs of deleted pods. Returns the function that reads the
 * chosen log; undefined if the user cancels.
 */
async function pickOther(
  context: DocumentContext,
  first: LogPod,
): Promise<(() => Promise<OpenedLog | undefined>) | undefined> {
  const { session, screen, loadLogDisk } = context;
  const application = session.find(first.application.key) ?? first.application;
  const executors = [...executorsOf(application)]
    .filter(({ pod }) => pod.uid !== first.pod.pod.uid)
    .map((one) => ({
      label: screen.translated(executorName(one)),
      detail: one.pod.name,
      read: () => readLog(context, executorOf(application, one)),
    }));
  const { kept } = await loadLogDisk();
  const gone = keptOfGone(await kept.list(), session.contextOf(application.key), application)
    .filter(({ uid }) => uid !== first.pod.pod.uid)
    .map((log) => ({
      label: screen.translated(msg`${log.source} (kept)`),
      detail: log.pod,
      read: () => keptDocument(context, log),
    }));
  const chosen = await screen.showQuickPick([...executors, ...gone], {
    title: screen.translated(msg("Compare Logs")),
    placeHolder: screen.translated(msg`Executor to compare ${first.name} with`),
  });
  return chosen?.read;
}

// Remove timestamps, which always differ, from a comparison.
const withoutTime = ({ text }: LogLine): string =>
  logPlainText(text).replace(/^\[?\d[\d/:., T-]{6,}Z?\]?\s*/, "");
