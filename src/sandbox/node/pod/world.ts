import type { Objects } from "../../api/objects.ts";
import type { SandboxClock } from "../../clock.ts";
import type { KubeObject } from "../../kubeObject.ts";
import type { Images } from "../image/images.ts";
import type { MachinePrograms } from "../image/machine.ts";
import type { Nanoseconds } from "../logs/logFiles.ts";
import type { NodeApi } from "../node.ts";
import type { Simulation } from "../simulation/simulation.ts";
import type { MemoryWatch } from "../run/memoryWatch.ts";
import type { Watchdog } from "../run/watchdog.ts";
import type { SandboxPodSpec } from "../spec/podSpec.ts";
import type { ResourceAmounts } from "../spec/requests.ts";

/**
 * Dependencies that all pods of a node share. More than a dozen members, because `startNode.ts` creates one object per
 * node and passes it to each part of a pod.
 */
export interface PodWorld {
  readonly objects: Objects;
  readonly clock: SandboxClock;
  readonly nanoseconds: Nanoseconds;
  readonly api: NodeApi;
  readonly nodeName: string;
  readonly hostAddress: string;
  readonly allocatable: ResourceAmounts;
  /** The node's folder. */
  readonly folder: string;
  readonly images: Images;
  readonly programs: () => Promise<MachinePrograms>;
  readonly platform: NodeJS.Platform;
  readonly watchdog: () => Watchdog;
  readonly memory: MemoryWatch;
  readonly simulation: Simulation;
  /** Returns the address of a pod; undefined if this node does not run it. */
  readonly addressOf: (pod: KubeObject) => string | undefined;
  readonly log: (line: string) => void;
}

/** One pod on the node. */
export interface PodPlace {
  readonly pod: KubeObject;
  readonly spec: SandboxPodSpec;
  readonly folder: string;
  readonly address: string;
}
