import { commands, env, l10n, Uri } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import { readDriverConf } from "../../engine/driver/driverConf.ts";
import type { UiPlace, UiProblem, UiProxy } from "../../engine/ports/driverUi.ts";
import { isAlive, type Application } from "../../spark/pods/application.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import type { KillTarget } from "../../spark/ui/pageRules.ts";
import type { ClusterSession } from "../apps/clusterSession.ts";
import { chosenApplication } from "../apps/pick.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { errorSentence } from "../../engine/errorSentence.ts";
import { mayChange } from "../guard.ts";
import { settings, settingsSection } from "../ids.ts";
import type { Log } from "../log.ts";
import { historyServer } from "../settings.ts";
import type { Screen } from "../screen.ts";
import { showClusterError } from "../showError.ts";
import { openFramePanel, type FramePanel } from "../ui/framePanel.ts";
import { window } from "../ui/window.ts";
import { isSamePlace, type ForwardPlace } from "./forwardPlace.ts";
import { driverTarget, portOf } from "./forwardTarget.ts";

interface UiContext {
  readonly session: ClusterSession;
  readonly screen: Screen;
  readonly log: Log;
  /** Shows the summary of an event log that the user chooses. */
  readonly openEventLog: () => Promise<void>;
}

/** The Spark UIs that are open in this window. */
export interface OpenUis extends Disposable {
  open(nodes: readonly TreeNode[], place: "editor" | "browser"): Promise<void>;
}

interface OpenUi {
  readonly target: ForwardPlace;
  readonly proxy: UiProxy;
  panel: FramePanel | undefined;
  /** The browser may show it until the window ends. */
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
      l10n.t("Open Spark UI"),
      ({ driver }) => driver !== undefined,
    );
    if (application === undefined) return;
    if (!isAlive(application) || application.driver === undefined) {
      await this.#afterEnd(application);
      return;
    }
    const target = driverTarget(this.#context, application);
    const known = this.#all.find((one) => isSamePlace(one.target, target));
    await this.#show(known ?? (await this.#serve(target, application)), place);
  }

  async #show(ui: OpenUi, place: "editor" | "browser"): Promise<void> {
    const { proxy, target } = ui;
    if (place === "editor" && ui.panel !== undefined) {
      ui.panel.reveal();
      return;
    }
    const local = Uri.parse(`http://127.0.0.1:${proxy.port}${proxy.root}/jobs/`);
    // The address on the user's machine, if the extension runs on another one.
    const external = await env.asExternalUri(local);
    if (external.path !== local.path) {
      // The links of the pages begin at the root of the server.
      this.#end(ui);
      void window.showErrorMessage(
        l10n.t(
          "Cannot open the Spark UI: this editor serves local ports below a path. Use Forward Port… instead.",
        ),
      );
      return;
    }
    proxy.accept(external.authority);
    if (place === "browser") {
      ui.isInBrowser = true;
      await env.openExternal(external);
      return;
    }
    ui.panel = this.#owned.add(
      openFramePanel(l10n.t("Spark UI: {0}", target.name), external, () => {
        ui.panel = undefined;
        if (!ui.isInBrowser) this.#end(ui);
      }),
    );
  }

  #end(ui: OpenUi): void {
    this.#owned.remove(ui.proxy);
    const at = this.#all.indexOf(ui);
    if (at >= 0) this.#all.splice(at, 1);
  }

  async #serve(target: ForwardPlace, { name }: Application): Promise<OpenUi> {
    const { session, log } = this.#context;
    const clusters = await session.clusters();
    const found = async (signal: AbortSignal): Promise<Result<UiPlace, ClusterError>> => {
      const current = target.found();
      if (current === undefined) return err(noDriver(name));
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
    const ui: OpenUi = { target, proxy, panel: undefined, isInBrowser: false };
    this.#all.push(ui);
    return ui;
  }

  async #mayKill(target: ForwardPlace, name: string, { what, id }: KillTarget): Promise<boolean> {
    const { session, log } = this.#context;
    const current = target.found();
    if (current === undefined) return false;
    const connected = await session.connectTo(current.key, new AbortController().signal);
    if (!connected.ok) {
      await showClusterError(l10n.t("Cannot kill"), connected.error, log);
      return false;
    }
    const action = what === "job" ? l10n.t("Kill Job") : l10n.t("Kill Stage");
    const question =
      what === "job"
        ? l10n.t('Kill job {0} of "{1}"?', id, name)
        : l10n.t('Kill stage {0} of "{1}"?', id, name);
    const detail = l10n.t("Its page in Spark UI requested this. The running tasks are stopped.");
    return mayChange(
      connected.value,
      action,
      async () =>
        (await window.showWarningMessage(question, { modal: true, detail }, action)) === action,
    );
  }

  async #explain(target: ForwardPlace, name: string, problem: UiProblem): Promise<string> {
    switch (problem.kind) {
      case "forbidden":
        return l10n.t(
          'Cannot open the Spark UI: you have neither the permission to create "pods/portforward" nor to get "pods/proxy" in namespace "{0}". Ask for one of them.',
          problem.namespace,
        );
      case "notListening":
        return this.#explainSilence(target, problem.pod.port);
      case "elsewhere":
        return l10n.t(
          'The driver of "{0}" redirects to another server, which is not opened. If the conf has spark.ssl.ui.enabled, use Forward Port.',
          name,
        );
      case "failed":
        return l10n.t(
          'Cannot read the Spark UI of "{0}": {1}',
          name,
          errorSentence(problem.error.detail),
        );
      default:
        return assertNever(problem);
    }
  }

  async #explainSilence(target: ForwardPlace, port: number): Promise<string> {
    const current = target.found();
    const waiting = l10n.t(
      "Nothing listens on port {0} of {1} yet. The Spark UI starts with the Spark context. This page reloads.",
      port,
      target.name,
    );
    if (current === undefined) return waiting;
    const { signal } = new AbortController();
    const connected = await this.#context.session.connectTo(current.key, signal);
    if (!connected.ok) return waiting;
    const driver = await readDriverConf(connected.value.objects, current.pod, signal);
    const isDisabled = driver.kind === "found" && driver.conf.get("spark.ui.enabled") === "false";
    return isDisabled
      ? l10n.t("{0} has no Spark UI: its conf has spark.ui.enabled=false.", target.name)
      : waiting;
  }

  async #afterEnd({ name, id }: Application): Promise<void> {
    const server = historyServer();
    if (server !== undefined) {
      const page = Uri.joinPath(server, "history", id, "jobs/");
      await env.openExternal(page);
      return;
    }
    const [log, setting] = [l10n.t("Open Event Log…"), l10n.t("Open Setting")];
    const words = l10n.t(
      'The Spark UI of "{0}" ended with its driver. Set a history server, or open its event log.',
      name,
    );
    const chosen = await window.showInformationMessage(words, log, setting);
    if (chosen === log) await this.#context.openEventLog();
    if (chosen === setting) {
      const id = `@id:${settingsSection}.${settings.historyServer}`;
      await commands.executeCommand("workbench.action.openSettings", id);
    }
  }
}

/** Spark's default port if the pod declares none. */
const uiPortOf = ({ driving }: PodRecord): number => driving?.uiPort ?? 4040;

const noDriver = (name: string): ClusterError => ({
  ...{ kind: "notFound", resource: "pods", name },
  detail: l10n.t('the driver of "{0}" does not exist', name),
});
