import { l10n } from "vscode";
import { deletedWithin, deletePodNow } from "../../engine/lifecycle/deletePod.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import { isAlive, type Application } from "../../spark/pods/application.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import { shellKindOf } from "../../spark/submit/shell/shellKind.ts";
import { chosenApplication } from "../apps/pick.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { mayChange } from "../guard.ts";
import { keepsShells } from "../settings.ts";
import { showClusterError } from "../showError.ts";
import { window } from "../ui/window.ts";
import { connectionOf, type LifecycleContext } from "./context.ts";
import { openPodTerminal } from "./podTerminal.ts";

const removeMs = 30_000;

/** Attaches a terminal to the running shell of a row, or to one that the user picks. */
export async function openShellTerminal(
  context: LifecycleContext,
  [node]: readonly TreeNode[],
): Promise<void> {
  const { log, terminals } = context;
  const title = l10n.t("Attach to Spark Shell");
  const application = await chosenApplication(context, node, title, isShell);
  if (application === undefined) return;
  const { key, name, driver } = application;
  if (driver === undefined || !isShell(application)) {
    void window.showInformationMessage(l10n.t('"{0}" is not a running Spark shell.', name));
    return;
  }
  const connection = await connectionOf(context, [key]);
  if (connection === undefined || !(await mayChange(connection, title))) return;
  const { pod } = driver;
  const closed = (): void => {
    // If the window closes, keep the shell running, so that another window can attach to it.
    if (terminals.isDisposed || keepsShells()) return;
    removeShell(connection, pod, log).catch(log.error);
  };
  const { exec } = connection;
  terminals.add(openPodTerminal({ name, pod, command: undefined, exec, closed, log }));
}

const isShell = (application: Application): boolean =>
  application.driver !== undefined &&
  isAlive(application) &&
  shellKindOf(application.driver.pod) !== undefined;

async function removeShell(
  { objects }: Connection,
  pod: PodRecord,
  log: LifecycleContext["log"],
): Promise<void> {
  const removed = await deletedWithin(removeMs, (limit) => deletePodNow(objects, pod, limit));
  if (removed.kind !== "failed") return;
  await showClusterError(l10n.t('Cannot delete pod "{0}"', pod.name), removed.error, log);
}
