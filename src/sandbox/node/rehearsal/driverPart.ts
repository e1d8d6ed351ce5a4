// A driver: asks for executors, has them do three stages, and meets with what the scenario has in store.
import { assertNever } from "../../../base/assertNever.ts";
import type { Scenario } from "../../../spark/rehearsal.ts";
import type { Actor, Script } from "./actor.ts";
import type { Cast, Order } from "./cast.ts";
import { staffing, type Conf } from "./driverConf.ts";

export interface DriverRole {
  readonly scenario: Scenario;
  readonly conf: Conf;
  readonly order: Order;
  readonly cast: Cast;
  readonly applicationId: string;
}

const stages = 3;
const tasksAStage = 6;
/** More executors than these are not told of each task: nobody reads so many logs. */
const fewExecutors = 50;
/** Found nowhere, and by its name nobody looks for it. */
const absentImage = "example.invalid/no-such-image:1";
const tooMuchMemory = "8Ei";

export const driverPart =
  (given: DriverRole): Script =>
  async (actor) => {
    const { scenario, cast, conf, applicationId } = given;
    const order: Order = {
      ...given.order,
      image: scenario === "image" ? absentImage : given.order.image,
      memory: scenario === "unschedulable" ? tooMuchMemory : undefined,
    };
    const role = { ...given, order };
    actor.print("This is a rehearsal: nothing is computed, and the log is acted.");
    actor.say("INFO", "SparkContext", `Running Spark version ${order.sparkVersion}`);
    actor.say(
      "INFO",
      "SparkContext",
      `Submitted application: ${conf.get("spark.app.name") ?? applicationId}`,
    );
    await actor.sleep(500);
    actor.say("INFO", "SparkUI", "Bound SparkUI to 0.0.0.0, and started none, as this is acted");
    const { atFirst, atMost, isDynamic } = staffing(conf);
    await ask(actor, cast, order, atFirst);
    await untilStaffed(atFirst, actor, role);
    actor.say(
      "INFO",
      "KubernetesClusterSchedulerBackend",
      "SchedulerBackend is ready for scheduling beginning after reached minRegisteredResourcesRatio: 0.8",
    );
    for (let stage = 0; stage < stages || scenario === "endless"; stage += 1) {
      if (stage === 1 && atMost > atFirst) {
        actor.say(
          "INFO",
          "ExecutorAllocationManager",
          `Requesting ${atMost - atFirst} new executors because tasks are backlogged`,
        );
        await ask(actor, cast, order, atMost - atFirst);
        await untilStaffed(atMost, actor, role);
      }
      await playStage(actor, role, stage);
      if (stage === 1) await meet(scenario, actor, role);
      if (stage === 1 && scenario === "failure") return fail(actor);
    }
    if (isDynamic) letIdleGo(actor, cast, atFirst);
    actor.say("INFO", "DAGScheduler", `Job 0 finished after ${stages} stages`);
    actor.print("The application would have printed its result here.");
    return end(actor, cast, 0);
  };

/** In batches, as Spark asks: thousands of executors come one after the other. */
async function ask(actor: Actor, cast: Cast, order: Order, count: number): Promise<void> {
  for (let left = count; left > 0; left -= batch) {
    const some = Math.min(batch, left);
    actor.say(
      "INFO",
      "ExecutorPodsAllocator",
      `Going to request ${some} executors from Kubernetes for ResourceProfile Id: 0`,
    );
    for (let made = 0; made < some; made += 1) cast.order(order);
    if (left > batch) await actor.sleep(batchMs);
  }
}

const batch = 50;
const batchMs = 60;

function greet(actor: Actor, cast: Cast, id: number): void {
  const address = cast.address(id);
  actor.say(
    "INFO",
    "KubernetesClusterSchedulerBackend$KubernetesDriverEndpoint",
    `Registered executor NettyRpcEndpointRef(spark-client://Executor) (${address}:0) with ID ${id}, ResourceProfileId 0`,
  );
  actor.say(
    "INFO",
    "BlockManagerMasterEndpoint",
    `Registering block manager ${address}:7079 with 434.4 MiB RAM, BlockManagerId(${id}, ${address}, 7079, None)`,
  );
}

async function playStage(actor: Actor, role: DriverRole, stage: number): Promise<void> {
  const { cast } = role;
  actor.say(
    "INFO",
    "DAGScheduler",
    `Submitting ${tasksAStage} missing tasks from ShuffleMapStage ${stage}`,
  );
  for (let task = 0; task < tasksAStage; task += 1) {
    await untilStaffed(cast.ids.length, actor, role);
    const { ids } = cast;
    const id = ids[task % Math.max(1, ids.length)];
    if (id === undefined) break;
    if (ids.length <= fewExecutors) cast.player(id)?.tell({ kind: "task", stage, task });
    actor.say(
      "INFO",
      "TaskSetManager",
      `Starting task ${task}.0 in stage ${stage}.0 (TID ${task}) (${cast.address(id)}, executor ${id}, partition ${task}, PROCESS_LOCAL)`,
    );
    await actor.sleep(400);
    actor.say(
      "INFO",
      "TaskSetManager",
      `Finished task ${task}.0 in stage ${stage}.0 (TID ${task}) in 400 ms on ${cast.address(id)} (executor ${id}) (${task + 1}/${tasksAStage})`,
    );
  }
  actor.say("INFO", "DAGScheduler", `ShuffleMapStage ${stage} finished`);
}

/** Waits until so many executors play; for one that somebody kills meanwhile, another one comes. */
const untilStaffed = (count: number, actor: Actor, { cast, order }: DriverRole): Promise<void> =>
  cast.untilPlaying(
    count,
    actor,
    (id) => {
      greet(actor, cast, id);
    },
    (id) => {
      const why = `The executor with id ${id} was deleted by a user or the framework.`;
      actor.say("ERROR", "TaskSchedulerImpl", `Lost executor ${id}: ${why}`);
      cast.order(order);
    },
  );

async function meet(scenario: Scenario, actor: Actor, role: DriverRole): Promise<void> {
  const [victim] = role.cast.ids;
  if (victim === undefined) return;
  switch (scenario) {
    case "oom":
      return lose(actor, role, victim, "OOMKilled");
    case "fetch-failure":
      await lose(actor, role, victim, undefined);
      actor.say(
        "WARN",
        "TaskSetManager",
        `Lost task 0.0 in stage 2.0 (TID 12) (executor 2): FetchFailed(BlockManagerId(${victim}, ${role.cast.address(victim)}, 7079, None), shuffleId=0, mapIndex=1, mapId=1, reduceId=0, message=org.apache.spark.shuffle.FetchFailedException: Failed to connect)`,
      );
      actor.say(
        "INFO",
        "DAGScheduler",
        "Resubmitting ShuffleMapStage 1 and ResultStage 2 due to fetch failure",
      );
      return playStage(actor, role, 1);
    case "decommission":
      return decommission(actor, role, victim);
    case "success":
    case "failure":
    case "image":
    case "unschedulable":
    case "endless":
      return;
    default:
      assertNever(scenario);
  }
}

async function lose(
  actor: Actor,
  role: DriverRole,
  id: number,
  reason: "OOMKilled" | undefined,
): Promise<void> {
  const { cast, order } = role;
  const address = cast.address(id);
  cast.player(id)?.run.kill(reason);
  await cast.untilGone(id, actor);
  const why =
    reason === undefined
      ? "exited with exit code 137(SIGKILL, possible container OOM)"
      : "exited with exit code 137(SIGKILL, possible container OOM). The API gave the following container statuses: reason OOMKilled";
  actor.say(
    "ERROR",
    "TaskSchedulerImpl",
    `Lost executor ${id} on ${address}: The executor with id ${id} ${why}`,
  );
  cast.forget(id);
  if (cast.order(order) !== undefined) await untilStaffed(cast.ids.length, actor, role);
}

async function decommission(actor: Actor, role: DriverRole, id: number): Promise<void> {
  const { cast, order } = role;
  const heir = cast.ids.find((one) => one !== id) ?? cast.order(order);
  actor.say("INFO", "KubernetesClusterSchedulerBackend", `Decommission executors: ${id}`);
  cast.player(id)?.tell({ kind: "decommission", heir: `BlockManagerId(${heir ?? "fallback"})` });
  await cast.untilGone(id, actor);
  actor.say(
    "INFO",
    "TaskSchedulerImpl",
    `Executor ${id} on ${cast.address(id)} is decommissioned after finishing its migration`,
  );
  cast.forget(id);
  if (cast.order(order) !== undefined) await untilStaffed(cast.ids.length, actor, role);
}

function letIdleGo(actor: Actor, cast: Cast, left: number): void {
  for (const id of cast.ids.slice(left)) {
    actor.say(
      "INFO",
      "ExecutorAllocationManager",
      `Executor ${id} is removed because it has been idle for 60 seconds`,
    );
    cast.dismiss(id);
  }
}

function fail(actor: Actor): number {
  actor.say("ERROR", "TaskSetManager", "Task 3 in stage 1.0 failed 4 times; aborting job");
  actor.print(
    'Exception in thread "main" org.apache.spark.SparkException: Job aborted due to stage failure: Task 3 in stage 1.0 failed 4 times',
  );
  actor.print("Caused by: java.lang.IllegalStateException: the rehearsal was told to fail");
  return 1;
}

function end(actor: Actor, cast: Cast, exitCode: number): number {
  actor.say("INFO", "SparkContext", "SparkContext is stopping");
  actor.say("INFO", "KubernetesClusterSchedulerBackend", "Shutting down all executors");
  for (const id of cast.ids) cast.dismiss(id);
  actor.say("INFO", "SparkContext", "Successfully stopped SparkContext");
  return exitCode;
}
