// Between the API server and what runs the pods: the API server starts a node and asks it for logs and
// commands; the node follows the objects, places pods that are to run, and writes their states.
import type { Objects } from "../api/objects.ts";
import type { Clock } from "../clock.ts";
import type { KubeObject } from "../kubeObject.ts";

/** What a node gets from the sandbox that starts it. */
export interface NodeOptions {
  /**
   * Where pods come from and their states go to. The node makes its own `nodes` object, gives pods their
   * `spec.nodeName`, and takes a pod with a `deletionTimestamp` away with `remove` when its containers have
   * ended (the API server itself removes those that have no node).
   */
  readonly objects: Objects;
  readonly clock: Clock;
  /** A folder of the node's own, of mode 0700; it goes with the sandbox. */
  readonly folder: string;
  readonly api: NodeApi;
  /** One line, without secrets. */
  readonly log: (line: string) => void;
}

/** What pods need to reach the API server. */
export interface NodeApi {
  /** `https://127.0.0.1:PORT`. */
  readonly url: string;
  /** PEM of the certificate authority. */
  readonly authority: string;
  /** A bearer token that speaks for a service account; the same each time. */
  tokenFor(namespace: string, serviceAccount: string): string;
}

/** What the API server asks of the node. */
export interface PodNode {
  /**
   * A container's log as bytes, with lines that end in "\n". The API server has made sure that the container
   * exists and has begun (or, for `previous`, has ended before). Ends when the log does; with `follow`, when
   * the container has ended and all of it was sent.
   */
  logs(pod: KubeObject, query: LogQuery, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** Runs a command in a running container; settles when it has ended. Ends it when `signal` aborts. */
  exec(
    pod: KubeObject,
    command: ExecCommand,
    streams: ExecStreams,
    signal: AbortSignal,
  ): Promise<ExecEnd>;
  /** Ends all containers at once and lets go of everything; settles when no process is left. */
  stop(): Promise<void>;
}

export interface LogQuery {
  readonly container: string;
  readonly follow: boolean;
  /** The container's run before its last restart. */
  readonly previous: boolean;
  /** At most so many of the last lines of what there is; undefined: all. */
  readonly tailLines: number | undefined;
  /** Milliseconds since the epoch: nothing older. */
  readonly since: number | undefined;
  /** Each line begins with its time (RFC 3339 with nanoseconds) and a blank. */
  readonly timestamps: boolean;
  /** The log ends after so many bytes. */
  readonly limitBytes: number | undefined;
}

export interface ExecCommand {
  readonly container: string;
  readonly command: readonly string[];
  readonly tty: boolean;
}

/** Of a client's window, in characters. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

export interface ExecStreams {
  /** Empty when the client has none. */
  readonly stdin: AsyncIterable<Uint8Array>;
  /** As the window is, and as it becomes; ends with the client. */
  readonly sizes: AsyncIterable<TerminalSize>;
  readonly stdout: (chunk: Uint8Array) => void;
  /** Not used with a terminal, which has one stream. */
  readonly stderr: (chunk: Uint8Array) => void;
}

export type ExecEnd =
  | { readonly kind: "exited"; readonly exitCode: number }
  /** It could not be started; the message goes to the client. */
  | { readonly kind: "failed"; readonly message: string };

/** `nodeWith` of `src/sandbox/node/startNode.ts` makes one. */
export type StartNode = (options: NodeOptions) => Promise<PodNode>;
