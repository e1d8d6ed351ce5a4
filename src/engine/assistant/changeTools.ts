import { numberOf } from "../../base/json.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { JsonObject } from "../../base/json.ts";
import { isAlive } from "../../spark/pods/application.ts";
import { itemsIn } from "../../spark/pods/ordered.ts";
import { readDriverConf } from "../driver/driverConf.ts";
import type { Deletion } from "../lifecycle/deletePod.ts";
import { killExecutor } from "../lifecycle/killExecutor.ts";
import { previewStop, stopApplication } from "../lifecycle/stopApplication.ts";
import { readOperated } from "../watch/operatedApplications.ts";
import type { AssistantTool, ChangeDecision, ToolFailure } from "./assistantTool.ts";
import { toolFailureOf, findNamedApplication } from "./findNamedApplication.ts";
import { applicationArguments, objectSchema, enumSchema, integerSchema } from "./schemas.ts";

const outcomes = ["deleted", "alreadyGone"] as const;

const outcome = objectSchema(
  { outcome: enumSchema(outcomes, "deleted: the API server accepted the deletion.") },
  ["outcome"],
);

/**
 * Deletes the driver pod, or the custom resource that an operator would start another driver from, as Stop Application
 * does.
 */
export const stopTool: AssistantTool = {
  name: "spark_stop_application",
  title: "Stop a Spark Application",
  description:
    "Stops a running Spark application on Kubernetes: deletes its driver pod and all objects that the pod owns. Asks the user first. Unsaved output is lost. Call it only if the user asks to stop this application.",
  input: objectSchema(applicationArguments, ["application"]),
  output: outcome,
  effect: "change",
  async call(host, given, signal) {
    const found = await findNamedApplication(host, given, signal);
    if (!found.ok) return found;
    const { connection, application } = found.value;
    const { name, namespace, driver } = application;
    if (!isAlive(application)) return err({ text: `"${name}" has already ended.` });
    if (driver === undefined) return err({ text: `"${name}" has no driver pod to stop.` });
    const operated = await readOperated(connection.objects, application, signal);
    if (!operated.ok) {
      const task = `"${name}" was not stopped, because its operator may start it again. Cannot read its custom resource`;
      return err(toolFailureOf(task, operated.error));
    }
    const resource = operated.value;
    const { goes, unlisted } = await previewStop(connection.objects, [application], signal);
    const [deleted] = goes;
    const detail = [
      `Context: ${connection.context}`,
      ...(resource?.hasEnded === false
        ? [
            `This deletes ${resource.kind} ${resource.name}, so that its operator does not start it again`,
          ]
        : []),
      `This deletes in namespace "${namespace}": driver pod ${driver.pod.name}, ${deleted?.executors.length ?? 0} executor pods`,
      ...(deleted?.objects ?? []).map((object) => `${object.kind} ${object.name}`),
      ...unlisted.map(
        (kind) => `owned objects of kind ${kind}, which you do not have permission to list`,
      ),
    ].join("\n");
    const question = { action: `Stop "${name}"`, detail, id: `stop ${driver.pod.uid}` };
    const decision = await host.mayChange(connection, question, signal);
    if (decision.kind !== "approved") return notApproved(question.action, decision);
    signal.throwIfAborted();
    const stopped = await stopApplication(connection.objects, { driver, resource }, signal);
    return resultOf(`"${name}" was not stopped`, stopped);
  },
};

/** Deletes an executor pod, as Kill Executor does. */
export const killTool: AssistantTool = {
  name: "spark_kill_executor",
  title: "Kill a Spark Executor",
  description:
    "Kills one executor of a running Spark application on Kubernetes. Its running tasks fail and run again elsewhere; its cached and shuffle blocks are lost. Asks the user first. Call it only if the user asks for it.",
  input: objectSchema({ ...applicationArguments, executor: integerSchema("Executor id.") }, [
    "application",
    "executor",
  ]),
  output: outcome,
  effect: "change",
  async call(host, given, signal) {
    const found = await findNamedApplication(host, given, signal);
    if (!found.ok) return found;
    const { connection, application } = found.value;
    const wanted = numberOf(given["executor"]);
    const executor = [...itemsIn(application.live)].find(({ executorId }) => executorId === wanted);
    if (wanted === undefined || executor === undefined) {
      return err({ text: `"${application.name}" has no live executor with this id.` });
    }
    const action = `Kill executor ${wanted} of "${application.name}"`;
    const { pod } = executor;
    const detail = `Context: ${connection.context}\nThis deletes pod ${pod.name} in namespace "${pod.namespace}".`;
    const question = { action, detail, id: `kill ${pod.uid}` };
    const decision = await host.mayChange(connection, question, signal);
    if (decision.kind !== "approved") return notApproved(action, decision);
    signal.throwIfAborted();
    const driver = application.driver?.pod;
    const read = driver && (await readDriverConf(connection.objects, driver, signal));
    const conf = read?.kind === "found" ? read.conf : undefined;
    const killed = await killExecutor(connection.objects, executor, conf, signal);
    return resultOf(`Executor ${wanted} was not killed`, killed);
  },
};

function notApproved(
  action: string,
  decision: ChangeDecision,
): Result<JsonObject, ToolFailure | "later"> {
  if (decision.kind === "later") return err("later");
  return decision.kind === "refused"
    ? err({ text: `Blocked: ${action}. ${decision.reason}` })
    : err({ text: `${action}: the user declined. Nothing was changed.` });
}

function resultOf(task: string, deletion: Deletion): Result<JsonObject, ToolFailure> {
  switch (deletion.kind) {
    case "deleted":
    case "alreadyGone":
      return ok({ outcome: deletion.kind });
    case "replaced":
      return err({ text: `${task}: another pod has the same name now. Nothing was deleted.` });
    case "failed":
      return err(toolFailureOf(task, deletion.error));
  }
}
