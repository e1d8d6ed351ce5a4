import { msg } from "../../base/message.ts";
import { isAlive } from "../../spark/pods/application.ts";
import { sessionPort } from "../../spark/submit/session/sessionPort.ts";
import { pickApplication } from "../apps/pick.ts";
import { applicationNode, type TreeNode } from "../apps/treeNode.ts";
import type { LifecycleContext } from "./context.ts";
import { stopApplications } from "./stopApplications.ts";

/** Stops the sessions of the given rows, or one that the user picks. The confirmation names the session's users. */
export async function stopSession(
  context: LifecycleContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  if (nodes.length > 0) return stopApplications(context, nodes);
  const title = msg("Stop Session");
  const picked = await pickApplication(
    context,
    title,
    (one) => one.driver !== undefined && isAlive(one) && sessionPort(one.driver.pod) !== undefined,
  );
  if (picked === undefined) return;
  const { key } = picked;
  await stopApplications(context, [applicationNode(key)]);
}
