import { msg } from "../../base/message.ts";
import { assertNever } from "../../base/assertNever.ts";
import type { Disposable } from "../../base/disposable.ts";
import { podNow } from "../../engine/logs/containerState.ts";
import type { Clock } from "../../engine/ports/clock.ts";
import { isAlive, type Application } from "../../spark/pods/application.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import { describeState } from "../../spark/pods/describeState.ts";
import { displayState } from "../../spark/pods/displayState.ts";
import { shortNameIn } from "../apps/distinctNames.ts";
import { executorsBelow } from "../apps/executorRows.ts";
import { pickApplication, whenLoaded } from "../apps/pick.ts";
import type { ClusterSession } from "../apps/clusterSession.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import {
  beganAt,
  driverOf,
  executorOf,
  followedLog,
  hasFollowedLog,
  idOf,
  blockingLogs,
  linesAtFirst,
  logsOfApplication,
  otherLogs,
  podsOfApplication,
  type LogPod,
} from "./followed.ts";
import { tracedPlace } from "./shownLogs.ts";
import type { LogsContext } from "./logsContext.ts";
import type { LabelledLog } from "./logConsole.ts";
import type { WaitingReason } from "./logPty.ts";

/** The logs that one terminal follows. */
export interface LogSelection {
  /** Identifies the selected logs: selecting them again shows the terminal that follows them. */
  readonly key: string;
  readonly name: string;
  /** Distinguishes applications with the same name. The next run of an application has the same place. */
  readonly place: string;
  readonly title: string;
  /** Returns the selected pods that currently exist. */
  readonly pods: () => readonly LogPod[];
  /** Returns the applications of the selected logs. */
  readonly applications: () => readonly Application[];
  readonly isOfSeveral: boolean;
  readonly mayGrow: () => boolean;
}

/** Selects the logs of the given rows, or lets the user pick. Undefined without pods, or if the user cancels. */
export async function selectLogs(
  context: LogsContext,
  nodes: readonly TreeNode[],
): Promise<LogSelection | undefined> {
  if (nodes.length === 0) return pickLogs(context);
  const { session } = context;
  const applications = nodes.flatMap((node) =>
    node.kind === "application" ? (session.find(node.key) ?? []) : [],
  );
  if (applications.length > 0 && applications.length === nodes.length) {
    return ofApplications(context, applications);
  }
  const pods = podsOfRows(session, nodes);
  return pods.length === 0 ? undefined : ofPods(context, pods);
}

/**
 * Prompts for text, and selects all live applications, current and future, whose name or id contains it. Undefined if
 * the user cancels.
 */
export async function searchLogs({
  session,
  screen,
}: LogsContext): Promise<LogSelection | undefined> {
  await whenLoaded({ session, screen });
  const text = await screen.showInputBox({
    title: screen.translated(msg("Tail Logs of Several")),
    prompt: screen.translated(
      msg("Part of the application names. Includes applications that start later."),
    ),
  });
  if (text === undefined || text.trim() === "") return undefined;
  const wanted = text.trim().toLowerCase();
  const matches = ({ name, id }: Application): boolean =>
    name.toLowerCase().includes(wanted) || id.toLowerCase().includes(wanted);
  return {
    key: `search:${wanted}`,
    name: `*${text.trim()}*`,
    place: "",
    title: screen.translated(msg`all applications whose name contains "${text.trim()}"`),
    pods: () =>
      session.applications.filter((one) => isAlive(one) && matches(one)).flatMap(logsOfApplication),
    applications: () => session.applications.filter((one) => isAlive(one) && matches(one)),
    isOfSeveral: true,
    mayGrow: () => true,
  };
}

// In ms. A log that started at most this long before the terminal opened is read in full. Start times have a resolution
// of a second, and such a log is short.
const roughlyMs = 5_000;

/**
 * Returns a function that calls back with the current logs and, after each change until disposal, with the new logs.
 * Reads the last 1,000 existing lines, and logs that start later from their first line.
 */
export function followSelection(
  context: LogsContext,
  { pods, applications, isOfSeveral }: LogSelection,
  clock: Pick<Clock, "now">,
): (joined: (logs: readonly LabelledLog[]) => void) => Disposable {
  const { session } = context;
  return (joined) => {
    const known = new Set<string>();
    const openedAt = clock.now();
    const check = (): void => {
      const fresh = pods().flatMap((one) => {
        const connection = session.connectionOf(one.application.key);
        if (connection === undefined || !hasFollowedLog(one.pod, one.container)) return [];
        const id = idOf(one, connection);
        if (known.has(id)) return [];
        known.add(id);
        return { one, connection };
      });
      const nameOf = shortNameIn(applications());
      joined(
        fresh.map(({ one, connection }) => {
          // A context that connects later may have old logs. So compare their start with the time at which the terminal
          // opened, on the cluster's clock.
          const openedThere = openedAt + connection.now() - clock.now();
          const tailLines = beganAt(one) < openedThere - roughlyMs ? linesAtFirst : undefined;
          const prefix = isOfSeveral ? `${prefixOf(session, one.application, nameOf)} ` : "";
          return followedLog(context, connection, one, prefix, tailLines);
        }),
      );
    };
    check();
    return session.onDidChange(check);
  };
}

// The maximum number of diagnosed pods, because each diagnosis takes time, and many pending pods have the same cause.
const maxDiagnosed = 20;

/** Returns the reasons why selected pods have no log yet, each reason once. Checks the first 20 such pods. */
export function waitingReasons(
  { session }: Pick<LogsContext, "session">,
  { pods }: Pick<LogSelection, "pods">,
): readonly WaitingReason[] {
  const reasons = new Map<string, WaitingReason>();
  const waiting = pods().filter(({ pod, container }) => !hasFollowedLog(pod, container));
  for (const { application, pod, name } of waiting.slice(0, maxDiagnosed)) {
    const [diagnosis] = session.diagnose(session.find(application.key) ?? application, pod);
    const id = diagnosis?.id ?? pod.state.kind;
    const fact = diagnosis?.fact ?? describeState(pod.state);
    if (!reasons.has(id)) reasons.set(id, { id, words: msg`${name}: ${fact}` });
  }
  return [...reasons.values()];
}

const placeOf = (session: ClusterSession, applications: readonly Application[]): string => {
  const places = applications.map(({ key, namespace }) =>
    tracedPlace(session.contextOf(key) ?? "", namespace),
  );
  return [...new Set(places)].sort().join();
};

/** Returns a name that distinguishes an application, with its context if several contexts are watched. */
function prefixOf(
  session: ClusterSession,
  application: Application,
  nameOf: (application: Application) => string,
): string {
  const contexts = new Set(session.byContext().map(({ context }) => context));
  const context = contexts.size > 1 ? session.contextOf(application.key) : undefined;
  const name = nameOf(application);
  return context === undefined ? name : `${context}/${name}`;
}

function ofApplications(
  { session, screen }: LogsContext,
  applications: readonly Application[],
): LogSelection {
  const keys = applications.map(({ key }) => key);
  const known = applications.map((one) => ({ one, pods: session.podsOf(one.key) }));
  const now = (): readonly Application[] => keys.flatMap((key) => session.find(key) ?? []);
  const names = applications.map(shortNameIn(applications)).join(", ");
  return {
    key: `applications:${keys.join()}`,
    name: names,
    place: placeOf(session, applications),
    title: screen.translated(msg`${names}: the driver and all executors`),
    pods: () => now().flatMap(logsOfApplication),
    applications: now,
    isOfSeveral: applications.length > 1,
    mayGrow: () =>
      known.some(({ one, pods }) => {
        const latest = session.find(one.key);
        // Without a live watch of the namespace, assume that the application is still alive.
        return latest ? isAlive(latest) : !pods.areKnown(one.namespace);
      }),
  };
}

function ofPods({ session, screen }: LogsContext, pods: readonly LogPod[]): LogSelection {
  const known = pods.map((one) => ({ one, pods: session.podsOf(one.application.key) }));
  const as = (one: LogPod, pod: PodRecord | undefined): readonly LogPod[] => {
    if (pod === undefined) return [];
    return [pod === one.pod.pod ? one : { ...one, pod: { pod, state: displayState(pod) } }];
  };
  const isOfSeveral = new Set(pods.map(({ application }) => application.key)).size > 1;
  const nameOf = shortNameIn(pods.map(({ application }) => application));
  const names = pods.map(
    ({ application, name }) => `${nameOf(application)} ${screen.translated(name)}`,
  );
  const [first] = pods;
  const name = pods.length === 1 ? (names[0] ?? "") : screen.translated(msg`${pods.length} logs`);
  const title =
    pods.length === 1 && first
      ? screen.translated(msg`${first.pod.pod.name} in namespace ${first.application.namespace}`)
      : names.join(", ");
  return {
    key: `pods:${pods
      .map(({ application, pod, container = "" }) => [application.key, pod.pod.uid, container])
      .join()}`,
    name,
    place: placeOf(
      session,
      pods.map(({ application }) => application),
    ),
    title,
    pods: () =>
      known
        .flatMap(({ one, pods: those }) => as(one, those.findPod(one.pod.pod.uid)))
        .flatMap((one) => (one.container === undefined ? [one, ...blockingLogs(one)] : one)),
    applications: () => [...new Set(pods.map(({ application }) => application))],
    isOfSeveral,
    mayGrow: () =>
      known
        .flatMap(({ one, pods: those }) => as(one, podNow(those, one.pod.pod)))
        .some(({ pod, container }) => !hasFollowedLog(pod, container)),
  };
}

/** Returns the pods of the rows, without duplicates. */
export function podsOfRows(session: ClusterSession, nodes: readonly TreeNode[]): readonly LogPod[] {
  const pods = nodes.flatMap((node) => podsOfNode(session, node));
  return [...new Map(pods.map((one) => [one.pod.pod.uid, one])).values()];
}

function podsOfNode(session: ClusterSession, node: TreeNode): readonly LogPod[] {
  const application = "key" in node ? session.find(node.key) : undefined;
  if (application === undefined) return [];
  switch (node.kind) {
    case "application":
      return podsOfApplication(application);
    case "driver":
      return driverOf(application);
    case "executor":
    case "endedExecutors":
    case "executorPage":
      return executorsBelow(session, node, application).map((one) => executorOf(application, one));
    case "namespace":
    case "applicationPage":
    case "earlierRuns":
    case "progress":
      return [];
    default:
      return assertNever(node);
  }
}

async function pickLogs(context: LogsContext): Promise<LogSelection | undefined> {
  const { screen } = context;
  const title = msg("Tail Logs");
  const application = await pickApplication(context, title, () => true);
  if (application === undefined) return undefined;
  const pods = podsOfApplication(application);
  const logs = pods.flatMap((one) => [one, ...otherLogs(one)]);
  if (logs.length === 1) return ofPods(context, pods);
  const items = logs.map((one) => ({
    label: screen.translated(one.name),
    description: one.pod.pod.name,
    picked: one.container === undefined,
    one,
  }));
  const chosen = await screen.showQuickPick(items, {
    title: screen.translated(title),
    placeHolder: screen.translated(msg`Logs of "${application.name}" to follow as one`),
    canPickMany: true,
  });
  if (chosen === undefined || chosen.length === 0) return undefined;
  const isAll = chosen.length === pods.length && chosen.every(({ picked }) => picked);
  return isAll
    ? ofApplications(context, [application])
    : ofPods(
        context,
        chosen.map(({ one }) => one),
      );
}
