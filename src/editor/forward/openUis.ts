import { msg } from "../../base/message.ts";
import type { Uri } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import { readDriverConf } from "../../engine/driver/driverConf.ts";
import type { UiPlace, UiProblem, UiProxy } from "../../engine/ports/driverUi.ts";
import { isAlive, type Application } from "../../spark/pods/application.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import { historyPath, type ClusterService } from "../../spark/ui/historyService.ts";
import type { KillTarget } from "../../spark/ui/pageRules.ts";
import type { ClusterSession } from "../apps/clusterSession.ts";
import { chosenApplication } from "../apps/pick.ts";
import { applicationNode, type TreeNode } from "../apps/treeNode.ts";
import { errorSentence } from "../../engine/errorSentence.ts";
import { commands, settings, settingsSection } from "../ids.ts";
import type { Log } from "../log.ts";
import type { Screen } from "../screen.ts";
import type { FramePanel, openFramePanel } from "../ui/framePanel.ts";
import { isSamePlace, type ForwardPlace } from "./forwardPlace.ts";
import { historyPlaces, historyTarget, usualHistoryService } from "./historyPlaces.ts";
import { driverTarget, portOf } from "./forwardTarget.ts";

interface UiContext {
  readonly session: ClusterSession;
  readonly screen: Screen;
  readonly log: Log;
  readonly openPanel: typeof openFramePanel;
  /** Returns the URL of an application on the history server; undefined if no URL is set. */
  readonly historyPage: (id: string) => Uri | undefined;
  /** Returns the Service of the history server that the user set; undefined if none is set. */
  readonly historyService: () => ClusterService | undefined;
  /** Shows the summary of an event log that the user chooses. */
  readonly openEventLog: () => Promise<void>;
}

/** Opens Spark UIs, and owns their proxies and panels. */
export interface OpenUis extends Disposable {
  open(nodes: readonly TreeNode[], place: "editor" | "browser"): Promise<void>;
}

interface OpenUi {
  readonly target: ForwardPlace;
  /** The first page: `/jobs/`. */
  readonly path: string;
  readonly proxy: UiProxy;
  panel: FramePanel | undefined;
  /** True if a browser may show the UI. The proxy then runs until the window closes. */
  isInBrowser: boolean;
}

export function openUis(context: UiContext): OpenUis {
  const uis = new Uis(context);
  return {
    open: (nodes, place) => uis.open(nodes, place),
    dispose: () => {
      uis.dispose();
    },
  };
}

class Uis implements Disposable {
  readonly #context: UiContext;
  readonly #owned = new DisposableStore();
  readonly #all: OpenUi[] = [];

  constructor(context: UiContext) {
    this.#context = context;
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async open(nodes: readonly TreeNode[], place: "editor" | "browser"): Promise<void> {
    const active = this.#all.find(({ panel }) => panel?.isActive === true);
    if (nodes.length === 0 && active !== undefined) {
      await this.#show(active, place);
      return;
    }
    const application = await chosenApplication(
      this.#context,
      nodes[0],
      msg("Open Spark UI"),
      ({ driver }) => driver !== undefined,
    );
    if (application === undefined) return;
    if (!isAlive(application) || application.driver === undefined) {
      await this.#afterEnd(application, place);
      return;
    }
    const target = driverTarget(this.#context, application);
    await this.#showTarget(target, place, () => this.#serve(target, application));
  }

  /** Shows the UI of a target. Calls `serve` only if no open UI has the same target. */
  async #showTarget(
    target: ForwardPlace,
    place: "editor" | "browser",
    serve: () => Promise<OpenUi>,
  ): Promise<void> {
    const known = this.#all.find((one) => isSamePlace(one.target, target));
    await this.#show(known ?? (await serve()), place);
  }

  async #show(ui: OpenUi, place: "editor" | "browser"): Promise<void> {
    const { proxy, target } = ui;
    if (place === "editor" && ui.panel !== undefined) {
      ui.panel.reveal();
      return;
    }
    const { screen, openPanel } = this.#context;
    const path = proxy.root + ui.path;
    // A URL for the user's browser. It differs from the local URL if the extension host is remote.
    const external = await screen.externalAddress(`http://127.0.0.1:${proxy.port}${path}`);
    if (external.path !== path) {
      // The pages contain links with absolute paths, which break if the external URL has another path.
      this.#end(ui);
      await this.#offerForward(target);
      return;
    }
    proxy.accept(external.authority);
    if (place === "browser") {
      ui.isInBrowser = true;
      await screen.openExternal(external);
      return;
    }
    ui.panel = this.#owned.add(
      openPanel(screen.translated(msg`Spark UI: ${target.name}`), external, () => {
        ui.panel = undefined;
        if (!ui.isInBrowser) this.#end(ui);
      }),
    );
  }

  /** Shows an error that this editor cannot show the Spark UI, and offers to forward a port of the driver. */
  async #offerForward(target: ForwardPlace): Promise<void> {
    const { screen } = this.#context;
    const words = msg("Cannot open the Spark UI: this editor adds a path to local ports.");
    const current = target.found();
    if (current === undefined) {
      await screen.showErrorMessage(words);
      return;
    }
    const forward = screen.translated(msg("Forward Port…"));
    if ((await screen.showErrorMessage(words, forward)) !== forward) return;
    await screen.runCommand(commands.forwardPort, applicationNode(current.key));
  }

  #end(ui: OpenUi): void {
    this.#owned.remove(ui.proxy);
    const at = this.#all.indexOf(ui);
    if (at >= 0) this.#all.splice(at, 1);
  }

  async #serve(target: ForwardPlace, { name }: Application): Promise<OpenUi> {
    const { session, screen, log } = this.#context;
    const clusters = await session.clusters();
    const found = async (signal: AbortSignal): Promise<Result<UiPlace, ClusterError>> => {
      const current = target.found();
      if (current === undefined) return err(noDriver(screen, name));
      const connected = await session.connectTo(current.key, signal);
      if (!connected.ok) return connected;
      const pod = portOf(current.pod, uiPortOf(current.pod));
      return ok({ pod, ports: connected.value.ports, pages: connected.value.passedPages });
    };
    const proxy = this.#owned.add(
      await clusters.serveUi({
        place: found,
        mayKill: (kill) => this.#mayKill(target, name, kill),
        explain: (problem) => this.#explain(target, name, problem),
        log: log.debug,
      }),
    );
    return this.#keep({ target, path: "/jobs/", proxy });
  }

  #keep(opened: Pick<OpenUi, "target" | "path" | "proxy">): OpenUi {
    const ui: OpenUi = { ...opened, panel: undefined, isInBrowser: false };
    this.#all.push(ui);
    return ui;
  }

  /** Starts a proxy for the history server of a Service. */
  async #serveHistory(
    target: ForwardPlace,
    { name, id, key }: Application,
    service: ClusterService,
  ): Promise<OpenUi> {
    const { session, screen, log } = this.#context;
    const pods = historyPlaces(service, (signal) => session.connectTo(key, signal), screen);
    const clusters = await session.clusters();
    const proxy = this.#owned.add(
      await clusters.serveUi({
        place: (signal) => pods.place(signal),
        // A history server shows ended applications, so there is nothing to kill.
        mayKill: () => Promise.resolve(false),
        explain: async (problem) => {
          // Clear the cached pod, so that a reload of the page finds its replacement.
          pods.forget();
          if (problem.kind !== "notListening") return this.#explain(target, name, problem);
          const { pod } = problem;
          return screen.translated(
            msg`Nothing listens on port ${pod.port} of "${pod.name}", the pod of the history server. This page reloads.`,
          );
        },
        log: log.debug,
      }),
    );
    return this.#keep({ target, path: historyPath(id), proxy });
  }

  async #mayKill(target: ForwardPlace, name: string, { what, id }: KillTarget): Promise<boolean> {
    const { session, screen, log } = this.#context;
    const current = target.found();
    if (current === undefined) return false;
    const connected = await session.connectTo(current.key, new AbortController().signal);
    if (!connected.ok) {
      await screen.showClusterError(msg("Cannot kill"), connected.error, log);
      return false;
    }
    const action =
      what === "job" ? screen.translated(msg("Kill Job")) : screen.translated(msg("Kill Stage"));
    const question =
      what === "job"
        ? screen.translated(msg`Kill job ${id} of "${name}"?`)
        : screen.translated(msg`Kill stage ${id} of "${name}"?`);
    const detail = screen.translated(
      msg("Its page in the Spark UI requested this. Its running tasks will be stopped."),
    );
    return screen.mayChange(
      connected.value,
      action,
      async () =>
        (await screen.showWarningMessage(question, { modal: true, detail }, action)) === action,
    );
  }

  async #explain(target: ForwardPlace, name: string, problem: UiProblem): Promise<string> {
    const { screen } = this.#context;
    switch (problem.kind) {
      case "forbidden":
        return screen.translated(
          msg`Cannot open the Spark UI: you lack permission to get and create "pods/portforward" and to get "pods/proxy" in namespace "${problem.namespace}". Ask for one of them.`,
        );
      case "notListening":
        return this.#explainSilence(target, problem.pod.port);
      case "elsewhere":
        return screen.translated(
          msg`The Spark UI of "${name}" redirects to another server and was not opened. If the conf has spark.ssl.ui.enabled, use Forward Port.`,
        );
      case "failed":
        return screen.translated(
          msg`Cannot read the Spark UI of "${name}": ${errorSentence(problem.error.detail)}`,
        );
      default:
        return assertNever(problem);
    }
  }

  async #explainSilence(target: ForwardPlace, port: number): Promise<string> {
    const { screen } = this.#context;
    const current = target.found();
    const waiting = screen.translated(
      msg`Nothing listens on port ${port} of ${target.name} yet. The Spark UI starts with the Spark context. This page reloads.`,
    );
    if (current === undefined) return waiting;
    const { signal } = new AbortController();
    const connected = await this.#context.session.connectTo(current.key, signal);
    if (!connected.ok) return waiting;
    const driver = await readDriverConf(connected.value.objects, current.pod, signal);
    const isDisabled = driver.kind === "found" && driver.conf.get("spark.ui.enabled") === "false";
    return isDisabled
      ? screen.translated(msg`${target.name} has no Spark UI: its conf has spark.ui.enabled=false.`)
      : waiting;
  }

  async #afterEnd(application: Application, place: "editor" | "browser"): Promise<void> {
    const { screen, historyPage, openEventLog } = this.#context;
    const { name, id } = application;
    const page = historyPage(id);
    if (page !== undefined) {
      await screen.openExternal(page);
      return;
    }
    const service =
      this.#context.historyService() ?? (await usualHistoryService(this.#context, application));
    if (service !== undefined) {
      const target = historyTarget(this.#context, application, service);
      const serve = (): Promise<OpenUi> => this.#serveHistory(target, application, service);
      await this.#showTarget(target, place, serve);
      return;
    }
    const [log, setting] = [
      screen.translated(msg("Open Event Log…")),
      screen.translated(msg("Open Setting")),
    ];
    const words = screen.translated(
      msg`The Spark UI of "${name}" ended with its driver. Set a history server, or open its event log.`,
    );
    const chosen = await screen.showInformationMessage(words, log, setting);
    if (chosen === log) await openEventLog();
    if (chosen === setting) {
      const id = `@id:${settingsSection}.${settings.historyServer}`;
      await screen.runCommand("workbench.action.openSettings", id);
    }
  }
}

/** Returns the port of the Spark UI: the pod's own, else Spark's default. */
const uiPortOf = ({ driving }: PodRecord): number => driving?.uiPort ?? 4040;

const noDriver = (screen: Screen, name: string): ClusterError => ({
  ...{ kind: "notFound", resource: "pods", name },
  detail: screen.translated(msg`the driver of "${name}" does not exist`),
});
