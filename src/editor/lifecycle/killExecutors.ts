import { msg, paragraphs, sentences, type Message } from "../../base/message.ts";
import { askRunningDriver } from "../../engine/driver/askRunningDriver.ts";
import { killExecutor, stopExecutor } from "../../engine/lifecycle/killExecutor.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { inView } from "../inView.ts";
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
  await killTargets(context, await livingExecutors(context, nodes, msg("Kill Executor")));
}

/** Kills executors at once, or stops them within their grace period, as the user chooses. */
export async function killTargets(
  context: LifecycleContext,
  targets: readonly ActionTarget[],
): Promise<void> {
  const [first] = targets;
  const { screen } = context;
  const connection = await connectionOf(
    context,
    targets.map(({ application }) => application.key),
  );
  if (first === undefined || connection === undefined) return;
  const nameOf = nameOfTarget(targets, screen);
  const isOne = targets.length === 1;
  const button = isOne ? msg("Kill Executor") : msg`Kill ${targets.length} Executors`;
  const question = isOne ? msg`Kill ${nameOf(first)}?` : msg`Kill ${targets.length} executors?`;
  const detail = detailOf(targets, isOne);
  const gracefully = msg("Stop Gracefully");
  const chosen = await askToChange(screen, connection, {
    question,
    detail,
    buttons: [button, gracefully],
  });
  if (chosen === undefined) return;
  const end = chosen === gracefully ? stopExecutor : killExecutor;
  const confs = await inView(screen, (signal) => confsOf(connection, targets, signal));
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

/** Reads the drivers' confs, by application key. Undefined for a conf that cannot be read. */
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
    return msg("Killing executors");
  },
  failed: (name) => msg`${capital(name)} was not killed`,
  someFailed: (count, all) => msg`${count} of ${all} executors were not killed`,
};

const detailOf = (targets: readonly ActionTarget[], isOne: boolean): Message =>
  paragraphs([
    msg`This will delete: ${podNames(targets)}.`,
    sentences([
      isOne
        ? msg(
            "Its running tasks fail and are retried. Blocks and shuffle files that only it holds are recomputed.",
          )
        : msg(
            "Their running tasks fail and are retried. Blocks and shuffle files that only they hold are recomputed.",
          ),
      replacementWords(targets),
    ]),
    msg(
      "Stop Gracefully waits up to the grace period of the pod (30 s by default). This cannot be undone.",
    ),
  ]);
