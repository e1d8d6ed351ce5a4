import { msg, paragraphs, sentences, verbatim, type Message } from "../../base/message.ts";
import { assertNever } from "../../base/assertNever.ts";
import { askRunningDriver, type RunningDriver } from "../../engine/driver/askRunningDriver.ts";
import {
  decommissionExecutor,
  type Decommission,
} from "../../engine/lifecycle/decommissionExecutor.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import {
  countMigrationTargets,
  decommissioningOf,
  type Decommissioning,
} from "../../spark/pods/decommission.ts";
import { sparkContainerOf } from "../../spark/pods/sparkContainer.ts";
import type { ClusterSession } from "../apps/clusterSession.ts";
import { distinctNameIn, distinctNames } from "../apps/distinctNames.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import type { Screen } from "../screen.ts";
import { inView } from "../inView.ts";
import { actOnItems, type WorkWords } from "./actOnItems.ts";
import { askToChange, withContext } from "./askToChange.ts";
import { connectionOf, type LifecycleContext } from "./context.ts";
import { killTargets } from "./killExecutors.ts";
import type { Outcome } from "./outcome.ts";
import { followLeaving } from "./followLeaving.ts";
import {
  capital,
  livingExecutors,
  nameOfTarget,
  namesFor,
  podNames,
  replacementWords,
  type ActionTarget,
} from "./targets.ts";

/** The driver's conf and executors, and whether its executors can be decommissioned. Read before the confirmation. */
interface Inspected extends RunningDriver {
  readonly state: Decommissioning | undefined;
}

/**
 * Decommissions the executors of the given rows, or those that the user picks. If decommissioning is off in an
 * application, offers to kill its executors instead.
 */
export async function decommissionExecutors(
  context: LifecycleContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  const { session, screen } = context;
  const targets = await livingExecutors(context, nodes, msg("Decommission Executor"));
  const connection = await connectionOf(
    context,
    targets.map(({ application }) => application.key),
  );
  if (targets.length === 0 || connection === undefined) return;
  const inspected = await inView(screen, (signal) => inspectAll(connection, targets, signal));
  const isOff = ({ application }: ActionTarget): boolean =>
    inspected.get(application.key)?.state?.kind === "off";
  const able = targets.filter((target) => !isOff(target));
  if (able.length < targets.length) {
    await offerKill(context, connection, targets.filter(isOff), inspected);
  }
  const [first] = able;
  if (first === undefined) return;
  const nameOf = nameOfTarget(able, screen);
  const isOne = able.length === 1;
  const button = isOne ? msg("Decommission Executor") : msg`Decommission ${able.length} Executors`;
  const question = isOne
    ? msg`Decommission ${nameOf(first)}?`
    : msg`Decommission ${able.length} executors?`;
  const detail = paragraphs([
    detailOf(able, inspected, screen),
    lonelyWords(session, able, inspected),
  ]);
  if (!(await askToChange(screen, connection, { question, detail, buttons: [button] }))) return;
  const decommissioned = await actOnItems(
    {
      items: able,
      nameOf,
      words: decommissionWords,
      act: async ({ application, executor }, signal) => {
        const conf = inspected.get(application.key)?.conf;
        const done = await decommissionExecutor(connection, executor, conf, signal);
        const outcome = outcomeOf(done);
        if (outcome.kind === "done") session.beginLeaving(application, executor.pod);
        return outcome;
      },
    },
    context,
  );
  const limitMs = Math.max(...able.map((target) => patienceFor(target, inspected)));
  followLeaving(context, connection, decommissioned, limitMs)
    .finally(() => {
      session.endLeaving(decommissioned.map(({ executor }) => executor.pod));
    })
    .catch(context.log.error);
}

// Margin in ms for the cluster's latency, and the time limit if the executor's pod could not be read.
const marginMs = 30_000;
const signalMs = 300_000;

function patienceFor(
  { application }: ActionTarget,
  inspected: ReadonlyMap<string, Inspected>,
): number {
  const state = inspected.get(application.key)?.state;
  return (state?.kind === "on" ? state.gracePeriodSeconds * 1000 : signalMs) + marginMs;
}

const decommissionWords: WorkWords = {
  get title() {
    return msg("Decommissioning executors");
  },
  failed: (name) => msg`${capital(name)} was not decommissioned`,
  someFailed: (count, all) => msg`${count} of ${all} executors were not decommissioned`,
};

async function inspectAll(
  connection: Connection,
  targets: readonly ActionTarget[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Inspected>> {
  // Inspect one executor of each application, because all of them have the same configuration.
  const firstOf = new Map<string, ActionTarget>();
  for (const target of targets) {
    if (!firstOf.has(target.application.key)) firstOf.set(target.application.key, target);
  }
  const entries = [...firstOf].map(
    async ([key, target]) => [key, await inspect(connection, target, signal)] as const,
  );
  return new Map(await Promise.all(entries));
}

async function inspect(
  connection: Connection,
  { application, executor }: ActionTarget,
  signal: AbortSignal,
): Promise<Inspected> {
  const { namespace, name } = executor.pod;
  const [driver, pod] = await Promise.all([
    askRunningDriver(connection, application, signal),
    connection.objects.read({ apiVersion: "v1", kind: "Pod", namespace, name }, signal),
  ]);
  const container = sparkContainerOf(executor.pod)?.name;
  const state = pod.ok ? decommissioningOf(pod.value.body, container, driver.conf) : undefined;
  return { ...driver, state };
}

/** The lines of a properties file that let the next run decommission executors. */
const nextRunSettings =
  "spark.decommission.enabled true\nspark.storage.decommission.enabled true\n";

async function offerKill(
  context: LifecycleContext,
  connection: Connection,
  targets: readonly ActionTarget[],
  inspected: ReadonlyMap<string, Inspected>,
): Promise<void> {
  const { screen } = context;
  const applications = new Map(targets.map(({ application }) => [application.key, application]));
  const names = distinctNames([...applications.values()]).join(", ");
  const isKnown = targets.some(({ application }) => {
    const state = inspected.get(application.key)?.state;
    return state?.kind === "off" && state.isKnown;
  });
  const why = isKnown
    ? msg(
        'Its conf does not set "spark.decommission.enabled", so the signal would terminate the executor.',
      )
    : msg(
        'Its conf cannot be read, and its executors lack the preStop hook that "spark.decommission.enabled" adds.',
      );
  const detail = msg`${why} A killed executor loses its tasks, cached blocks and shuffle files, and Spark recomputes them. For the next run, set "spark.decommission.enabled" and "spark.storage.decommission.enabled".`;
  // The first button is the default, so it must not delete anything.
  const copy = msg("Copy Properties");
  const kill = msg("Kill Instead…");
  const [first] = targets;
  const question =
    targets.length === 1 && first !== undefined
      ? msg`Cannot decommission ${nameOfTarget(targets, screen)(first)}`
      : msg`Cannot decommission ${targets.length} executors of ${names}`;
  const options = { modal: true, detail: withContext(connection, detail) };
  const chosen = await screen.showWarningMessage(question, options, copy, kill);
  if (chosen === copy) await screen.copy(nextRunSettings);
  if (chosen === kill) await killTargets(context, targets);
}

function acceptsNoTasks(tasks: number | undefined): Message {
  if (tasks === undefined) {
    return msg("No new tasks start, and running tasks finish first.");
  }
  if (tasks === 0) return msg("No new tasks start, and no task is running.");
  return tasks === 1
    ? msg("No new tasks start, and the running task finishes first.")
    : msg`No new tasks start, and the ${tasks} running tasks finish first.`;
}

function detailOf(
  targets: readonly ActionTarget[],
  inspected: ReadonlyMap<string, Inspected>,
  screen: Pick<Screen, "translated">,
): Message {
  const tasks = countTasks(targets, inspected);
  return sentences([
    targets.length === 1 ? msg`Pod: ${podNames(targets)}.` : msg`Pods: ${podNames(targets)}.`,
    acceptsNoTasks(tasks),
    ...departureWords(targets, inspected, screen),
    replacementWords(targets),
    msg("This cannot be undone."),
  ]);
}

/** Returns the text about the migrated data and the time limit: one sentence per application if they differ. */
function departureWords(
  targets: readonly ActionTarget[],
  inspected: ReadonlyMap<string, Inspected>,
  { translated }: Pick<Screen, "translated">,
): readonly Message[] {
  const namesBy = new Map<string, Set<string>>();
  const nameOf = distinctNameIn(targets.map(({ application }) => application));
  for (const { application } of targets) {
    const state = inspected.get(application.key)?.state;
    const limit =
      state?.kind === "on" && state.hasHook
        ? msg`A pod that has not stopped after ${state.gracePeriodSeconds} s is terminated.`
        : undefined;
    const words = translated(sentences([movesWords(state), limit]));
    const names = namesBy.get(words) ?? new Set();
    namesBy.set(words, names.add(`"${nameOf(application)}"`));
  }
  if (namesBy.size === 1) return [...namesBy.keys()].map(verbatim);
  return [...namesBy].map(([words, names]) => msg`${namesFor([...names])}: ${words}`);
}

/** Returns the total of the targets' active tasks. Undefined if a driver does not report its tasks. */
function countTasks(
  targets: readonly ActionTarget[],
  inspected: ReadonlyMap<string, Inspected>,
): number | undefined {
  let count = 0;
  for (const { application, executor } of targets) {
    const report = inspected.get(application.key)?.executors;
    if (report === undefined) return undefined;
    count += report.activeTasks.get(String(executor.executorId)) ?? 0;
  }
  return count;
}

/** Returns a warning about applications without another executor that could receive the data. */
function lonelyWords(
  session: ClusterSession,
  targets: readonly ActionTarget[],
  inspected: ReadonlyMap<string, Inspected>,
): Message | undefined {
  const leaving = new Set(targets.map(({ executor }) => executor.pod.uid));
  const applications = new Map(targets.map(({ application }) => [application.key, application]));
  const lonely = [...applications.values()].filter((application) => {
    const state = inspected.get(application.key)?.state;
    const moves = state?.kind === "on" ? state.moves : undefined;
    const hands = moves === undefined || moves.cachedBlocks || moves.shuffleFiles;
    const report = inspected.get(application.key)?.executors ?? session.reportOf(application.key);
    return (
      hands &&
      moves?.fallbackStorage === undefined &&
      countMigrationTargets(application, leaving, report?.registered) === 0
    );
  });
  if (lonely.length === 0) return undefined;
  return msg`No other executor of ${distinctNames(lonely).join(", ")} can receive the data. Unless one registers in time, cached blocks and shuffle files are lost and recomputed.`;
}

function movesWords(state: Decommissioning | undefined): Message {
  if (state?.kind !== "on" || state.moves === undefined) {
    return msg("The driver's conf cannot be read, so it is unknown whether data is migrated.");
  }
  const { cachedBlocks, shuffleFiles } = state.moves;
  if (cachedBlocks && shuffleFiles) {
    return msg("Cached blocks and shuffle files are migrated to other executors.");
  }
  if (cachedBlocks) {
    return msg("Cached blocks are migrated. Shuffle files are lost and recomputed when needed.");
  }
  if (shuffleFiles) {
    return msg("Shuffle files are migrated. Cached blocks are lost and recomputed when needed.");
  }
  return msg(
    '"spark.storage.decommission.enabled" is not enabled, so cached blocks and shuffle files are lost and recomputed when needed.',
  );
}

function outcomeOf(decommission: Decommission): Outcome {
  switch (decommission.kind) {
    case "evicted":
      return done(msg`decommissioning; ends within ${decommission.gracePeriodSeconds} s`);
    case "deleted":
      return done(
        msg`decommissioning by deletion because eviction is forbidden; ends within ${decommission.gracePeriodSeconds} s`,
      );
    case "signalled":
      return done(msg("decommissioning; a signal was sent"));
    case "alreadyLeaving":
      return { kind: "nothingToDo", words: msg("already decommissioning") };
    case "alreadyGone":
      return { kind: "nothingToDo", words: msg("already deleted") };
    case "replaced":
      return { kind: "nothingToDo", words: msg("replaced by another pod with the same name") };
    case "off":
      return { kind: "nothingToDo", words: msg("decommissioning is disabled") };
    case "noProcess":
      return { kind: "nothingToDo", words: msg("its pod runs no executor process") };
    case "unconfirmed":
      return {
        kind: "notDone",
        words: msg("the command in its pod did not answer; the executor may still stop"),
      };
    case "failed":
      return decommission;
    default:
      return assertNever(decommission);
  }
}

const done = (words: Message): Outcome => ({ kind: "done", words });
