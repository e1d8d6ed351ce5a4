import { l10n } from "vscode";
import type { PodPort } from "../../engine/ports/channels.ts";
import { isAlive, type Application } from "../../spark/pods/application.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import type { ClusterSession } from "../apps/clusterSession.ts";
import { pickApplication, type PickContext } from "../apps/pick.ts";
import { translated } from "../ui/translated.ts";
import { executorName } from "../apps/rows/podRow.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import type { ForwardPlace } from "./forwardPlace.ts";

/** The pod whose port is forwarded. */
export interface ForwardTarget extends ForwardPlace {
  /** The application's key. */
  readonly key: string;
  /** The port of the Spark UI; undefined if there is none. */
  readonly uiPort: number | undefined;
}

type ForwardPick = PickContext & { readonly session: ClusterSession };

/** The first row with a pod, or the driver of an application that the user picks. */
export async function forwardTarget(
  { session, screen }: ForwardPick,
  nodes: readonly TreeNode[],
): Promise<ForwardTarget | undefined> {
  const [node] = nodes;
  if (node === undefined) {
    const title = l10n.t("Forward Port");
    const picked = await pickApplication({ session, screen }, title, ({ driver }) => driver !== undefined);
    return picked && driverTarget(session, picked);
  }
  const application = "key" in node ? session.find(node.key) : undefined;
  if (application === undefined) return undefined;
  if (node.kind !== "executor") return driverTarget(session, application);
  const { key, uid } = node;
  const executor = session.findExecutor(key, uid);
  const context = session.contextOf(key);
  return (
    executor && {
      context,
      namespace: application.namespace,
      name: `${application.name} ${translated(executorName(executor))}`,
      key,
      uiPort: undefined,
      found: () => {
        const pod = session.contextOf(key) === context ? session.findPod(key, uid) : undefined;
        return pod && { key, pod };
      },
    }
  );
}

/** The target follows a replaced driver and a new run with the same name. */
export function driverTarget(
  session: ClusterSession,
  { key, name, namespace, driver }: Application,
): ForwardTarget {
  const context = session.contextOf(key);
  const isNext = (one: Application): boolean =>
    one.name === name &&
    one.namespace === namespace &&
    session.contextOf(one.key) === context &&
    isAlive(one) &&
    one.driver !== undefined;
  return {
    context,
    namespace,
    name: l10n.t("{0} driver", name),
    key,
    uiPort: driver?.pod.driving?.uiPort,
    found: () => {
      // Applications of another context can have the same keys.
      const same = session.contextOf(key) === context ? session.find(key) : undefined;
      const next = same && isAlive(same) ? same : session.applications.find(isNext);
      const now = next?.driver === undefined ? same : next;
      return now?.driver && { key: now.key, pod: now.driver.pod };
    },
  };
}

export const portOf = ({ namespace, name }: PodRecord, port: number): PodPort => ({
  namespace,
  name,
  port,
});
