import { l10n, window } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import { askRunningDriver, type RunningDriver } from "../../engine/askRunningDriver.ts";
import { decommissionExecutor, type Decommission } from "../../engine/decommissionExecutor.ts";
import type { Connection } from "../../engine/ports.ts";
import {
  countTakers,
  decommissioningOf,
  type Decommissioning,
} from "../../spark/pods/decommission.ts";
import { sparkContainerOf } from "../../spark/pods/sparkContainer.ts";
import type { ClusterSession } from "../apps/clusterSession.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { inView } from "../inView.ts";
import { actOnItems, type WorkWords } from "./actOnItems.ts";
import { askToChange } from "./askToChange.ts";
import { connectionOf, type LifecycleContext } from "./context.ts";
import { killTargets } from "./killExecutors.ts";
import type { Outcome } from "./outcome.ts";
import { followLeaving } from "./followLeaving.ts";
import {
  capital,
  livingExecutors,
  nameOfTarget,
  namesFor,
  replacementWords,
  type Target,
} from "./targets.ts";

/** What was found out of an application before the question. */
interface Inspected extends RunningDriver {
  readonly state: Decommissioning | undefined;
}

/**
 * Has the executors of the given rows, or those that are picked, hand over their work and end. Where their
 * application cannot do that, says so and offers to kill them instead.
 */
export async function decommissionExecutors(
  context: LifecycleContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  const { session } = context;
  const targets = await livingExecutors(session, nodes, l10n.t("Decommission Executor"));
  const connection = await connectionOf(
    context,
    targets.map(({ application }) => application.key),
  );
  if (targets.length === 0 || connection === undefined) return;
  const inspected = await inView((signal) => inspectAll(connection, targets, signal));
  const isOff = ({ application }: Target): boolean =>
    inspected.get(application.key)?.state?.kind === "off";
  const able = targets.filter((target) => !isOff(target));
  if (able.length < targets.length) await offerKill(context, targets.filter(isOff), inspected);
  const [first] = able;
  if (first === undefined) return;
  const nameOf = nameOfTarget(able);
  const isOne = able.length === 1;
  const button = isOne
    ? l10n.t("Decommission {0}", nameOf(first))
    : l10n.t("Decommission {0} executors", able.length);
  const question = isOne
    ? l10n.t('Decommission {0} of "{1}"?', nameOf(first), first.application.name)
    : l10n.t("Decommission {0} executors?", able.length);
  const detail = [detailOf(able, inspected), ...lonelyWords(session, able, inspected)].join("\n\n");
  if (!(await askToChange(context, connection, { question, detail, buttons: [button] }))) return;
  const told = await actOnItems(
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
  followLeaving(session, connection, told, limitMs)
    .finally(() => {
      session.endLeaving(told.map(({ executor }) => executor.pod));
    })
    .catch(context.log.error);
}

// For the cluster to notice, and for who is told by a signal, as long as others get.
const marginMs = 30_000;
const signalMs = 300_000;

function patienceFor({ application }: Target, inspected: ReadonlyMap<string, Inspected>): number {
  const state = inspected.get(application.key)?.state;
  return (state?.kind === "on" ? state.gracePeriodSeconds * 1000 : signalMs) + marginMs;
}

const decommissionWords: WorkWords = {
  get title() {
    return l10n.t("Decommissioning executors");
  },
  failed: (name) => l10n.t("{0} was not decommissioned", capital(name)),
  someFailed: (count, all) => l10n.t("{0} of {1} executors were not decommissioned", count, all),
};

async function inspectAll(
  connection: Connection,
  targets: readonly Target[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Inspected>> {
  // Of one application the executors are all alike in this.
  const firstOf = new Map<string, Target>();
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
  { application, executor }: Target,
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

async function offerKill(
  context: LifecycleContext,
  targets: readonly Target[],
  inspected: ReadonlyMap<string, Inspected>,
): Promise<void> {
  const names = [...new Set(targets.map(({ application }) => `"${application.name}"`))].join(", ");
  const isKnown = targets.some(({ application }) => {
    const state = inspected.get(application.key)?.state;
    return state?.kind === "off" && state.isKnown;
  });
  const why = isKnown
    ? l10n.t(
        'Its conf does not set "spark.decommission.enabled", so that Spark would take the signal for the end of the executor.',
      )
    : l10n.t(
        'Its conf cannot be read, and its executors lack the hook that Spark gives them with "spark.decommission.enabled".',
      );
  const detail = l10n.t(
    '{0} Killed, an executor loses its tasks, cached blocks and shuffle files, which are computed anew. For the next run, set "spark.decommission.enabled" and "spark.storage.decommission.enabled".',
    why,
  );
  const kill = l10n.t("Kill Instead…");
  const question = l10n.t("Decommissioning is off in {0}", names);
  const chosen = await window.showWarningMessage(question, { modal: true, detail }, kill);
  if (chosen === kill) await killTargets(context, targets);
}

function detailOf(targets: readonly Target[], inspected: ReadonlyMap<string, Inspected>): string {
  const tasks = countTasks(targets, inspected);
  const lines = [
    l10n.t("No new tasks are given to it, and it ends once those that run there are over."),
    tasks === undefined ? "" : l10n.t("Tasks that run there now: {0}.", tasks),
    ...departureWords(targets, inspected),
    replacementWords(targets),
    l10n.t("This cannot be undone."),
  ];
  return lines.filter((line) => line !== "").join(" ");
}

/** What is handed over, and how long it may take; of each application where they differ in it. */
function departureWords(
  targets: readonly Target[],
  inspected: ReadonlyMap<string, Inspected>,
): readonly string[] {
  const namesBy = new Map<string, Set<string>>();
  for (const { application } of targets) {
    const state = inspected.get(application.key)?.state;
    const limit =
      state?.kind === "on" && state.hasHook
        ? l10n.t("After {0} s it is ended in any case.", state.gracePeriodSeconds)
        : "";
    const words = [movesWords(state), limit].filter((part) => part !== "").join(" ");
    const names = namesBy.get(words) ?? new Set();
    namesBy.set(words, names.add(`"${application.name}"`));
  }
  if (namesBy.size === 1) return [...namesBy.keys()];
  return [...namesBy].map(([words, names]) => l10n.t("Of {0}: {1}", namesFor([...names]), words));
}

/** Undefined: not every driver tells. */
function countTasks(
  targets: readonly Target[],
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

/** Of applications in which nobody is left to take what would be handed over. */
function lonelyWords(
  session: ClusterSession,
  targets: readonly Target[],
  inspected: ReadonlyMap<string, Inspected>,
): readonly string[] {
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
      countTakers(application, leaving, report?.registered) === 0
    );
  });
  if (lonely.length === 0) return [];
  return [
    l10n.t(
      "No other executor of {0} runs that could take anything: cached blocks and shuffle files are lost and computed anew, unless another one registers in time.",
      lonely.map(({ name }) => `"${name}"`).join(", "),
    ),
  ];
}

function movesWords(state: Decommissioning | undefined): string {
  if (state?.kind !== "on" || state.moves === undefined) {
    return l10n.t(
      "Whether it hands over its blocks is not known: the driver's own conf cannot be read.",
    );
  }
  const { cachedBlocks, shuffleFiles } = state.moves;
  if (cachedBlocks && shuffleFiles) {
    return l10n.t("It hands over its cached blocks and shuffle files to other executors.");
  }
  if (cachedBlocks) {
    return l10n.t(
      "It hands over its cached blocks, but not its shuffle files, which are computed anew where they are needed.",
    );
  }
  if (shuffleFiles) {
    return l10n.t(
      "It hands over its shuffle files, but not its cached blocks, which are computed anew where they are needed.",
    );
  }
  return l10n.t(
    'It hands over neither cached blocks nor shuffle files, as "spark.storage.decommission.enabled" is off: they are computed anew where they are needed.',
  );
}

function outcomeOf(decommission: Decommission): Outcome {
  switch (decommission.kind) {
    case "evicted":
      return done(
        l10n.t("evicted, with {0} s to hand over its work", decommission.gracePeriodSeconds),
      );
    case "deleted":
      return done(
        l10n.t(
          "deleted, with {0} s to hand over its work, as you may not evict",
          decommission.gracePeriodSeconds,
        ),
      );
    case "signalled":
      return done(l10n.t("told by a signal to hand over its work"));
    case "alreadyLeaving":
      return { kind: "nothingToDo", words: l10n.t("leaving already") };
    case "alreadyGone":
      return { kind: "nothingToDo", words: l10n.t("gone already") };
    case "replaced":
      return { kind: "nothingToDo", words: l10n.t("replaced by another one of its name") };
    case "off":
      return { kind: "nothingToDo", words: l10n.t("not decommissioned, as that is off for it") };
    case "noProcess":
      return { kind: "nothingToDo", words: l10n.t("no process of an executor runs in its pod") };
    case "failed":
      return decommission;
    default:
      return assertNever(decommission);
  }
}

const done = (words: string): Outcome => ({ kind: "done", words });
