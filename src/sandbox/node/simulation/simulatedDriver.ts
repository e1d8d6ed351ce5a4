// A simulated driver: requests executors, runs three stages on them, and simulates the failure of the scenario.
import { assertNever } from "../../../base/assertNever.ts";
import type { Scenario } from "../../../spark/simulation.ts";
import type { SimulatedProgram, Script } from "./simulatedContainer.ts";
import type { SimulatedPods, Order } from "./simulatedPods.ts";
import { executorTargets, type SimulatedConf } from "./driverConf.ts";

interface DriverSimulation {
  readonly scenario: Scenario;
  readonly conf: SimulatedConf;
  readonly order: Order;
  readonly pods: SimulatedPods;
  readonly applicationId: string;
}

const stages = 3;
const tasksPerStage = 6;
/** With more executors than this, the executors do not log their tasks. */
const maxLoggedExecutors = 50;
/** The reserved domain `.invalid` (RFC 2606) never resolves. */
const absentImage = "example.invalid/no-such-image:1";
const unschedulableMemory = "8Ei";

export const driverScript =
  (options: DriverSimulation): Script =>
  async (program) => {
    const { scenario, pods, conf, applicationId } = options;
    const order: Order = {
      ...options.order,
      image: scenario === "image" ? absentImage : options.order.image,
      memory: scenario === "unschedulable" ? unschedulableMemory : undefined,
    };
    const driver = { ...options, order };
    program.print("This application is simulated: nothing is computed, and the log is generated.");
    program.log("INFO", "SparkContext", `Running Spark version ${order.sparkVersion}`);
    program.log(
      "INFO",
      "SparkContext",
      `Submitted application: ${conf.get("spark.app.name") ?? applicationId}`,
    );
    await program.sleep(500);
    program.log("INFO", "SparkUI", "A simulation has no Spark UI");
    const { initial, max, isDynamic } = executorTargets(conf);
    await requestExecutors(program, pods, order, initial);
    await untilExecutors(initial, program, driver);
    program.log(
      "INFO",
      "KubernetesClusterSchedulerBackend",
      "SchedulerBackend is ready for scheduling beginning after reached minRegisteredResourcesRatio: 0.8",
    );
    for (let stage = 0; stage < stages || scenario === "endless"; stage += 1) {
      if (stage === 1 && max > initial) {
        program.log(
          "INFO",
          "ExecutorAllocationManager",
          `Requesting ${max - initial} new executors because tasks are backlogged`,
        );
        await requestExecutors(program, pods, order, max - initial);
        await untilExecutors(max, program, driver);
      }
      await runStage(program, driver, stage);
      if (stage === 1) await playScenario(scenario, program, driver);
      if (stage === 1 && scenario === "failure") return fail(program);
    }
    if (isDynamic) removeIdle(program, pods, initial);
    program.log("INFO", "DAGScheduler", `Job 0 finished after ${stages} stages`);
    program.print("The application would have printed its result here.");
    return end(program, pods, 0);
  };

/** Requests executors in batches with a delay, as Spark's allocator does. */
async function requestExecutors(
  program: SimulatedProgram,
  pods: SimulatedPods,
  order: Order,
  total: number,
): Promise<void> {
  for (let left = total; left > 0; left -= batchSize) {
    const count = Math.min(batchSize, left);
    program.log(
      "INFO",
      "ExecutorPodsAllocator",
      `Going to request ${count} executors from Kubernetes for ResourceProfile Id: 0`,
    );
    for (let made = 0; made < count; made += 1) pods.request(order);
    if (left > batchSize) await program.sleep(batchMs);
  }
}

const batchSize = 50;
const batchMs = 60;

function logRegistration(program: SimulatedProgram, pods: SimulatedPods, id: number): void {
  const address = pods.address(id);
  program.log(
    "INFO",
    "KubernetesClusterSchedulerBackend$KubernetesDriverEndpoint",
    `Registered executor NettyRpcEndpointRef(spark-client://Executor) (${address}:0) with ID ${id}, ResourceProfileId 0`,
  );
  program.log(
    "INFO",
    "BlockManagerMasterEndpoint",
    `Registering block manager ${address}:7079 with 434.4 MiB RAM, BlockManagerId(${id}, ${address}, 7079, None)`,
  );
}

async function runStage(
  program: SimulatedProgram,
  driver: DriverSimulation,
  stage: number,
): Promise<void> {
  const { pods } = driver;
  program.log(
    "INFO",
    "DAGScheduler",
    `Submitting ${tasksPerStage} missing tasks from ShuffleMapStage ${stage}`,
  );
  for (let task = 0; task < tasksPerStage; task += 1) {
    await untilExecutors(pods.ids.length, program, driver);
    const { ids } = pods;
    const id = ids[task % Math.max(1, ids.length)];
    if (id === undefined) break;
    if (ids.length <= maxLoggedExecutors) pods.executor(id)?.send({ kind: "task", stage, task });
    program.log(
      "INFO",
      "TaskSetManager",
      `Starting task ${task}.0 in stage ${stage}.0 (TID ${task}) (${pods.address(id)}, executor ${id}, partition ${task}, PROCESS_LOCAL)`,
    );
    await program.sleep(400);
    program.log(
      "INFO",
      "TaskSetManager",
      `Finished task ${task}.0 in stage ${stage}.0 (TID ${task}) in 400 ms on ${pods.address(id)} (executor ${id}) (${task + 1}/${tasksPerStage})`,
    );
  }
  program.log("INFO", "DAGScheduler", `ShuffleMapStage ${stage} finished`);
}

/** Waits until `count` executors are registered, and replaces executors that are deleted meanwhile. */
const untilExecutors = (
  count: number,
  program: SimulatedProgram,
  { pods, order }: DriverSimulation,
): Promise<void> =>
  pods.untilRegistered(
    count,
    program,
    (id) => {
      logRegistration(program, pods, id);
    },
    (id) => {
      const why = `The executor with id ${id} was deleted by a user or the framework.`;
      program.log("ERROR", "TaskSchedulerImpl", `Lost executor ${id}: ${why}`);
      pods.request(order);
    },
  );

async function playScenario(
  scenario: Scenario,
  program: SimulatedProgram,
  driver: DriverSimulation,
): Promise<void> {
  const [victim] = driver.pods.ids;
  if (victim === undefined) return;
  switch (scenario) {
    case "oom":
      return loseExecutor(program, driver, victim, "OOMKilled");
    case "fetch-failure":
      await loseExecutor(program, driver, victim, undefined);
      program.log(
        "WARN",
        "TaskSetManager",
        `Lost task 0.0 in stage 2.0 (TID 12) (executor 2): FetchFailed(BlockManagerId(${victim}, ${driver.pods.address(victim)}, 7079, None), shuffleId=0, mapIndex=1, mapId=1, reduceId=0, message=org.apache.spark.shuffle.FetchFailedException: Failed to connect)`,
      );
      program.log(
        "INFO",
        "DAGScheduler",
        "Resubmitting ShuffleMapStage 1 and ResultStage 2 due to fetch failure",
      );
      return runStage(program, driver, 1);
    case "decommission":
      return decommission(program, driver, victim);
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

async function loseExecutor(
  program: SimulatedProgram,
  driver: DriverSimulation,
  id: number,
  reason: "OOMKilled" | undefined,
): Promise<void> {
  const { pods, order } = driver;
  const address = pods.address(id);
  pods.executor(id)?.run.kill(reason);
  await pods.untilEnded(id, program);
  const why =
    reason === undefined
      ? "exited with exit code 137(SIGKILL, possible container OOM)"
      : "exited with exit code 137(SIGKILL, possible container OOM). The API gave the following container statuses: reason OOMKilled";
  program.log(
    "ERROR",
    "TaskSchedulerImpl",
    `Lost executor ${id} on ${address}: The executor with id ${id} ${why}`,
  );
  pods.forget(id);
  if (pods.request(order) !== undefined) await untilExecutors(pods.ids.length, program, driver);
}

async function decommission(
  program: SimulatedProgram,
  driver: DriverSimulation,
  id: number,
): Promise<void> {
  const { pods, order } = driver;
  const receiver = pods.ids.find((one) => one !== id) ?? pods.request(order);
  program.log("INFO", "KubernetesClusterSchedulerBackend", `Decommission executors: ${id}`);
  pods
    .executor(id)
    ?.send({ kind: "decommission", receiver: `BlockManagerId(${receiver ?? "fallback"})` });
  await pods.untilEnded(id, program);
  program.log(
    "INFO",
    "TaskSchedulerImpl",
    `Executor ${id} on ${pods.address(id)} is decommissioned after finishing its migration`,
  );
  pods.forget(id);
  if (pods.request(order) !== undefined) await untilExecutors(pods.ids.length, program, driver);
}

function removeIdle(program: SimulatedProgram, pods: SimulatedPods, kept: number): void {
  for (const id of pods.ids.slice(kept)) {
    program.log(
      "INFO",
      "ExecutorAllocationManager",
      `Executor ${id} is removed because it has been idle for 60 seconds`,
    );
    pods.delete(id);
  }
}

function fail(program: SimulatedProgram): number {
  program.log("ERROR", "TaskSetManager", "Task 3 in stage 1.0 failed 4 times; aborting job");
  program.print(
    'Exception in thread "main" org.apache.spark.SparkException: Job aborted due to stage failure: Task 3 in stage 1.0 failed 4 times',
  );
  program.print(
    "Caused by: java.lang.IllegalStateException: the simulated job fails in this scenario",
  );
  return 1;
}

function end(program: SimulatedProgram, pods: SimulatedPods, exitCode: number): number {
  program.log("INFO", "SparkContext", "SparkContext is stopping");
  program.log("INFO", "KubernetesClusterSchedulerBackend", "Shutting down all executors");
  for (const id of pods.ids) pods.delete(id);
  program.log("INFO", "SparkContext", "Successfully stopped SparkContext");
  return exitCode;
}
