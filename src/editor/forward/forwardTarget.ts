import { msg } from "../../base/message.ts";
import type { PodPort } from "../../engine/ports/channels.ts";
import { isAlive, type Application } from "../../spark/pods/application.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import type { ClusterSession } from "../apps/clusterSession.ts";
import { pickApplication, type PickContext } from "../apps/pick.ts";
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

/** Returns the target of the first row, or the driver of an application that the user picks. */
export async function forwardTarget(
  context: ForwardPick,
  nodes: readonly TreeNode[],
): Promise<ForwardTarget | undefined> {
  const { session, screen } = context;
  const [node] = nodes;
  if (node === undefined) {
    const title = msg("Forward Port");
    const canBe = (one: Application): boolean => isAlive(one) && one.driver !== undefined;
    const picked = await pickApplication(context, title, canBe);
    return picked && driverTarget(context, picked);
  }
  const application = "key" in node ? session.find(node.key) : undefined;
  if (application === undefined) return undefined;
  if (node.kind !== "executor") return driverTarget(context, application);
  const { key, uid } = node;
  const executor = session.findExecutor(key, uid);
  const home = session.contextOf(key);
  return (
    executor && {
      context: home,
      namespace: application.namespace,
      name: `${application.name} ${screen.translated(executorName(executor))}`,
      key,
      uiPort: undefined,
      found: () => {
        const pod = session.contextOf(key) === home ? session.findPod(key, uid) : undefined;
        return pod && { key, pod };
      },
    }
  );
}

/**
 * Creates a target whose `found` also returns a replaced driver, or the driver of a later live run with the same name.
 */
export function driverTarget(
  { session, screen }: ForwardPick,
  { key, name, namespace, driver }: Application,
): ForwardTarget {
  const home = session.contextOf(key);
  const isNext = (one: Application): boolean =>
    one.name === name &&
    one.namespace === namespace &&
    session.contextOf(one.key) === home &&
    isAlive(one) &&
    one.driver !== undefined &&
    one.driver.pod.creationTimestamp >= (driver?.pod.creationTimestamp ?? "");
  return {
    context: home,
    namespace,
    name: screen.translated(msg`${name} driver`),
    key,
    uiPort: driver?.pod.driving?.uiPort,
    found: () => {
      // Check the context, because an application in another context can have the same key.
      const same = session.contextOf(key) === home ? session.find(key) : undefined;
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
