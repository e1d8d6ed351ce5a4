import type { Clock } from "../clock.ts";
import type { PodNode } from "../node/node.ts";
import type { History } from "./history.ts";
import type { Kinds } from "./kinds.ts";
import type { Objects } from "./objects.ts";

/** What requests are answered with. */
export interface ApiContext {
  readonly objects: Objects;
  readonly history: History;
  readonly kinds: Kinds;
  readonly clock: Clock;
  /** PEM; `kube-root-ca.crt` of each namespace. */
  readonly authority: string;
  /** Undefined: nobody runs the pods. */
  readonly node: () => PodNode | undefined;
}

/** Whoever asks. */
export interface User {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
}
