import type { ClusterError } from "../../engine/clusterError.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import type { LogItem, LogRequest, LogSource } from "../../engine/ports/logs.ts";
import {
  memoizeOnSuccess,
  logRuleOf,
  redactedLogs,
  ruleNameOf,
  type LogRule,
} from "../../engine/logs/redactedLogs.ts";
import { isAbort } from "../../base/isAbort.ts";
import type { ClusterSession } from "../apps/clusterSession.ts";

/**
 * Reads logs of an application over the session's current connection. So a followed log continues after a reconnect,
 * for example when the kubeconfig changes. Fails if the connection is now to another context or server. Redacts all
 * lines if `secrets` is "hidden".
 */
export class SessionLogs implements LogSource {
  readonly #session: ClusterSession;
  readonly #key: string;
  readonly #context: string;
  readonly #server: string;
  readonly #secrets: "hidden" | "shown";
  readonly #askRule: (connection: Connection) => Promise<LogRule>;

  /** `key`: the application's key. `secrets`: always "hidden" for stored logs. */
  constructor(
    session: ClusterSession,
    key: string,
    { context, server }: Connection,
    secrets: "hidden" | "shown",
  ) {
    this.#session = session;
    this.#key = key;
    this.#context = context;
    this.#server = server;
    this.#secrets = secrets;
    const name = ruleNameOf({ context, server }, key);
    this.#askRule = memoizeOnSuccess((now) =>
      logRuleOf(session.logRules, name, now, session.find(key)?.driver?.pod),
    );
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
      const source =
        this.#secrets === "shown" ? logs : redactedLogs(logs, () => this.#askRule(connected.value));
      yield* source.readLog(request, signal);
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
