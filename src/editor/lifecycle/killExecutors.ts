import { l10n } from "vscode";
import { killExecutor } from "../../engine/killExecutor.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { actOnItems, type WorkWords } from "./actOnItems.ts";
import { askToChange } from "./askToChange.ts";
import { connectionOf, type LifecycleContext } from "./context.ts";
import { outcomeOf } from "./outcome.ts";
import {
  capital,
  livingExecutors,
  nameOfTarget,
  namesFor,
  replacementWords,
  type Target,
} from "./targets.ts";

/** Kills the executors of the given rows, or those that are picked; asks first, naming what goes. */
export async function killExecutors(
  context: LifecycleContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  await killTargets(
    context,
    await livingExecutors(context.session, nodes, l10n.t("Kill Executor")),
  );
}

/** Kills executors, asking first. */
export async function killTargets(
  context: LifecycleContext,
  targets: readonly Target[],
): Promise<void> {
  const [first] = targets;
  const connection = await connectionOf(
    context,
    targets.map(({ application }) => application.key),
  );
  if (first === undefined || connection === undefined) return;
  const nameOf = nameOfTarget(targets);
  const isOne = targets.length === 1;
  const button = isOne
    ? l10n.t("Kill {0}", nameOf(first))
    : l10n.t("Kill {0} executors", targets.length);
  const question = isOne
    ? l10n.t('Kill {0} of "{1}"?', nameOf(first), first.application.name)
    : l10n.t("Kill {0} executors?", targets.length);
  const detail = detailOf(targets, isOne);
  if (!(await askToChange(context, connection, { question, detail, buttons: [button] }))) return;
  await actOnItems(
    {
      items: targets,
      nameOf,
      words: killWords,
      act: async ({ executor }, signal) =>
        outcomeOf(await killExecutor(connection.objects, executor, signal)),
    },
    context,
  );
}

const killWords: WorkWords = {
  get title() {
    return l10n.t("Killing executors");
  },
  failed: (name) => l10n.t("{0} was not killed", capital(name)),
  someFailed: (count, all) => l10n.t("{0} of {1} executors were not killed", count, all),
};

function detailOf(targets: readonly Target[], isOne: boolean): string {
  const pods = targets.map(({ executor }) => `${executor.pod.namespace}/${executor.pod.name}`);
  return l10n.t(
    "Deleted: {0}.\n\n{1} {2} This cannot be undone.",
    namesFor(pods),
    isOne
      ? l10n.t(
          "Tasks running there fail and are run again elsewhere; blocks and shuffle files that only it holds are computed anew.",
        )
      : l10n.t(
          "Tasks running there fail and are run again elsewhere; blocks and shuffle files that only they hold are computed anew.",
        ),
    replacementWords(targets),
  );
}
