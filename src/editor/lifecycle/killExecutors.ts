import { l10n } from "vscode";
import { askRunningDriver } from "../../engine/driver/askRunningDriver.ts";
import { killExecutor, stopExecutor } from "../../engine/lifecycle/killExecutor.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { inView } from "../progress.ts";
import { actOnItems, type WorkWords } from "./actOnItems.ts";
import { askToChange } from "./askToChange.ts";
import { connectionOf, type LifecycleContext } from "./context.ts";
import { outcomeOf } from "./outcome.ts";
import {
  capital,
  livingExecutors,
  nameOfTarget,
  podNames,
  replacementWords,
  type ActionTarget,
} from "./targets.ts";

/** Kills or stops the executors of the given rows, or those that the user picks, after a confirmation. */
export async function killExecutors(
  context: LifecycleContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  await killTargets(
    context,
    await livingExecutors(context.session, nodes, l10n.t("Kill Executor")),
  );
}

/** Kills executors at once, or stops them within their grace period, as the user chooses. */
export async function killTargets(
  context: LifecycleContext,
  targets: readonly ActionTarget[],
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
    : l10n.t("Kill {0} Executors", targets.length);
  const question = isOne
    ? l10n.t('Kill {0} of "{1}"?', nameOf(first), first.application.name)
    : l10n.t("Kill {0} executors?", targets.length);
  const detail = detailOf(targets, isOne);
  const gracefully = l10n.t("Stop Gracefully");
  const chosen = await askToChange(connection, { question, detail, buttons: [button, gracefully] });
  if (chosen === undefined) return;
  const end = chosen === gracefully ? stopExecutor : killExecutor;
  const confs = await inView((signal) => confsOf(connection, targets, signal));
  await actOnItems(
    {
      items: targets,
      nameOf,
      words: killWords,
      act: async ({ application, executor }, signal) =>
        outcomeOf(await end(connection.objects, executor, confs.get(application.key), signal)),
    },
    context,
  );
}

/** The drivers' confs by application key, as far as they can be read. */
async function confsOf(
  connection: Connection,
  targets: readonly ActionTarget[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ReadonlyMap<string, string> | undefined>> {
  const applications = new Map(targets.map(({ application }) => [application.key, application]));
  const entries = [...applications].map(
    async ([key, application]) =>
      [key, (await askRunningDriver(connection, application, signal)).conf] as const,
  );
  return new Map(await Promise.all(entries));
}

const killWords: WorkWords = {
  get title() {
    return l10n.t("Killing executors");
  },
  failed: (name) => l10n.t("{0} was not killed", capital(name)),
  someFailed: (count, all) => l10n.t("{0} of {1} executors were not killed", count, all),
};

function detailOf(targets: readonly ActionTarget[], isOne: boolean): string {
  return l10n.t(
    "This will delete: {0}.\n\n{1} {2}\n\n{3} This cannot be undone.",
    podNames(targets),
    isOne
      ? l10n.t(
          "Its running tasks fail and are retried. Blocks and shuffle files that only it holds are recomputed.",
        )
      : l10n.t(
          "Their running tasks fail and are retried. Blocks and shuffle files that only they hold are recomputed.",
        ),
    replacementWords(targets),
    l10n.t("Stop Gracefully waits up to the grace period of the pod (30 s by default)."),
  );
}
