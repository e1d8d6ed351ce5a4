// The Spark UI of a driver behind a local proxy.
import type { Disposable } from "../../base/disposable.ts";
import type { Result } from "../../base/result.ts";
import type { KillTarget } from "../../spark/ui/pageRules.ts";
import type { ClusterError } from "../clusterError.ts";
import type { PassedPodPages, PodPort, PodPorts } from "./channels.ts";

/** The current pod and port of a Spark UI, with both routes to it: port forwarding and the API server's proxy. */
export interface UiPlace {
  readonly pod: PodPort;
  readonly ports: Pick<PodPorts, "open">;
  readonly pages: PassedPodPages;
}

export type UiWay = "forward" | "api";

/** The reason why no page of the driver is shown. */
export type UiProblem =
  /** The user has neither `get` and `create pods/portforward` nor `get pods/proxy`. */
  | { readonly kind: "forbidden"; readonly namespace: string }
  /** No process listens on the port. */
  | { readonly kind: "notListening"; readonly pod: PodPort }
  /** The driver redirects to another server, for example with `spark.ssl.ui.enabled`. */
  | { readonly kind: "elsewhere" }
  | { readonly kind: "failed"; readonly error: ClusterError };

export interface UiRequest {
  /** Returns the current driver. Called for each page, so that the proxy follows a restarted driver. */
  readonly place: (signal: AbortSignal) => Promise<Result<UiPlace, ClusterError>>;
  /** Prompts the user. Returns true if the user agrees to kill the job or the stage. */
  readonly mayKill: (target: KillTarget) => Promise<boolean>;
  /** Returns the text of the page that the proxy serves in place of the driver's page. */
  readonly explain: (problem: UiProblem) => Promise<string>;
  readonly log: (line: string) => void;
}

/**
 * Serves the UI of one driver on the loopback interface, below a secret path. Forwards only reads and confirmed kills,
 * through a port forward or the API server, depending on the user's permissions.
 */
export interface UiProxy extends Disposable {
  readonly port: number;
  /** The secret path below which the UI is served: `/<secret>`. */
  readonly root: string;
  /** The route of the last response; undefined before the first response. */
  readonly way: UiWay | undefined;
  /** Allows another authority in the `Host` header, such as one from `asExternalUri`. */
  readonly accept: (authority: string) => void;
}
