import { l10n, window } from "vscode";
import { ok, type Result } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { Connection } from "../../engine/ports.ts";
import { findExecutorSets, scaleExecutors, type FoundSet } from "../../engine/scaleExecutors.ts";
import { isAlive, type Application } from "../../spark/pods/application.ts";
import { podsBeyond } from "../../spark/pods/executorSets.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { showClusterError } from "../showError.ts";
import { inView } from "../inView.ts";
import { actOnItems, type WorkWords } from "./actOnItems.ts";
import { askToChange } from "./askToChange.ts";
import { connectionOf, type LifecycleContext } from "./context.ts";
import { outcomeOfRequest } from "./outcome.ts";
import { submittedConfOf } from "./submittedConf.ts";
import { chosenApplications, namesFor } from "./targets.ts";

/**
 * Changes how many executors the applications of the given rows, or one that is picked, are to have. Only a set of the
 * cluster can be told that: of executors that the driver makes one by one, it alone knows how many it wants.
 */
export async function scaleApplications(
  context: LifecycleContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  const title = l10n.t("Scale Application");
  const chosen = await chosenApplications(context.session, nodes, title, isAlive);
  const connection = await connectionOf(
    context,
    chosen.map(({ key }) => key),
  );
  if (connection === undefined) return;
  const scalable: Scalable[] = [];
  for (const application of chosen) {
    const inspected = await inView((signal) => inspect(connection.objects, application, signal));
    if (!inspected.ok) {
      const words = l10n.t('"{0}" was not scaled', application.name);
      void showClusterError(words, inspected.error, context.log);
      continue;
    }
    const { sets, isDynamic } = inspected.value;
    if (sets.length === 0) void window.showInformationMessage(unscalableWords(application));
    const set = await chooseSet(application, sets, title);
    if (set !== undefined) scalable.push({ application, set, isDynamic });
    else if (sets.length > 0) return;
  }
  const replicas = await askForNumber(scalable, title);
  if (replicas === undefined) return;
  const changed = scalable.filter(({ set }) => set.replicas !== replicas);
  if (!(await mayScale(context, connection, changed, replicas))) return;
  await actOnItems(
    {
      items: changed,
      nameOf: ({ application }) => application.name,
      words: scaleWords,
      act: async ({ set }, deadline) =>
        outcomeOfRequest(await scaleExecutors(connection.objects, set, replicas, deadline)),
    },
    context,
  );
}

const scaleWords: WorkWords = {
  get title() {
    return l10n.t("Scaling applications");
  },
  failed: (name) => l10n.t('"{0}" was not scaled', name),
  someFailed: (count, all) => l10n.t("{0} of {1} applications were not scaled", count, all),
};

/** An application and the one of its sets that is meant. */
interface Scalable {
  readonly application: Application;
  readonly set: FoundSet;
  readonly isDynamic: boolean;
}

async function mayScale(
  context: LifecycleContext,
  connection: Connection,
  changed: readonly Scalable[],
  replicas: number,
): Promise<boolean> {
  const [only, ...others] = changed;
  if (only === undefined) return false;
  const { name } = only.application;
  const [question, action] =
    others.length === 0
      ? [
          l10n.t('Scale "{0}" from {1} to {2} executors?', name, only.set.replicas, replicas),
          l10n.t('Scale "{0}" to {1} executors', name, replicas),
        ]
      : [
          l10n.t("Scale {0} applications to {1} executors each?", changed.length, replicas),
          l10n.t("Scale {0} applications to {1} executors each", changed.length, replicas),
        ];
  const buttons = [l10n.t("Scale to {0}", replicas)] as const;
  const detail = changed.map((one) => detailOf(one, replicas)).join("\n\n");
  return (
    (await askToChange(context, connection, { question, detail, buttons, action })) !== undefined
  );
}

interface Inspected {
  readonly sets: readonly FoundSet[];
  readonly isDynamic: boolean;
}

async function inspect(
  objects: Connection["objects"],
  application: Application,
  signal: AbortSignal,
): Promise<Result<Inspected, ClusterError>> {
  const [sets, conf] = await Promise.all([
    findExecutorSets(objects, application, signal),
    submittedConfOf(objects, application, signal),
  ]);
  if (!sets.ok) return sets;
  const isDynamic = conf?.get("spark.dynamicAllocation.enabled")?.toLowerCase() === "true";
  return ok({ sets: sets.value, isDynamic });
}

async function chooseSet(
  { name }: Application,
  sets: readonly FoundSet[],
  title: string,
): Promise<FoundSet | undefined> {
  if (sets.length <= 1) return sets[0];
  const items = sets.map((set) => ({
    label: l10n.t("Resource profile {0}", set.profile),
    description: l10n.t("{0} executors", set.replicas),
    detail: `${set.kind} ${set.name}`,
    set,
  }));
  const placeHolder = l10n.t('Whose executors of "{0}" to scale', name);
  return (await window.showQuickPick(items, { title, placeHolder }))?.set;
}

async function askForNumber(
  scalable: readonly Scalable[],
  title: string,
): Promise<number | undefined> {
  const [only, ...others] = scalable;
  if (only === undefined) return undefined;
  const { application, set } = only;
  const now = new Set(scalable.map((one) => one.set.replicas));
  const prompt =
    others.length === 0
      ? l10n.t(
          'How many executors "{0}" is to have. Now it is to have {1}.',
          application.name,
          set.replicas,
        )
      : l10n.t(
          "How many executors each of {0} is to have. Now they are to have {1}.",
          namesFor(scalable.map((one) => one.application.name)),
          scalable.map((one) => one.set.replicas).join(", "),
        );
  const typed = await window.showInputBox({
    title,
    prompt,
    value: String(set.replicas),
    validateInput: (text) => {
      if (!/^\d{1,5}$/.test(text)) return l10n.t("A whole number from 0 to 99999");
      const isSame = now.size === 1 && now.has(Number(text));
      return isSame ? l10n.t("So many it is to have already") : undefined;
    },
  });
  return typed === undefined ? undefined : Number(typed);
}

function detailOf({ application, set, isDynamic }: Scalable, replicas: number): string {
  const { kind, name } = set;
  const change = replicas - set.replicas;
  const parts =
    change > 0
      ? [
          l10n.t(
            '{0} "{1}" makes {2} more. The driver gives them work as soon as they have registered.',
            kind,
            name,
            change,
          ),
        ]
      : [l10n.t('{0} "{1}" ends {2}.', kind, name, -change), lossWords(application, set, replicas)];
  if (isDynamic) {
    parts.push(
      l10n.t(
        "Dynamic allocation is on: as soon as the driver wants another number, it sets that in place of this one.",
      ),
    );
  }
  return parts.join("\n\n");
}

function lossWords(application: Application, set: FoundSet, replicas: number): string {
  const pods = podsBeyond(application, set, replicas);
  return [
    pods.length > 0
      ? l10n.t("Deleted: {0}.", namesFor(pods))
      : l10n.t("Which ones Kubernetes decides."),
    l10n.t(
      "Tasks running there fail and are run again elsewhere; blocks and shuffle files that only they hold are computed anew.",
    ),
    ...(set.hasClaims ? [l10n.t("Their volume claims stay until somebody deletes them.")] : []),
  ].join(" ");
}

const unscalableWords = ({ name }: Application): string =>
  l10n.t(
    '"{0}" cannot be scaled from outside: its driver makes each executor itself, and it alone knows how many it wants. Dynamic allocation scales it by its work. An application that is submitted with the allocator "statefulset", or from Spark 4.2 on "deployment", can be scaled here.',
    name,
  );
