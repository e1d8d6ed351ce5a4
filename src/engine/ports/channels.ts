// Connections into a pod: exec and attach, port forwarding, and HTTP through the API server.
import type { Disposable } from "../../base/disposable.ts";
import type { Result } from "../../base/result.ts";
import type { ClusterError } from "../clusterError.ts";

export interface ExecRequest {
  readonly namespace: string;
  readonly pod: string;
  /** Undefined means the pod's default container. */
  readonly container: string | undefined;
  /** The program and its arguments. Undefined attaches to the container's first process. */
  readonly command: readonly string[] | undefined;
  /** Size of the program's TTY. If undefined, there is no TTY, and standard input only with `hasInput`. */
  readonly terminal: TerminalSize | undefined;
  /** True to connect the program's standard input to `ExecSession.write`. */
  readonly hasInput?: boolean;
}

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** Output of a program. `ended` or `failed` is the last item. A TTY merges both streams into `stdout`. */
export type ExecItem =
  | { readonly kind: "output"; readonly from: "stdout" | "stderr"; readonly text: string }
  | { readonly kind: "ended"; readonly exitCode: number }
  | { readonly kind: "failed"; readonly error: ClusterError };

/** A running program in a container. `dispose` closes its terminal or its standard input, which ends most programs. */
export interface ExecSession extends Disposable {
  /** Can be iterated once. */
  readonly items: AsyncIterable<ExecItem>;
  /**
   * False before Kubernetes 1.30. `closeInput` then does nothing, and the program must detect the end of its input
   * itself.
   */
  readonly canCloseInput: boolean;
  /**
   * Copies and sends the bytes. Returns a promise if the caller should wait before it writes more. The promise also
   * resolves when the session ends.
   */
  write(bytes: Uint8Array): Promise<void> | undefined;
  /** Closes the program's standard input after all written bytes. */
  closeInput(): void;
  type(text: string): void;
  resize(size: TerminalSize): void;
}

export interface PodExec {
  start(request: ExecRequest, signal: AbortSignal): Promise<Result<ExecSession, ClusterError>>;
}

/** A connection to a port of a pod. `dispose` aborts it. */
export interface PodStream extends Disposable {
  /** Can be iterated once. Ends when the pod closes the connection. If it fails, the last item has the error. */
  readonly items: AsyncIterable<PodStreamItem>;
  /** Returns a promise if the caller should wait before it writes more. */
  write(bytes: Uint8Array): Promise<void> | undefined;
}

export type PodStreamItem =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "failed"; readonly error: ClusterError };

/**
 * Opens connections to ports of pods. Needs permission to `get` and `create pods/portforward`. Port forwarding over
 * WebSocket has no half-close: the pod is not notified when the client stops sending, but its data still arrives.
 */
export interface PodPorts {
  open(pod: PodPort, signal: AbortSignal): Promise<Result<PodStream, ClusterError>>;
}

export interface ForwardRequest {
  /** Preferred port; if undefined or in use, any free port. */
  readonly localPort: number | undefined;
  /** Opens a new connection to the pod for each local connection. */
  readonly dial: (signal: AbortSignal) => Promise<Result<PodStream, ClusterError>>;
  /** Called after a connection was opened or closed. */
  readonly changed: () => void;
  /** Called after a connection was refused or broke. */
  readonly failed: (error: ClusterError) => void;
}

/** A local port on the loopback interface that is forwarded to a pod. */
export interface PortForward extends Disposable {
  readonly localPort: number;
  readonly connections: number;
}

export interface PodPort {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** HTTP pages of a pod through the API server. Needs permission to `get pods/proxy`. */
export interface PodPages {
  /**
   * Reads a JSON page of at most 4 MB. `path` begins at the root, as in `/api/v1/applications`. An abort of `signal`
   * ends the wait, not the request.
   */
  read(pod: PodPort, path: string, signal: AbortSignal): Promise<Result<unknown, ClusterError>>;
}

/** As `PodPages`, for pages that a proxy returns to a browser. */
export interface PassedPodPages {
  /**
   * Returns the pod's response, with any status and content type. A JSON response with an error status counts as a
   * refusal by the API server, and is returned as an error.
   */
  open(
    pod: PodPort,
    request: PodPageRequest,
    signal: AbortSignal,
  ): Promise<Result<PodPageAnswer, ClusterError>>;
}

export interface PodPageRequest {
  readonly method: "GET" | "HEAD" | "POST";
  /** The path with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly contentType: string; readonly text: string } | undefined;
}

export interface PodPageAnswer {
  readonly status: number;
  /** Names in lower case. Values of a repeated header are joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, still encoded as in `content-encoding`. Can be iterated once; throws if the connection breaks. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** The path prefix that the API server adds to links; undefined for a forwarded port. */
  readonly prefix: string | undefined;
  /** The `Host` of the request (host and port). The pod may use it in redirects. */
  readonly host: string;
  /** Closes the response. Required if the caller does not read `chunks` to the end. */
  readonly close: () => void;
}
