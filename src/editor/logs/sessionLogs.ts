import type { ClusterError } from "../../engine/clusterError.ts";
import type { Connection, LogItem, LogRequest, LogSource } from "../../engine/ports.ts";
import { isAbort } from "../../engine/running.ts";
import type { ClusterSession } from "../apps/clusterSession.ts";

/**
 * The logs of one cluster over whatever connection the window has to it: a kubeconfig that is written anew ends
 * the connection and begins another, and a log that is followed goes on there.
 */
export class SessionLogs implements LogSource {
  readonly #session: ClusterSession;
  readonly #key: string;
  readonly #context: string;
  readonly #server: string;

  /** `key`: of the application whose logs they are. */
  constructor(session: ClusterSession, key: string, { context, server }: Connection) {
    this.#session = session;
    this.#key = key;
    this.#context = context;
    this.#server = server;
  }

  async *readLog(request: LogRequest, signal: AbortSignal): AsyncGenerator<LogItem> {
    const connected = await this.#session.connectTo(this.#key, signal);
    if (!connected.ok) {
      yield { kind: "failed", error: connected.error };
      return;
    }
    const { context, server, logs } = connected.value;
    if (context !== this.#context || server !== this.#server) {
      yield { kind: "failed", error: elsewhere(context) };
      return;
    }
    try {
      yield* logs.readLog(request, signal);
    } catch (error) {
      if (signal.aborted || !isAbort(error)) throw error;
      yield { kind: "failed", error: replaced(server) };
    }
  }
}

const replaced = (server: string): ClusterError => ({
  kind: "unreachable",
  server,
  detail: "the connection was replaced",
  requestSent: true,
});

const elsewhere = (context: string): ClusterError => ({
  kind: "invalid",
  detail: `the window now looks at the context "${context}"`,
  causes: [],
});
