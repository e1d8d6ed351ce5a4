import { msg, type MessageText } from "../../base/message.ts";
import type { DebugConfiguration, DebugSession } from "vscode";
import { fieldAt, numberAt } from "../../base/json.ts";
import { DisposableStore } from "../../base/disposable.ts";
import { err, ok } from "../../base/result.ts";
import { connectWhenReady } from "../../engine/debug/connectWhenReady.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { PodName } from "../../engine/ports/reports.ts";
import type { PodPorts, PodStream, PortForward } from "../../engine/ports/channels.ts";
import { pathMappings } from "../../spark/submit/debug/pathMappings.ts";
import type { PlannedDebug } from "../../spark/submit/debug/plannedDebug.ts";
import type { StartedRun } from "../submit/controlledRun.ts";
import type { DebugContext, DebugScreen } from "./debugContext.ts";

export interface PodSessions extends Pick<DebugContext, "clock" | "forward"> {
  readonly run: StartedRun;
  readonly plan: PlannedDebug;
  readonly parent: DebugSession;
  readonly justMyCode: boolean;
  /** Prints a line to the debug console. */
  readonly print: (line: MessageText) => void;
  readonly screen: Pick<DebugScreen, "refusalIn" | "sessions">;
}

/** `notStarted`: VS Code did not start a debug session, because its extension is disabled or failed. */
export type PodSessionsEnd = "notStarted" | ClusterError;

/**
 * Starts a debug session for each process of a pod that waits for a debugger, until `signal` aborts. Processes start at
 * different times, and a new process may use the port of one that has ended. Resolves only if a session does not start
 * or the connection fails.
 */
export async function debugPod(
  pod: PodName,
  name: string,
  sessions: PodSessions,
  signal: AbortSignal,
): Promise<PodSessionsEnd> {
  const { run, plan, clock, screen } = sessions;
  const { connection } = run;
  const busy = new Set<number>();
  for (;;) {
    let port = 0;
    const open: OpenPort = (signalOfOpen) => {
      const refusal = screen.refusalIn(connection);
      if (refusal !== undefined) {
        return Promise.resolve(err({ kind: "invalid", detail: refusal, causes: [] }));
      }
      // The next process that waits for a debugger listens on the first port that no session uses.
      port = plan.ports.find((one) => !busy.has(one)) ?? 0;
      return connection.ports.open(
        { namespace: pod.namespace, name: pod.name, port },
        signalOfOpen,
      );
    };
    while (busy.size === plan.ports.length) await clock.sleep(1000, signal);
    const protocol = plan.language === "python" ? "dap" : "jdwp";
    const ready = await connectWhenReady({ open, protocol, clock }, signal);
    if (!ready.ok) return ready.error;
    const used = port;
    const reopen: OpenPort = (signalOfOpen) =>
      connection.ports.open({ namespace: pod.namespace, name: pod.name, port: used }, signalOfOpen);
    busy.add(used);
    const started = await startSession(name, ready.value, reopen, sessions, () => {
      busy.delete(used);
    });
    if (!started) return "notStarted";
  }
}

type OpenPort = (signal: AbortSignal) => ReturnType<PodPorts["open"]>;

async function startSession(
  name: string,
  ready: PodStream,
  reopen: OpenPort,
  { forward, run, plan, parent, justMyCode, print, screen }: PodSessions,
  ended: () => void,
): Promise<boolean> {
  const owned = new DisposableStore();
  let first: PodStream | undefined = ready;
  const listening: PortForward = owned.add(
    await forward({
      localPort: undefined,
      dial: (signal) => {
        const stream = first;
        first = undefined;
        // The debugger connects again for each subprocess that debugpy finds, so open another stream to the port.
        return stream === undefined ? reopen(signal) : Promise.resolve(ok(stream));
      },
      changed: () => undefined,
      failed: ({ detail }) => {
        print(msg`debug connection: ${detail}`);
      },
    }),
  );
  const { localPort } = listening;
  let session: string | undefined;
  owned.add(
    screen.sessions.onDidStart((one) => {
      if (portOf(one.configuration) === localPort) session ??= one.id;
    }),
  );
  owned.add(
    screen.sessions.onDidTerminate((one) => {
      if (one.id !== session) return;
      owned.dispose();
      ended();
    }),
  );
  print(msg`${name}: debugger attached`);
  const isStarted = await screen.sessions.start(
    parent,
    attachConfiguration(name, localPort, run, plan, justMyCode),
  );
  if (!isStarted) owned.dispose();
  return isStarted;
}

/** Returns the attach configuration for the Python Debugger or the Debugger for Java. */
function attachConfiguration(
  name: string,
  port: number,
  { plan }: StartedRun,
  { language }: PlannedDebug,
  justMyCode: boolean,
): DebugConfiguration {
  // Use 127.0.0.1, because "localhost" may also resolve to ::1, where another program may listen.
  return language === "python"
    ? {
        name,
        type: "debugpy",
        request: "attach",
        connect: { host: "127.0.0.1", port },
        pathMappings: pathMappings(plan),
        justMyCode,
        subProcess: true,
      }
    : {
        name,
        type: "java",
        request: "attach",
        hostName: "127.0.0.1",
        port,
        timeout: 30_000,
      };
}

const portOf = (configuration: DebugConfiguration): number | undefined =>
  numberAt(fieldAt(configuration, "connect"), "port") ?? numberAt(configuration, "port");
