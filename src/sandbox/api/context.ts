import type { SandboxClock } from "../clock.ts";
import type { PodNode } from "../node/node.ts";
import type { History } from "./history.ts";
import type { Kinds } from "./kinds.ts";
import type { Objects } from "./objects.ts";

/** The state and collaborators that request handlers share. */
export interface ApiContext {
  readonly objects: Objects;
  readonly history: History;
  readonly kinds: Kinds;
  readonly clock: SandboxClock;
  /** PEM certificate of the authority; written to the ConfigMap `kube-root-ca.crt` of each namespace. */
  readonly authority: string;
  /** Returns undefined if the sandbox has no node. */
  readonly node: () => PodNode | undefined;
}

/** The authenticated user of a request. */
export interface User {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
}
