import { l10n } from "vscode";
import { ok, type Result } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import {
  findExecutorSets,
  scaleExecutors,
  type FoundSet,
} from "../../engine/lifecycle/scaleExecutors.ts";
import { isAlive, type Application } from "../../spark/pods/application.ts";
import { podsBeyond } from "../../spark/pods/executorSets.ts";
import { distinctNameIn } from "../apps/distinctNames.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { showClusterError } from "../showError.ts";
import { inView } from "../progress.ts";
import { actOnItems, type WorkWords } from "./actOnItems.ts";
import { askToChange } from "./askToChange.ts";
import { connectionOf, type LifecycleContext } from "./context.ts";
import { outcomeOfRequest } from "./outcome.ts";
import { submittedConfOf } from "./submittedConf.ts";
import { chosenApplications, namesFor } from "./targets.ts";
import { window } from "../ui/window.ts";

/**
 * Scales the executors of the given rows' applications, or of one that the user picks. Needs a StatefulSet or a
 * Deployment: a driver that creates single pods ignores external changes.
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
  if (!(await mayScale(connection, changed, replicas))) return;
  await actOnItems(
    {
      items: changed,
      nameOf: scalableNameIn(changed),
      words: scaleWords,
      act: async ({ set }, deadline) =>
        outcomeOfRequest(await scaleExecutors(connection.objects, set, replicas, deadline)),
    },
    context,
  );
}

function scalableNameIn(all: readonly Scalable[]): (scalable: Scalable) => string {
  const nameOf = distinctNameIn(all.map(({ application }) => application));
  return ({ application }) => nameOf(application);
}

const scaleWords: WorkWords = {
  get title() {
    return l10n.t("Scaling applications");
  },
  failed: (name) => l10n.t('"{0}" was not scaled', name),
  someFailed: (count, all) => l10n.t("{0} of {1} applications were not scaled", count, all),
};

/** An application and the set to scale. */
interface Scalable {
  readonly application: Application;
  readonly set: FoundSet;
  readonly isDynamic: boolean;
}

async function mayScale(
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
  return (await askToChange(connection, { question, detail, buttons, action })) !== undefined;
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
  const placeHolder = l10n.t('Resource profile of "{0}" to scale', name);
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
      ? l10n.t('Number of executors of "{0}" (currently {1})', application.name, set.replicas)
      : l10n.t(
          "Number of executors of each of {0} (currently {1})",
          namesFor(scalable.map(scalableNameIn(scalable))),
          scalable.map((one) => one.set.replicas).join(", "),
        );
  const typed = await window.showInputBox({
    title,
    prompt,
    value: String(set.replicas),
    validateInput: (text) => {
      if (!/^\d{1,5}$/.test(text)) return l10n.t("Enter an integer from 0 to 99999");
      const isSame = now.size === 1 && now.has(Number(text));
      return isSame ? l10n.t("This is the current number") : undefined;
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
            '{0} "{1}" adds {2}. The driver uses them when they have registered.',
            kind,
            name,
            change,
          ),
        ]
      : [
          l10n.t('{0} "{1}" deletes {2}.', kind, name, -change),
          lossWords(application, set, replicas),
        ];
  if (isDynamic) {
    parts.push(l10n.t("Dynamic allocation is on: the driver may change this number again."));
  }
  return parts.join("\n\n");
}

function lossWords(application: Application, set: FoundSet, replicas: number): string {
  const pods = podsBeyond(application, set, replicas);
  return [
    pods.length > 0
      ? l10n.t("This will delete: {0}.", namesFor(pods))
      : l10n.t("Kubernetes chooses which ones."),
    l10n.t(
      "Their running tasks fail and are retried. Blocks and shuffle files that only they hold are recomputed.",
    ),
    ...(set.hasClaims ? [l10n.t("Their volume claims are not deleted.")] : []),
  ].join(" ");
}

const unscalableWords = ({ name }: Application): string =>
  l10n.t(
    '"{0}" cannot be scaled from outside, because its driver creates each executor pod. Use dynamic allocation, or submit it with the allocator "statefulset" (or "deployment", from Spark 4.2 on).',
    name,
  );
