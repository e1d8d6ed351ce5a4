import { l10n } from "vscode";
import { hasEndedPod, type SparkPod } from "../../spark/pods/application.ts";
import { pickPod, showMissingPods } from "../apps/pick.ts";
import { translated } from "../ui/translated.ts";
import { executorName } from "../apps/rows/podRow.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { mayChange } from "../guard.ts";
import { mayOpen } from "../mayOpen.ts";
import { connectionOf, type LifecycleContext } from "./context.ts";
import { openPodTerminal, systemShell } from "./podTerminal.ts";
import { window } from "../ui/window.ts";

interface Named {
  /** The application's key. */
  readonly key: string;
  readonly name: string;
  readonly pod: SparkPod;
}

/**
 * Opens a shell in the pods of the given rows, or in a pod that the user picks. For an application, opens it in the
 * driver.
 */
export async function openTerminals(
  context: LifecycleContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  const { log, terminals } = context;
  const title = l10n.t("Open Terminal in Pod");
  const named = nodes.length === 0 ? await picked(context, title) : nodes.flatMap(namedBy(context));
  if (nodes.length > 0) showMissingPods(context, nodes, named.length);
  const running = named.filter(({ pod }) => !hasEndedPod(pod));
  const [first] = named;
  if (running.length === 0 && first !== undefined) {
    void window.showInformationMessage(
      l10n.t("{0} has ended, so no terminal can be opened in it.", first.name),
    );
  }
  if (!(await mayOpen(context.screen, running.length, "terminals"))) return;
  const keys = running.map(({ key }) => key);
  const connection = running.length === 0 ? undefined : await connectionOf(context, keys);
  // A shell can change anything, so guards apply.
  if (connection === undefined || !(await mayChange(connection, title))) return;
  for (const { name, pod } of running) {
    terminals.add(
      openPodTerminal({ name, pod: pod.pod, command: systemShell, exec: connection.exec, log }),
    );
  }
}

async function picked(context: LifecycleContext, title: string): Promise<readonly Named[]> {
  const choice = await pickPod(context, title);
  if (choice === undefined) return [];
  const { application, name, pod } = choice;
  return [{ key: application.key, name: `${application.name} ${name}`, pod }];
}

const namedBy =
  ({ session }: LifecycleContext) =>
  (node: TreeNode): readonly Named[] => {
    const application = "key" in node ? session.find(node.key) : undefined;
    if (application === undefined) return [];
    if (node.kind === "executor") {
      const pod = session.findExecutor(node.key, node.uid);
      return pod
        ? [{ key: node.key, name: `${application.name} ${translated(executorName(pod))}`, pod }]
        : [];
    }
    const { key, driver, name } = application;
    const isDrivers = node.kind === "driver" || node.kind === "application";
    return isDrivers && driver ? [{ key, name: l10n.t("{0} driver", name), pod: driver }] : [];
  };
