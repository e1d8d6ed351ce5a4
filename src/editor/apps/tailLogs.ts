import { l10n, window } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import type { Clock, Random } from "../../engine/ports.ts";
import { hasTargetEnded, logTargetOf, type LogTarget } from "../../spark/logs/targets.ts";
import type { Application, SparkPod } from "../../spark/pods/application.ts";
import type { LogTerminals } from "../logs/door.ts";
import type { Log } from "../log.ts";
import { showClusterError } from "../showError.ts";
import type { ClusterSession } from "./clusterSession.ts";
import { pickPod } from "./pick.ts";
import { executorName } from "./treeItem.ts";
import type { TreeNode } from "./treeNode.ts";

export interface TailOptions {
  readonly session: ClusterSession;
  readonly loadTerminals: () => Promise<LogTerminals>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

interface Followed {
  /** The tab's name. */
  readonly name: string;
  readonly target: LogTarget;
}

/** Follows the logs of the given rows, an application's being its driver's; or of one pod that is picked. */
export async function tailLogs(options: TailOptions, nodes: readonly TreeNode[]): Promise<void> {
  const followed =
    nodes.length === 0 ? await picked(options) : nodes.flatMap((node) => ofNode(options, node));
  for (const one of followed) await follow(options, one);
}

/** Follows one container in a terminal. */
async function follow(
  { session, loadTerminals, clock, random, log }: TailOptions,
  { name, target }: Followed,
): Promise<void> {
  const connected = await session.connect(new AbortController().signal);
  if (!connected.ok) {
    await showClusterError(l10n.t("The log was not opened"), connected.error, log);
    return;
  }
  const terminals = await loadTerminals();
  const { logs } = connected.value;
  const hasEnded = endOf(session, target);
  terminals.follow({ name, target, logs, clock, random, log, hasEnded });
}

function followedDriver({ name, driver }: Application): readonly Followed[] {
  return driver === undefined ? [] : [followed(name, l10n.t("driver"), driver)];
}

async function picked({ session }: TailOptions): Promise<readonly Followed[]> {
  const choice = await pickPod(session, l10n.t("Tail Logs"));
  return choice === undefined ? [] : [followed(choice.application.name, choice.name, choice.pod)];
}

function ofNode({ session }: TailOptions, node: TreeNode): readonly Followed[] {
  const application = "key" in node ? session.find(node.key) : undefined;
  if (application === undefined) return [];
  switch (node.kind) {
    case "application":
      if (application.driver === undefined) {
        void window.showInformationMessage(
          l10n.t('"{0}" has no driver pod; tail one of its executors.', application.name),
        );
      }
      return followedDriver(application);
    case "driver":
      return followedDriver(application);
    case "executor": {
      const executor = session.findExecutor(node.key, node.uid);
      return executor ? [followed(application.name, executorName(executor), executor)] : [];
    }
    // What groups rows has no log of its own.
    case "namespace":
    case "applicationPage":
    case "earlierRuns":
    case "endedExecutors":
    case "executorPage":
      return [];
    default:
      return assertNever(node);
  }
}

const followed = (application: string, name: string, pod: SparkPod): Followed => ({
  name: `${application} ${name}`,
  target: logTargetOf(pod),
});

// A pod that has just been created is not in the snapshot yet, so that only one that was there can be gone.
function endOf(session: ClusterSession, target: LogTarget): () => boolean | undefined {
  let wasSeen = false;
  return () => {
    const pod = session.findPod(target.uid);
    wasSeen ||= pod !== undefined;
    return wasSeen && session.isLive ? hasTargetEnded(pod, target) : undefined;
  };
}
