import type { Objects } from "../../api/objects.ts";
import type { Clock } from "../../clock.ts";
import type { KubeObject } from "../../kubeObject.ts";
import type { Images } from "../image/images.ts";
import type { MachinePrograms } from "../image/machine.ts";
import type { Nanoseconds } from "../logs/logFiles.ts";
import type { NodeApi } from "../node.ts";
import type { Theater } from "../rehearsal/theater.ts";
import type { MemoryWatch } from "../run/memoryWatch.ts";
import type { Watchdog } from "../run/watchdog.ts";
import type { PodSpec } from "../spec/podSpec.ts";
import type { Amounts } from "../spec/requests.ts";

/** What all pods of a node share. */
export interface PodWorld {
  readonly objects: Objects;
  readonly clock: Clock;
  readonly nanoseconds: Nanoseconds;
  readonly api: NodeApi;
  readonly nodeName: string;
  readonly hostAddress: string;
  readonly allocatable: Amounts;
  /** The node's own folder. */
  readonly folder: string;
  readonly images: Images;
  readonly programs: () => Promise<MachinePrograms>;
  readonly platform: NodeJS.Platform;
  readonly watchdog: () => Watchdog;
  readonly memory: MemoryWatch;
  readonly theater: Theater;
  /** The address of a pod that has one. */
  readonly addressOf: (pod: KubeObject) => string | undefined;
  readonly log: (line: string) => void;
}

/** One pod on the node. */
export interface PodPlace {
  readonly pod: KubeObject;
  readonly spec: PodSpec;
  readonly folder: string;
  readonly address: string;
}
