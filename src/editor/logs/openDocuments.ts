import { commands, l10n, ProgressLocation, Uri, window } from "vscode";
import { containerNews } from "../../engine/containerNews.ts";
import {
  openLogPages,
  PageCutter,
  readWhole,
  wholeText,
  type ContainerRun,
  type LogLoss,
  type OpenedPages,
  type WholeLog,
} from "../../engine/logPages.ts";
import type { Connection, KeptLog, KeptLogs, LogItem, LogSource } from "../../engine/ports.ts";
import type { LogLine } from "../../spark/logs/logLine.ts";
import { logTargetOf, type LogTarget } from "../../spark/logs/targets.ts";
import type { Application } from "../../spark/pods/application.ts";
import { executorsOf } from "../../spark/pods/applicationRun.ts";
import { pickPod } from "../apps/pick.ts";
import { executorName } from "../apps/treeItem.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { showClusterError } from "../showError.ts";
import { withSignal } from "../withSignal.ts";
import { executorOf, type LogPod } from "./followed.ts";
import { keptOfGone } from "./keptOfGone.ts";
import type { LogDocuments } from "./logDocuments.ts";
import { plainText, type LogEditors, type OpenedLog } from "./logEditors.ts";
import type { LogsContext } from "./logsContext.ts";
import { SessionLogs } from "./sessionLogs.ts";
import { podsOfRows } from "./tailLogs.ts";

export interface DocumentContext extends LogsContext {
  readonly documents: LogDocuments;
  readonly editors: LogEditors;
}

/** Opens the logs of the given rows up to now, or of the pod that is picked; of an application its driver's. */
export async function openLogDocuments(
  context: DocumentContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  const all = await podsFor(context, nodes, l10n.t("Open Log"));
  // Of a row that stands for many pods nobody wants an editor for each.
  const pods = all.length <= Math.max(1, nodes.length) ? all : await pickSeveral(all);
  for (const one of pods) {
    const opened = await readLog(context, one);
    if (opened) await context.editors.open(opened);
  }
}

/** Opens the logs that the containers of the given rows wrote before they were started again. */
export async function openPreviousLogs(
  context: DocumentContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  const task = l10n.t("The log was not opened");
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

/** Shows in what the logs of two executors differ, but for the times; the second is picked where one was given. */
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
  await commands.executeCommand("vscode.diff", ...uris, title, { preview: false });
}

/** Writes the whole log of a row into a file; of an application its driver's. */
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
    defaultUri: Uri.file(`${name.replaceAll(/[^\w.-]+/g, "-")}.log`),
    title: l10n.t("Save the Log of {0}", name),
  });
  if (target?.scheme !== "file") return;
  const disk = await context.loadLogDisk();
  let loss: LogLoss | undefined;
  const lost = (found: LogLoss): string => {
    loss = found;
    return lossWords[found.kind]();
  };
  await window.withProgress(
    {
      location: ProgressLocation.Notification,
      title: l10n.t("Saving the log of {0}", name),
      cancellable: true,
    },
    (_, token) =>
      withSignal(token, (signal) => disk.save(target.fsPath, wholeText(log, lost, signal), signal)),
  );
  await tellLoss(context, name, loss);
}

const lossWords: Readonly<Record<LogLoss["kind"], () => string>> = {
  failed: () => l10n.t("the rest of the log could not be read"),
  cutOff: () =>
    l10n.t("the log began earlier when it was opened: its node has thrown the older lines away"),
};

async function tellLoss(
  { log }: DocumentContext,
  name: string,
  loss: LogLoss | undefined,
): Promise<void> {
  if (loss === undefined) return;
  const task = l10n.t('The log of "{0}" was not saved whole', name);
  if (loss.kind === "failed") await showClusterError(task, loss.error, log);
  else void window.showErrorMessage(`${task}: ${lossWords.cutOff()}.`);
}

/** Reads the log of a pod from its node, or what is kept of it where the node has it no more. */
async function wholeLogOf(
  context: DocumentContext,
  one: LogPod,
): Promise<{ readonly name: string; readonly log: WholeLog } | undefined> {
  const source = await sourceOf(context, one, l10n.t("The log was not saved"));
  if (source === undefined) return undefined;
  const { logs, target, connection } = source;
  const readAll = async function* (signal: AbortSignal): AsyncGenerator<LogItem> {
    let isAccepted = false;
    for await (const item of readWhole(
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

/** A log that is kept on this machine. */
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

/** The lines of a kept log, and in the place of those that the disk does not give back a line that says so. */
export async function* keptLines(
  kept: KeptLogs,
  log: KeptLog,
  signal: AbortSignal,
): AsyncGenerator<readonly LogLine[]> {
  const unreadable: LogLine = {
    timestamp: "",
    text: `-- ${l10n.t("a part of the kept log cannot be read any more")} --`,
  };
  for await (const lines of kept.read(log, signal)) yield lines ?? [unreadable];
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
  const task = l10n.t("The log was not opened");
  const source = await sourceOf(context, one, task);
  if (source === undefined) return undefined;
  const { logs, target, connection } = source;
  const read = await readPages(source, nameOf(one), "current");
  if (read.kind === "pages") {
    const { pages } = read;
    const news = containerNews(context.session.podsOf(one.application.key), target);
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
  await showClusterError(task, read.error, context.log);
  return undefined;
}

interface ContainerSource {
  readonly connection: Connection;
  readonly logs: LogSource;
  readonly target: LogTarget;
}

/** Undefined: there is no connection, and the user has been told. */
async function sourceOf(
  { session, log }: DocumentContext,
  { application: { key }, pod }: LogPod,
  task: string,
): Promise<ContainerSource | undefined> {
  const connected = await session.connectTo(key, new AbortController().signal);
  if (connected.ok) {
    const connection = connected.value;
    return {
      connection,
      logs: new SessionLogs(session, key, connection),
      target: logTargetOf(pod),
    };
  }
  await showClusterError(task, connected.error, log);
  return undefined;
}

const readPages = (
  { logs, target }: ContainerSource,
  name: string,
  run: ContainerRun,
): Thenable<OpenedPages> => whileReading(name, (signal) => openLogPages(logs, target, run, signal));

/** Says that a log is read, and lets the user give it up. */
const whileReading = <T>(name: string, read: (signal: AbortSignal) => Promise<T>): Thenable<T> =>
  window.withProgress(
    {
      location: ProgressLocation.Notification,
      title: l10n.t("Reading the log of {0}", name),
      cancellable: true,
    },
    (_, token) => withSignal(token, read),
  );

const nameOf = ({ application, name }: LogPod): string => `${application.name} ${name}`;

/** Enough of a pod's uid to tell it from those of other runs of the same name. */
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

/** What is called a log of an application is its driver's, or that of its first pod where the driver is gone. */
async function podsFor(
  { session }: LogsContext,
  nodes: readonly TreeNode[],
  title: string,
): Promise<readonly LogPod[]> {
  if (nodes.length === 0) {
    const picked = await pickPod(session, title, (name) => l10n.t('Log of "{0}"', name));
    return picked === undefined ? [] : [picked];
  }
  const pods = nodes.flatMap((node) => {
    const all = podsOfRows(session, [node]);
    return node.kind === "application" ? all.slice(0, 1) : all;
  });
  return [...new Map(pods.map((one) => [one.pod.pod.uid, one])).values()];
}

async function pickSeveral(pods: readonly LogPod[]): Promise<readonly LogPod[]> {
  const items = pods.map((one) => ({ label: one.name, description: one.pod.pod.name, one }));
  const chosen = await window.showQuickPick(items, {
    title: l10n.t("Open Log"),
    placeHolder: l10n.t("Logs to open"),
    canPickMany: true,
    matchOnDescription: true,
  });
  return chosen?.map(({ one }) => one) ?? [];
}

/** What reads the log that is picked: of an executor, or what is kept of a pod that is gone. */
async function pickOther(
  context: DocumentContext,
  first: LogPod,
): Promise<(() => Promise<OpenedLog | undefined>) | undefined> {
  const { session, loadLogDisk } = context;
  const application = session.find(first.application.key) ?? first.application;
  const executors = [...executorsOf(application)]
    .filter(({ pod }) => pod.uid !== first.pod.pod.uid)
    .map((one) => ({
      label: executorName(one),
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
    placeHolder: l10n.t("Executor to compare {0} with", first.name),
  });
  return chosen?.read;
}

// Each line differs in its time; what else does is what is looked for.
const withoutTime = ({ text }: LogLine): string =>
  plainText(text).replace(/^\[?\d[\d/:., T-]{6,}Z?\]?\s*/, "");
