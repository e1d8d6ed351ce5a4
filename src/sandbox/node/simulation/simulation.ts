// Runs the simulated containers of the node: starts a script for each, and connects drivers with their executors.
import { appSelectorLabel } from "../../../spark/labels.ts";
import { textOf } from "../../../base/json.ts";
import { simulationLabel } from "../../../spark/simulation.ts";
import type { Objects } from "../../api/objects.ts";
import type { SandboxClock } from "../../clock.ts";
import type { KubeObject } from "../../kubeObject.ts";
import { PodEvents } from "../events.ts";
import { holdingsOf } from "../configSources.ts";
import type { LogWriter } from "../logs/logFiles.ts";
import type { ContainerRun } from "../run/containerRun.ts";
import { decodePodSpec, type ContainerSpec } from "../spec/podSpec.ts";
import { SimulatedRun, type Script } from "./simulatedContainer.ts";
import { SimulatedPods, type SimulatedExecutor } from "./simulatedPods.ts";
import { driverConf } from "./driverConf.ts";
import { driverScript } from "./simulatedDriver.ts";
import { executorScript, type ExecutorCommand } from "./simulatedExecutor.ts";
import { scenarioOf } from "./scenario.ts";

interface SimulatedContainer {
  readonly pod: KubeObject;
  readonly container: ContainerSpec;
  readonly sparkVersion: string;
  /** The container's environment variables, resolved from the pod spec. */
  readonly env: ReadonlyMap<string, string>;
  readonly address: string;
}

export class Simulation {
  readonly #objects: Objects;
  readonly #clock: SandboxClock;
  readonly #nodeName: string;
  readonly #executors = new Map<string, SimulatedExecutor>();

  constructor(objects: Objects, clock: SandboxClock, nodeName: string) {
    this.#objects = objects;
    this.#clock = clock;
    this.#nodeName = nodeName;
  }

  /** Starts the container's script, and marks its pod as simulated by a label and an event. */
  start(simulated: SimulatedContainer, log: LogWriter): ContainerRun {
    this.#label(simulated.pod);
    const commands = new CommandQueue();
    const run = new SimulatedRun(this.#script(simulated, commands), this.#clock, log);
    const { uid = "" } = simulated.pod.metadata;
    if (simulated.container.args[0] === "executor") {
      this.#executors.set(uid, {
        run,
        send: (command) => {
          commands.add(command);
        },
      });
      void run.done.then(() => this.#executors.delete(uid));
    }
    return run;
  }

  #script(simulated: SimulatedContainer, commands: CommandQueue): Script {
    const { pod, container, env, sparkVersion, address } = simulated;
    const [role] = container.args;
    if (role === "driver") {
      const conf = this.#conf(pod);
      return driverScript({
        scenario: scenarioOf(env),
        conf,
        order: { driver: pod, image: container.image, sparkVersion, conf, memory: undefined },
        pods: new SimulatedPods(this.#objects, this.#clock, this.#executors),
        applicationId: textOf(pod.metadata.labels?.[appSelectorLabel]) ?? pod.metadata.name,
      });
    }
    if (role === "executor") {
      const id = env.get("SPARK_EXECUTOR_ID") ?? "?";
      return executorScript(id, address, sparkVersion, () => commands.next());
    }
    return (program) => {
      program.print("This container is simulated: its command was not run.");
      return Promise.resolve(0);
    };
  }

  #conf(pod: KubeObject): ReturnType<typeof driverConf> {
    return driverConf(decodePodSpec(pod), holdingsOf(this.#objects, pod.metadata.namespace ?? ""));
  }

  #label(pod: KubeObject): void {
    const { namespace = "", name } = pod.metadata;
    this.#objects.update({ resource: "pods", namespace, name }, (present) =>
      present.metadata.labels?.[simulationLabel] === "true"
        ? present
        : {
            ...present,
            metadata: {
              ...present.metadata,
              labels: { ...present.metadata.labels, [simulationLabel]: "true" },
            },
          },
    );
    const message = "This pod is simulated: no process runs in it, and its log is generated.";
    new PodEvents(this.#objects, this.#clock, this.#nodeName, pod).record({
      type: "Normal",
      reason: "Simulated",
      message,
    });
  }
}

/** Commands from the driver that the executor has not read yet. */
class CommandQueue {
  readonly #waiting: ExecutorCommand[] = [];
  #resolveNext: ((command: ExecutorCommand) => void) | undefined;

  add(command: ExecutorCommand): void {
    const resolveNext = this.#resolveNext;
    this.#resolveNext = undefined;
    if (resolveNext === undefined) this.#waiting.push(command);
    else resolveNext(command);
  }

  next(): Promise<ExecutorCommand> {
    const first = this.#waiting.shift();
    if (first !== undefined) return Promise.resolve(first);
    return new Promise((resolve) => {
      this.#resolveNext = resolve;
    });
  }
}
