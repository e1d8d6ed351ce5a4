import { msg, type Message } from "../../base/message.ts";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import { isAbort } from "../../base/isAbort.ts";
import { err, type Result } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import { connectWhenReady } from "../../engine/debug/connectWhenReady.ts";
import type { PodStream, PortForward } from "../../engine/ports/channels.ts";
import { hasEndedPod, isAlive, type Application } from "../../spark/pods/application.ts";
import { describeState } from "../../spark/pods/describeState.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import { remoteCode, remoteOf, sessionPort } from "../../spark/submit/session/sessionPort.ts";
import { chosenApplication } from "../apps/pick.ts";
import { applicationNode, type TreeNode } from "../apps/treeNode.ts";
import { dialPod } from "../forward/dialPod.ts";
import { commands } from "../ids.ts";
import type { PlainStatusBarItem } from "../ui/window.ts";
import { connectedMark, keepConnectedMark } from "./connectedMark.ts";
import type { Selections } from "./runSelection.ts";
import type { SessionContext } from "./sessionContext.ts";

/** Owns the connection to a Spark session, and runs selections in the session. */
export interface OpenSessions extends Disposable {
  connect(nodes: readonly TreeNode[]): Promise<void>;
  runSelection(): Promise<void>;
  /** Connects to a session that this window has started. */
  started(driver: PodRecord): Promise<void>;
  /** Connects to the session that the workspace was connected to before the window reloaded. */
  resume(): Promise<void>;
}

export const sessionsOf = (context: SessionContext, window: SessionWindow): OpenSessions =>
  new Sessions(context, window);

/** The parts of the window that sessions use in addition to `Screen`. */
export interface SessionWindow {
  readonly selections: Pick<Selections, "run" | "stop" | "dispose">;
  readonly isTrustedWorkspace: () => boolean;
  readonly createItem: (id: string) => PlainStatusBarItem;
}

/** A session and its forwarded port. */
interface Connected {
  readonly key: string;
  readonly uid: string;
  readonly name: string;
  readonly namespace: string;
  readonly sparkVersion: string | undefined;
  readonly remote: string;
  readonly forward: PortForward;
}

const remoteVariable = "SPARK_REMOTE";
// Maximum waits in ms, for a new driver's pod and for the watch after a reload. The watch usually delivers a pod within
// a second.
const foundMs = 15_000;
const resumedMs = 60_000;

class Sessions implements OpenSessions {
  readonly #context: SessionContext;
  readonly #window: SessionWindow;
  readonly #owned = new DisposableStore();
  #connected: Connected | undefined;
  #item: PlainStatusBarItem | undefined;

  constructor(context: SessionContext, window: SessionWindow) {
    this.#context = context;
    this.#window = window;
    const { variables, session, screen } = context;
    // Do not persist the variable: the forwarded port ends with the window, and `resume` sets the variable again.
    variables.persistent = false;
    variables.description = screen.translated(
      msg("Connects Spark Connect clients to the Spark session"),
    );
    this.#owned.add(window.selections);
    this.#owned.add(
      session.onDidChange(() => {
        this.#endWithSession();
      }),
    );
  }

  async connect([node]: readonly TreeNode[]): Promise<void> {
    const connected = this.#connected;
    if (connected !== undefined && node === undefined) return this.#show(connected);
    const title = msg("Connect to Session");
    const application = await chosenApplication(this.#context, node, title, isSession, "ask");
    if (application === undefined) return;
    if (!isSession(application)) {
      void this.#context.screen.showInformationMessage(
        msg`"${application.name}" is not a running Spark session. Use "Forward Port…" for other Connect servers.`,
      );
      return;
    }
    if (application.driver?.pod.uid === connected?.uid && connected !== undefined) {
      return this.#show(connected);
    }
    await this.#open(application, undefined);
  }

  async runSelection(): Promise<void> {
    if (this.#connected === undefined) await this.#offerSession();
    if (this.#connected !== undefined) await this.#window.selections.run(this.#connected);
  }

  async started({ uid, namespace }: PodRecord): Promise<void> {
    const { session } = this.#context;
    session.start();
    const isFound = await session.until(
      () => this.#find(uid) !== undefined,
      AbortSignal.timeout(foundMs),
    );
    const application = this.#find(uid);
    if (isFound && application !== undefined) return this.#open(application, undefined);
    void this.#context.screen.showWarningMessage(
      msg`The session was submitted to namespace "${namespace}", which is not watched. Use Choose Namespaces… to watch it, then connect to the session.`,
    );
  }

  async resume(): Promise<void> {
    const { session, runs } = this.#context;
    const mark = connectedMark(runs);
    if (mark === undefined || !this.#window.isTrustedWorkspace()) return;
    await session.loaded(AbortSignal.timeout(resumedMs));
    const application = this.#find(mark.uid);
    if (application === undefined || !isSession(application)) {
      // Keep the mark while the cluster is unreachable, because the session may still run.
      if (session.isLive) await keepConnectedMark(runs, undefined);
      return;
    }
    if (session.contextOf(application.key) !== mark.context) return;
    const connection = session.connectionOf(application.key);
    if (connection !== undefined && !this.#context.screen.isUnguarded(connection)) {
      const again = msg("Reconnect");
      const text = msg`This window was connected to the Spark session "${application.name}".`;
      if ((await this.#context.screen.showInformationMessage(text, again)) !== again) return;
    }
    await this.#open(application, mark.localPort);
  }

  dispose(): void {
    this.#connected?.forward.dispose();
    this.#context.variables.delete(remoteVariable);
    this.#owned.dispose();
  }

  #find(uid: string): Application | undefined {
    return this.#context.session.applications.find(({ driver }) => driver?.pod.uid === uid);
  }

  async #offerSession(): Promise<void> {
    const { session } = this.#context;
    if (session.applications.some(isSession)) return this.connect([]);
    const start = msg("Start Spark Session…");
    const text = msg("No Spark session runs in the watched namespaces.");
    if ((await this.#context.screen.showInformationMessage(text, start)) === start) {
      await this.#context.screen.runCommand(commands.startSession);
    }
  }

  /**
   * Waits until the driver accepts clients and forwards its port. `localPort`: the local port to reuse; undefined means
   * any free port.
   */
  async #open(application: Application, localPort: number | undefined): Promise<void> {
    const { session, screen, log, clock, runs, variables } = this.#context;
    const { key, name, namespace, driver } = application;
    const port = driver && sessionPort(driver.pod);
    if (driver === undefined || port === undefined) return;
    const failed = msg`Cannot connect to the Spark session "${name}"`;
    const connection = await session.connectTo(key, new AbortController().signal);
    if (!connection.ok) return screen.showClusterError(failed, connection.error, log);
    const action = msg`Connect to the Spark session "${name}"`;
    if (!(await screen.mayChange(connection.value, action))) return;
    const { uid } = driver.pod;
    const dial = (signal: AbortSignal): Promise<Result<PodStream, ClusterError>> => {
      const pod = session.findPod(key, uid);
      return pod === undefined
        ? Promise.resolve(
            err({
              kind: "notFound",
              resource: "pods",
              name,
              detail: screen.translated(gone(name)),
            }),
          )
        : dialPod(this.#context, { key, pod }, port, signal);
    };
    const ready = await screen.withProgress(
      {
        where: "notification",
        title: msg`Starting the Spark session "${name}"`,
        cancellable: true,
      },
      async (canceled, report) => {
        const ended = new AbortController();
        const owned = new DisposableStore();
        const check = (): void => {
          const now = this.#find(uid);
          if (now?.driver === undefined || hasEndedPod(now.driver)) ended.abort();
          else report({ message: describeState(now.driver.state) });
        };
        owned.add(session.onDidChange(check));
        check();
        try {
          const open = { open: dial, protocol: "http2", clock } as const;
          const found = await connectWhenReady(open, AbortSignal.any([canceled, ended.signal]));
          if (found.ok) found.value.dispose();
          return found;
        } catch (error) {
          if (!isAbort(error)) throw error;
          return canceled.aborted ? undefined : "ended";
        } finally {
          owned.dispose();
        }
      },
    );
    if (ready === undefined) return this.#offerStop(application);
    if (ready === "ended") return this.#showEnded(application);
    if (!ready.ok) return screen.showClusterError(failed, ready.error, log);
    this.#disconnect();
    const forward = await (
      await session.clusters()
    ).forward({
      localPort: localPort ?? port,
      dial,
      changed: () => undefined,
      failed: ({ kind, detail }) => {
        log.warn(`session ${name}: ${kind}: ${detail}`);
      },
    });
    const remote = remoteOf(forward.localPort);
    const sparkVersion = driver.pod.labels["spark-version"];
    const connected = { key, uid, name, namespace, sparkVersion, remote, forward };
    this.#connected = connected;
    variables.replace(remoteVariable, remote);
    this.#showItem(connected);
    const { context } = connection.value;
    await keepConnectedMark(runs, { context, uid, localPort: forward.localPort });
    if (localPort === undefined) this.#show(connected).catch(log.error);
  }

  /** Disconnects if the driver has ended or was deleted. Ignores a missing pod while the watch is not live. */
  #endWithSession(): void {
    const connected = this.#connected;
    if (connected === undefined) return;
    const { session, log } = this.#context;
    const { key, uid, name, namespace } = connected;
    const driver = this.#find(uid)?.driver;
    const isGone = driver === undefined && session.podsOf(key).areKnown(namespace);
    if (!isGone && (driver === undefined || !hasEndedPod(driver))) return;
    this.#disconnect();
    keepConnectedMark(this.#context.runs, undefined).then(undefined, log.error);
    void this.#context.screen.showInformationMessage(
      msg`The Spark session "${name}" has ended. New terminals no longer have SPARK_REMOTE.`,
    );
  }

  #disconnect(): void {
    this.#connected?.forward.dispose();
    this.#connected = undefined;
    this.#window.selections.stop();
    this.#context.variables.delete(remoteVariable);
    this.#item?.hide();
  }

  // ---- Messages ----------------------------------------------------------------------------------

  async #show(connected: Connected): Promise<void> {
    const { name, remote } = connected;
    const copy = msg("Copy Address");
    const code = msg("Copy Code for Notebooks");
    const leave = msg("Disconnect");
    const text = msg`Connected to the Spark session "${name}". New terminals have SPARK_REMOTE=${remote}. In a notebook, set it in the first cell.`;
    const chosen = await this.#context.screen.showInformationMessage(text, copy, code, leave);
    if (chosen === copy) await this.#context.screen.copy(remote);
    if (chosen === code) await this.#context.screen.copy(remoteCode(remote));
    if (chosen === leave && this.#connected === connected) {
      this.#disconnect();
      await keepConnectedMark(this.#context.runs, undefined);
    }
  }

  /** Offers to stop a session that the user no longer waits for. Its driver continues to start otherwise. */
  async #offerStop({ key, name }: Application): Promise<void> {
    const stop = msg("Stop Spark Session…");
    const text = msg`The Spark session "${name}" continues to start in the cluster.`;
    if ((await this.#context.screen.showInformationMessage(text, stop)) !== stop) return;
    await this.#context.screen.runCommand(commands.stopSession, applicationNode(key));
  }

  async #showEnded({ key, name }: Application): Promise<void> {
    const open = msg("Open Log");
    const text = msg`The Spark session "${name}" ended before it accepted clients.`;
    if ((await this.#context.screen.showErrorMessage(text, open)) !== open) return;
    await this.#context.screen.runCommand(commands.openLog, applicationNode(key));
  }

  #showItem({ name, remote }: Connected): void {
    const { screen } = this.#context;
    const item = (this.#item ??= this.#owned.add(this.#window.createItem("sparkK8s.session")));
    item.name = screen.translated(msg("Spark session"));
    item.icon = screen.icon("plug");
    item.text = name;
    item.tooltip = screen.translated(msg`Connected to the Spark session at ${remote}`);
    item.command = commands.connectSession;
    item.show();
  }
}

const isSession = (application: Application): boolean => {
  const { driver } = application;
  return driver !== undefined && isAlive(application) && sessionPort(driver.pod) !== undefined;
};

const gone = (name: string): Message => msg`the driver pod of "${name}" no longer exists`;
