import type { ClusterError } from "../../engine/clusterError.ts";
import type { Connection, LogItem, LogRequest, LogSource } from "../../engine/ports.ts";
import { defaultLogRule, readLogRule, redactedLogs } from "../../engine/redactedLogs.ts";
import { isAbort } from "../../engine/running.ts";
import type { IsSecret } from "../../spark/redact.ts";
import type { ClusterSession } from "../apps/clusterSession.ts";
import { showsLogSecrets } from "../settings.ts";

/**
 * The logs of one cluster over whatever connection the window has to it: a kubeconfig that is written anew ends
 * the connection and begins another, and a log that is followed goes on there. Secrets are taken out here, for all
 * that shows or writes lines.
 */
export class SessionLogs implements LogSource {
  readonly #session: ClusterSession;
  readonly #key: string;
  readonly #context: string;
  readonly #server: string;
  readonly #secrets: "hidden" | "shown";
  /** The same to the end: lines are known again by what is left of them. */
  #rule: Promise<IsSecret> | undefined;

  /** `key`: of the application whose logs they are. What stays must not show secrets, whatever is set. */
  constructor(
    session: ClusterSession,
    key: string,
    { context, server }: Connection,
    secrets: "hidden" | "asSet" = "asSet",
  ) {
    this.#session = session;
    this.#key = key;
    this.#context = context;
    this.#server = server;
    this.#secrets = secrets === "asSet" && showsLogSecrets() ? "shown" : "hidden";
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
        this.#secrets === "shown"
          ? logs
          : redactedLogs(logs, () => (this.#rule ??= this.#readRule(connected.value)));
      yield* source.readLog(request, signal);
    } catch (error) {
      if (signal.aborted || !isAbort(error)) throw error;
      yield { kind: "failed", error: replaced(server) };
    }
  }

  async #readRule(connection: Connection): Promise<IsSecret> {
    const { logRules } = this.#session;
    const name = JSON.stringify([this.#context, this.#server, this.#key]);
    const driver = this.#session.find(this.#key)?.driver;
    if (driver === undefined) return defaultLogRule;
    const asked = logRules.get(name) ?? readLogRule(connection, driver.pod);
    logRules.set(name, asked);
    const own = await asked;
    // Who opens the next log may ask again.
    if (own === undefined) logRules.delete(name);
    return own ?? defaultLogRule;
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
