// The interface between the API server and the node. The API server starts a node and forwards log and
// exec requests to it. The node watches the objects, schedules pods and writes their status.
import type { Objects } from "../api/objects.ts";
import type { SandboxClock } from "../clock.ts";
import type { KubeObject } from "../kubeObject.ts";

/** The dependencies of a node. */
export interface NodeOptions {
  /**
   * The store. The node creates its own Node object, sets `spec.nodeName` of pods, and removes a pod with a
   * `deletionTimestamp` after its containers have ended. The API server removes pods without a node.
   */
  readonly objects: Objects;
  readonly clock: SandboxClock;
  /** A private folder, mode 0700; deleted with the sandbox. */
  readonly folder: string;
  readonly api: NodeApi;
  /** Receives single lines without secrets. */
  readonly log: (line: string) => void;
}

/** Address and credentials of the API server for pods. */
export interface NodeApi {
  /** `https://127.0.0.1:PORT`. */
  readonly url: string;
  /** PEM of the certificate authority. */
  readonly authority: string;
  /** Returns the bearer token of a service account; the same one until the account is deleted. */
  tokenFor(namespace: string, serviceAccount: string): string;
}

/** The functions of the node that the API server uses. */
export interface PodNode {
  /**
   * Yields a container's log as bytes; lines end in "\n". The API server has checked that the container exists and
   * has started (for `previous`: has terminated before). With `follow`, ends after the container has ended and all
   * of its log was sent.
   */
  logs(pod: KubeObject, query: LogQuery, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /**
   * Runs a command in a running container; settles when it has ended. Kills it when `signal` aborts. Without a command,
   * attaches to the first process, which is not killed.
   */
  exec(
    pod: KubeObject,
    command: ExecCommand,
    streams: ExecStreams,
    signal: AbortSignal,
  ): Promise<ExecEnd>;
  /**
   * True if a process of the pod listens on this port of 127.0.0.1. All pods share this address of the machine, so the
   * caller must check which pod serves a port. In a real cluster each pod has its own loopback interface.
   */
  isServedOnLoopback(pod: KubeObject, port: number): Promise<boolean>;
  /** Kills all containers and releases all resources; settles when no process is left. */
  stop(): Promise<void>;
}

export interface LogQuery {
  readonly container: string;
  readonly follow: boolean;
  /** Reads the log of the run before the last restart. */
  readonly previous: boolean;
  /** Number of existing lines to return, from the end; undefined for all. */
  readonly tailLines: number | undefined;
  /** Milliseconds since the epoch; omits older lines. Undefined for all lines. */
  readonly since: number | undefined;
  /** Prefixes each line with its time (RFC 3339 with nanoseconds) and a space. */
  readonly timestamps: boolean;
  /** Maximum number of bytes to return; undefined for no limit. */
  readonly limitBytes: number | undefined;
}

export interface ExecCommand {
  readonly container: string;
  /** Undefined to attach to the first process. */
  readonly command: readonly string[] | undefined;
  readonly tty: boolean;
}

/** Size of the client's terminal, in characters. */
export interface NodeTerminalSize {
  readonly columns: number;
  readonly rows: number;
}

export interface ExecStreams {
  /** Empty if the client sends no input. */
  readonly stdin: AsyncIterable<Uint8Array>;
  /** The initial size and all later ones; ends when the client disconnects. */
  readonly sizes: AsyncIterable<NodeTerminalSize>;
  readonly stdout: (chunk: Uint8Array) => void;
  /** Not called with a terminal, which merges both streams into `stdout`. */
  readonly stderr: (chunk: Uint8Array) => void;
}

export type ExecEnd =
  | { readonly kind: "exited"; readonly exitCode: number }
  /** The command did not start. The API server sends `message` to the client. */
  | { readonly kind: "failed"; readonly message: string };

/** Starts a node. `nodeWith` in `src/sandbox/node/startNode.ts` creates such a function. */
export type StartNode = (options: NodeOptions) => Promise<PodNode>;
