import { l10n } from "vscode";
import type { PodPort } from "../../engine/ports.ts";
import { isAlive, type Application } from "../../spark/pods/application.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import type { ClusterSession } from "../apps/clusterSession.ts";
import { pickApplication } from "../apps/pick.ts";
import { executorName } from "../apps/treeItem.ts";
import type { TreeNode } from "../apps/treeNode.ts";

/** Whose port is forwarded. */
export interface ForwardTarget {
  /** `orders-daily driver`. */
  readonly name: string;
  /** Of the application. */
  readonly key: string;
  /** The port that Spark's UI has there; undefined: it has none. */
  readonly uiPort: number | undefined;
  /** The pod as it is now; undefined: there is none at the moment. */
  readonly pod: () => PodRecord | undefined;
}

/** The first of the rows that has a pod; without rows the driver of the application that is picked. */
export async function forwardTarget(
  session: ClusterSession,
  nodes: readonly TreeNode[],
): Promise<ForwardTarget | undefined> {
  const [node] = nodes;
  if (node === undefined) {
    const title = l10n.t("Forward Port");
    const picked = await pickApplication(session, title, ({ driver }) => driver !== undefined);
    return picked && driverTarget(session, picked);
  }
  const application = "key" in node ? session.find(node.key) : undefined;
  if (application === undefined) return undefined;
  if (node.kind !== "executor") return driverTarget(session, application);
  const executor = session.findExecutor(node.key, node.uid);
  return (
    executor && {
      name: `${application.name} ${executorName(executor)}`,
      key: node.key,
      uiPort: undefined,
      pod: () => session.findPod(node.key, node.uid),
    }
  );
}

/** A driver that is replaced, or an application that is submitted anew under its name, is followed. */
function driverTarget(
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
    name: l10n.t("{0} driver", name),
    key,
    uiPort: driver?.pod.driving?.uiPort,
    pod: () => {
      const same = session.find(key);
      const now = same && isAlive(same) ? same : session.applications.find(isNext);
      return now?.driver?.pod ?? same?.driver?.pod;
    },
  };
}

export const portOf = ({ namespace, name }: PodRecord, port: number): PodPort => ({
  namespace,
  name,
  port,
});
