import { msg, paragraphs, sentences, type Message, type MessageText } from "../../base/message.ts";
import { ok, type Result } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import {
  findExecutorSets,
  scaleExecutors,
  type FoundSet,
} from "../../engine/lifecycle/scaleExecutors.ts";
import { isAlive, type Application } from "../../spark/pods/application.ts";
import { podsRemovedByScaleDown } from "../../spark/pods/executorSets.ts";
import { distinctNameIn } from "../apps/distinctNames.ts";
import type { Screen } from "../screen.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { inView } from "../inView.ts";
import { actOnItems, type WorkWords } from "./actOnItems.ts";
import { askToChange } from "./askToChange.ts";
import { connectionOf, type LifecycleContext } from "./context.ts";
import { outcomeOfRequest } from "./outcome.ts";
import { submittedConfOf } from "./submittedConf.ts";
import { chosenApplications, namesFor } from "./targets.ts";

/**
 * Scales the executors of the given rows' applications, or of one that the user picks. Needs a StatefulSet or a
 * Deployment: a driver that creates single pods ignores external changes.
 */
export async function scaleApplications(
  context: LifecycleContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  const { screen } = context;
  const title = msg("Scale Application");
  const chosen = await chosenApplications(context, nodes, title, isAlive);
  const connection = await connectionOf(
    context,
    chosen.map(({ key }) => key),
  );
  if (connection === undefined) return;
  const scalable: Scalable[] = [];
  for (const application of chosen) {
    const inspected = await inView(screen, (signal) =>
      inspect(connection.objects, application, signal),
    );
    if (!inspected.ok) {
      const words = msg`"${application.name}" was not scaled`;
      void screen.showClusterError(words, inspected.error, context.log);
      continue;
    }
    const { sets, isDynamic } = inspected.value;
    if (sets.length === 0) void screen.showInformationMessage(unscalableWords(application));
    const set = await chooseSet(screen, application, sets, title);
    if (set !== undefined) scalable.push({ application, set, isDynamic });
    else if (sets.length > 0) return;
  }
  const replicas = await askForNumber(screen, scalable, title);
  if (replicas === undefined) return;
  const changed = scalable.filter(({ set }) => set.replicas !== replicas);
  if (!(await mayScale(screen, connection, changed, replicas))) return;
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
    return msg("Scaling applications");
  },
  failed: (name) => msg`"${name}" was not scaled`,
  someFailed: (count, all) => msg`${count} of ${all} applications were not scaled`,
};

/** An application, and its StatefulSet or Deployment to scale. */
interface Scalable {
  readonly application: Application;
  readonly set: FoundSet;
  readonly isDynamic: boolean;
}

async function mayScale(
  screen: Screen,
  connection: Connection,
  changed: readonly Scalable[],
  replicas: number,
): Promise<boolean> {
  const [only, ...others] = changed;
  if (only === undefined) return false;
  const { name } = only.application;
  const question =
    others.length === 0
      ? msg`Scale "${name}" from ${only.set.replicas} to ${replicas} executors?`
      : msg`Scale ${changed.length} applications to ${replicas} executors each?`;
  const buttons = [msg`Scale to ${replicas}`] as const;
  const detail = paragraphs(changed.map((one) => detailOf(one, replicas))) ?? "";
  return (await askToChange(screen, connection, { question, detail, buttons })) !== undefined;
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
  { showQuickPick, translated }: Screen,
  { name }: Application,
  sets: readonly FoundSet[],
  title: MessageText,
): Promise<FoundSet | undefined> {
  if (sets.length <= 1) return sets[0];
  const items = sets.map((set) => ({
    label: translated(msg`Resource profile ${set.profile}`),
    description: translated(msg`${set.replicas} executors`),
    detail: `${set.kind} ${set.name}`,
    set,
  }));
  const placeHolder = translated(msg`Resource profile of "${name}" to scale`);
  return (await showQuickPick(items, { title: translated(title), placeHolder }))?.set;
}

async function askForNumber(
  { showInputBox, translated }: Screen,
  scalable: readonly Scalable[],
  title: MessageText,
): Promise<number | undefined> {
  const [only, ...others] = scalable;
  if (only === undefined) return undefined;
  const { application, set } = only;
  const now = new Set(scalable.map((one) => one.set.replicas));
  const prompt =
    others.length === 0
      ? msg`Number of executors of "${application.name}" (currently ${set.replicas})`
      : msg`Number of executors of each of ${namesFor(scalable.map(scalableNameIn(scalable)))} (currently ${scalable.map((one) => one.set.replicas).join(", ")})`;
  const typed = await showInputBox({
    title: translated(title),
    prompt: translated(prompt),
    value: String(set.replicas),
    validateInput: (text) => {
      if (!/^\d{1,5}$/.test(text)) return translated(msg("Enter an integer from 0 to 99999"));
      const isSame = now.size === 1 && now.has(Number(text));
      return isSame ? translated(msg("This is the current number")) : undefined;
    },
  });
  return typed === undefined ? undefined : Number(typed);
}

function detailOf({ application, set, isDynamic }: Scalable, replicas: number): Message {
  const { kind, name } = set;
  const change = replicas - set.replicas;
  return paragraphs([
    change > 0
      ? msg`${kind} "${name}" adds ${change}. The driver uses them once they register.`
      : msg`${kind} "${name}" deletes ${-change}.`,
    change > 0 ? undefined : lossWords(application, set, replicas),
    isDynamic
      ? msg("Dynamic allocation is enabled: the driver may change this number again.")
      : undefined,
  ]);
}

function lossWords(application: Application, set: FoundSet, replicas: number): Message {
  const pods = podsRemovedByScaleDown(application, set, replicas);
  return sentences([
    pods.length > 0
      ? msg`This will delete: ${namesFor(pods)}.`
      : msg("Kubernetes chooses which ones."),
    msg(
      "Their running tasks fail and are retried. Blocks and shuffle files that only they hold are recomputed.",
    ),
    set.hasClaims ? msg("Their volume claims are not deleted.") : undefined,
  ]);
}

const unscalableWords = ({ name }: Application): Message =>
  msg`"${name}" cannot be scaled from outside, because its driver creates each executor pod. Use dynamic allocation, or submit it with the allocator "statefulset" (or "deployment" in Spark 4.2 and later).`;
