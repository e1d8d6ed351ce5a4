import { commands as editorCommands, env, l10n, ThemeIcon, workspace } from "vscode";
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
import { isUnguarded, mayChange } from "../guard.ts";
import { commands } from "../ids.ts";
import { showClusterError } from "../showError.ts";
import { translated } from "../ui/translated.ts";
import { window, type PlainStatusBarItem } from "../ui/window.ts";
import { connectedMark, keepConnectedMark } from "./connectedMark.ts";
import { Selections } from "./runSelection.ts";
import type { SessionContext } from "./sessionContext.ts";
import { inNotification } from "../progress.ts";

/** The connection to a Spark session, and the selections that run in it. */
export interface OpenSessions extends Disposable {
  connect(nodes: readonly TreeNode[]): Promise<void>;
  runSelection(): Promise<void>;
  /** Connects to a session that this window has started. */
  started(driver: PodRecord): Promise<void>;
  /** Connects to the session that the workspace was connected to before the window reloaded. */
  resume(): Promise<void>;
}

export const openSessions = (context: SessionContext): OpenSessions => new Sessions(context);

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
// A driver's pod arrives with the watch, usually within a second.
const foundMs = 15_000;
const resumedMs = 60_000;

class Sessions implements OpenSessions {
  readonly #context: SessionContext;
  readonly #owned = new DisposableStore();
  readonly #selections: Selections;
  #connected: Connected | undefined;
  #item: PlainStatusBarItem | undefined;

  constructor(context: SessionContext) {
    this.#context = context;
    const { variables, session } = context;
    // The port ends with the window; `resume` sets the variable again.
    variables.persistent = false;
    variables.description = l10n.t("Connects Spark Connect clients to the Spark session");
    this.#selections = this.#owned.add(new Selections(context));
    this.#owned.add(
      session.onDidChange(() => {
        this.#endWithSession();
      }),
    );
  }

  async connect([node]: readonly TreeNode[]): Promise<void> {
    const connected = this.#connected;
    if (connected !== undefined && node === undefined) return this.#show(connected);
    const title = l10n.t("Connect to Session");
    const application = await chosenApplication(this.#context, node, title, isSession);
    if (application === undefined) return;
    if (!isSession(application)) {
      void window.showInformationMessage(
        l10n.t(
          '"{0}" is not a running Spark session. Use "Forward Port…" for other Connect servers.',
          application.name,
        ),
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
    if (this.#connected !== undefined) await this.#selections.run(this.#connected);
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
    void window.showWarningMessage(
      l10n.t(
        'The session was submitted to namespace "{0}", which is not watched. Choose Namespaces… to see it and to connect to it.',
        namespace,
      ),
    );
  }

  async resume(): Promise<void> {
    const { session, runs } = this.#context;
    const mark = connectedMark(runs);
    if (mark === undefined || !workspace.isTrusted) return;
    await session.loaded(AbortSignal.timeout(resumedMs));
    const application = this.#find(mark.uid);
    if (application === undefined || !isSession(application)) {
      // While the cluster is unreachable, the session may still run.
      if (session.isLive) await keepConnectedMark(runs, undefined);
      return;
    }
    if (session.contextOf(application.key) !== mark.context) return;
    const connection = session.connectionOf(application.key);
    if (connection !== undefined && !isUnguarded(connection)) {
      const again = l10n.t("Reconnect");
      const text = l10n.t(
        'This window was connected to the Spark session "{0}".',
        application.name,
      );
      if ((await window.showInformationMessage(text, again)) !== again) return;
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
    const start = l10n.t("Start Spark Session…");
    const text = l10n.t("No Spark session runs in the watched namespaces.");
    if ((await window.showInformationMessage(text, start)) === start) {
      await editorCommands.executeCommand(commands.startSession);
    }
  }

  /** Forwards the port when the driver accepts clients. `localPort` undefined: a new connection. */
  async #open(application: Application, localPort: number | undefined): Promise<void> {
    const { session, log, clock, runs, variables } = this.#context;
    const { key, name, namespace, driver } = application;
    const port = driver && sessionPort(driver.pod);
    if (driver === undefined || port === undefined) return;
    const failed = l10n.t('Cannot connect to the Spark session "{0}"', name);
    const connection = await session.connectTo(key, new AbortController().signal);
    if (!connection.ok) return showClusterError(failed, connection.error, log);
    const action = l10n.t('Connect to the Spark session "{0}"', name);
    if (!(await mayChange(connection.value, action))) return;
    const { uid } = driver.pod;
    const dial = (signal: AbortSignal): Promise<Result<PodStream, ClusterError>> => {
      const pod = session.findPod(key, uid);
      return pod === undefined
        ? Promise.resolve(err({ kind: "notFound", resource: "pods", name, detail: gone(name) }))
        : dialPod(this.#context, { key, pod }, port, signal);
    };
    const ready = await inNotification(
      l10n.t('Starting the Spark session "{0}"', name),
      async (canceled, report) => {
        const ended = new AbortController();
        const owned = new DisposableStore();
        const look = (): void => {
          const now = this.#find(uid);
          if (now?.driver === undefined || hasEndedPod(now.driver)) ended.abort();
          else report({ message: translated(describeState(now.driver.state)) });
        };
        owned.add(session.onDidChange(look));
        look();
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
    if (ready === undefined) return;
    if (ready === "ended") return this.#showEnded(application);
    if (!ready.ok) return showClusterError(failed, ready.error, log);
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

  /** Disconnects if the driver has ended. A watch that is not live says nothing. */
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
    void window.showInformationMessage(
      l10n.t('The Spark session "{0}" has ended. New terminals no longer have SPARK_REMOTE.', name),
    );
  }

  #disconnect(): void {
    this.#connected?.forward.dispose();
    this.#connected = undefined;
    this.#selections.stop();
    this.#context.variables.delete(remoteVariable);
    this.#item?.hide();
  }

  // ---- Messages ----------------------------------------------------------------------------------

  async #show(connected: Connected): Promise<void> {
    const { name, remote } = connected;
    const copy = l10n.t("Copy Address");
    const code = l10n.t("Copy Code for Notebooks");
    const leave = l10n.t("Disconnect");
    const text = l10n.t(
      'Connected to the Spark session "{0}". New terminals have SPARK_REMOTE={1}; a notebook needs it as its first cell.',
      name,
      remote,
    );
    const chosen = await window.showInformationMessage(text, copy, code, leave);
    if (chosen === copy) await env.clipboard.writeText(remote);
    if (chosen === code) await env.clipboard.writeText(remoteCode(remote));
    if (chosen === leave && this.#connected === connected) {
      this.#disconnect();
      await keepConnectedMark(this.#context.runs, undefined);
    }
  }

  async #showEnded({ key, name }: Application): Promise<void> {
    const open = l10n.t("Open Log");
    const text = l10n.t('The Spark session "{0}" ended before it accepted clients.', name);
    if ((await window.showErrorMessage(text, open)) !== open) return;
    await editorCommands.executeCommand(commands.openLog, applicationNode(key));
  }

  #showItem({ name, remote }: Connected): void {
    const item = (this.#item ??= this.#owned.add(window.createStatusBarItem("sparkK8s.session")));
    item.name = l10n.t("Spark session");
    item.icon = new ThemeIcon("plug");
    item.text = name;
    item.tooltip = l10n.t("Connected to the Spark session at {0}", remote);
    item.command = commands.connectSession;
    item.show();
  }
}

const isSession = (application: Application): boolean => {
  const { driver } = application;
  return driver !== undefined && isAlive(application) && sessionPort(driver.pod) !== undefined;
};

const gone = (name: string): string => l10n.t('the driver pod of "{0}" no longer exists', name);
