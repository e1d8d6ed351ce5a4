// Where rehearsals are played: who is on the stage, and which script a container follows.
import { appSelectorLabel } from "../../../spark/labels.ts";
import { textOf } from "../../../spark/pods/fields.ts";
import { rehearsalLabel } from "../../../spark/rehearsal.ts";
import type { Objects } from "../../api/objects.ts";
import type { Clock } from "../../clock.ts";
import type { KubeObject } from "../../kubeObject.ts";
import { PodEvents } from "../events.ts";
import { holdingsOf } from "../holdings.ts";
import type { LogWriter } from "../logs/logFiles.ts";
import type { ContainerRun } from "../run/containerRun.ts";
import { decodePodSpec, type ContainerSpec } from "../spec/podSpec.ts";
import { ActedRun, type Script } from "./actor.ts";
import { Cast, type Player } from "./cast.ts";
import { driverConf } from "./driverConf.ts";
import { driverPart } from "./driverPart.ts";
import { executorPart, type Cue } from "./executorPart.ts";
import { scenarioOf } from "./scenario.ts";

export interface Part {
  readonly pod: KubeObject;
  readonly container: ContainerSpec;
  readonly sparkVersion: string;
  /** The container's environment, as the pod gives it. */
  readonly env: ReadonlyMap<string, string>;
  readonly address: string;
}

export class Theater {
  readonly #objects: Objects;
  readonly #clock: Clock;
  readonly #nodeName: string;
  readonly #players = new Map<string, Player>();

  constructor(objects: Objects, clock: Clock, nodeName: string) {
    this.#objects = objects;
    this.#clock = clock;
    this.#nodeName = nodeName;
  }

  /** Plays the part of a container; what it is, is told on its pod. */
  play(part: Part, log: LogWriter): ContainerRun {
    this.#label(part.pod);
    const cues = new Cues();
    const run = new ActedRun(this.#script(part, cues), this.#clock, log);
    const { uid = "" } = part.pod.metadata;
    if (part.container.args[0] === "executor") {
      this.#players.set(uid, {
        run,
        tell: (cue) => {
          cues.add(cue);
        },
      });
      void run.done.then(() => this.#players.delete(uid));
    }
    return run;
  }

  #script(part: Part, cues: Cues): Script {
    const { pod, container, env, sparkVersion, address } = part;
    const [role] = container.args;
    if (role === "driver") {
      const conf = this.#conf(pod);
      return driverPart({
        scenario: scenarioOf(env),
        conf,
        order: { driver: pod, image: container.image, sparkVersion, conf, memory: undefined },
        cast: new Cast(this.#objects, this.#clock, this.#players),
        applicationId: textOf(pod.metadata.labels?.[appSelectorLabel]) ?? pod.metadata.name,
      });
    }
    if (role === "executor") {
      const id = env.get("SPARK_EXECUTOR_ID") ?? "?";
      return executorPart(id, address, sparkVersion, () => cues.next());
    }
    return (actor) => {
      actor.print("This container is a rehearsal: its command was not run.");
      return Promise.resolve(0);
    };
  }

  #conf(pod: KubeObject): ReturnType<typeof driverConf> {
    return driverConf(decodePodSpec(pod), holdingsOf(this.#objects, pod.metadata.namespace ?? ""));
  }

  #label(pod: KubeObject): void {
    const { namespace = "", name } = pod.metadata;
    this.#objects.update({ resource: "pods", namespace, name }, (present) =>
      present.metadata.labels?.[rehearsalLabel] === "true"
        ? present
        : {
            ...present,
            metadata: {
              ...present.metadata,
              labels: { ...present.metadata.labels, [rehearsalLabel]: "true" },
            },
          },
    );
    const message = "This pod is a rehearsal: nothing runs in it, and its log is acted.";
    new PodEvents(this.#objects, this.#clock, this.#nodeName, pod).record({
      type: "Normal",
      reason: "Rehearsal",
      message,
    });
  }
}

/** What an executor is still to be told. */
class Cues {
  readonly #waiting: Cue[] = [];
  #ask: ((cue: Cue) => void) | undefined;

  add(cue: Cue): void {
    const ask = this.#ask;
    this.#ask = undefined;
    if (ask === undefined) this.#waiting.push(cue);
    else ask(cue);
  }

  next(): Promise<Cue> {
    const first = this.#waiting.shift();
    if (first !== undefined) return Promise.resolve(first);
    return new Promise((resolve) => {
      this.#ask = resolve;
    });
  }
}
