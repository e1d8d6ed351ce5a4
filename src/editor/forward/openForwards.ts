import { env, l10n, ThemeIcon, Uri, type QuickInputButton } from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import { err } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { PortForward } from "../../engine/ports/channels.ts";
import type { ClusterSession } from "../apps/clusterSession.ts";
import { placeWords } from "../apps/sessionState.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { mayChange } from "../guard.ts";
import type { Log } from "../log.ts";
import type { Screen } from "../screen.ts";
import { showClusterError } from "../showError.ts";
import { isSamePlace } from "./forwardPlace.ts";
import { dialPod } from "./dialPod.ts";
import { forwardTarget, type ForwardTarget } from "./forwardTarget.ts";
import { window } from "../ui/window.ts";

interface ForwardContext {
  readonly session: ClusterSession;
  readonly screen: Screen;
  readonly log: Log;
}

/** The commands on forwarded ports, and the forwarded ports. */
export interface OpenForwards extends Disposable {
  forward(nodes: readonly TreeNode[]): Promise<void>;
  list(): Promise<void>;
}

interface Forwarded {
  readonly target: ForwardTarget;
  readonly port: number;
  readonly forward: PortForward;
  /** The result of the last connection. */
  problem: string | undefined;
}

export function openForwards(context: ForwardContext): OpenForwards {
  const forwards = new Forwards(context);
  return {
    forward: (nodes) => forwards.begin(nodes),
    list: () => forwards.list(),
    dispose: () => {
      forwards.dispose();
    },
  };
}

class Forwards implements Disposable {
  readonly #context: ForwardContext;
  readonly #owned = new DisposableStore();
  readonly #all: Forwarded[] = [];
  readonly #changes: Emitter<undefined>;

  constructor(context: ForwardContext) {
    this.#context = context;
    this.#changes = this.#owned.add(new Emitter(context.log.error));
  }

  async begin(nodes: readonly TreeNode[]): Promise<void> {
    const { session, log } = this.#context;
    const target = await forwardTarget(this.#context, nodes);
    if (target === undefined) return;
    const port = await askForPort(target);
    if (port === undefined) return;
    const known = this.#all.find((one) => one.port === port && isSamePlace(one.target, target));
    if (known) {
      await this.#show(known);
      return;
    }
    const connected = await session.connectTo(target.key, new AbortController().signal);
    if (!connected.ok) {
      await showClusterError(l10n.t("Cannot forward the port"), connected.error, log);
      return;
    }
    const action = l10n.t("Forward port {0} of {1}", port, target.name);
    // Spark Connect and the driver's REST API accept changes, so guards apply.
    if (!(await mayChange(connected.value, action))) return;
    await this.#show(await this.#listen(target, port));
  }

  async list(): Promise<void> {
    if (this.#all.length === 0) {
      void window.showInformationMessage(l10n.t("No forwarded ports."));
      return;
    }
    const stop: QuickInputButton = { iconPath: new ThemeIcon("close"), tooltip: l10n.t("Stop") };
    const picker = window.createQuickPick<{ label: string; forwarded: Forwarded }>();
    picker.title = l10n.t("Forwarded Ports");
    picker.placeholder = l10n.t("Press Enter to open in the browser, or use the button to stop");
    const fill = (): void => {
      const chosen = picker.activeItems[0]?.forwarded;
      picker.items = this.#all.map((forwarded) => ({
        label: addressOf(forwarded),
        description: l10n.t(
          "{0}, port {1} · {2}",
          forwarded.target.name,
          forwarded.port,
          placeWords(this.#context.session.state, forwarded.target),
        ),
        detail: forwarded.problem ?? connectionWords(forwarded.forward.connections),
        buttons: [stop],
        forwarded,
      }));
      const again = picker.items.filter(({ forwarded }) => forwarded === chosen);
      if (again.length > 0) picker.activeItems = again;
    };
    fill();
    const owned = new DisposableStore();
    owned.add(this.#changes.event(fill));
    const closed = new Promise<void>((resolve) => {
      owned.add(
        picker.onDidHide(() => {
          resolve();
        }),
      );
    });
    owned.add(
      picker.onDidTriggerItemButton(({ item }) => {
        this.#stop(item.forwarded);
        fill();
        if (this.#all.length === 0) picker.hide();
      }),
    );
    owned.add(
      picker.onDidAccept(() => {
        const [item] = picker.selectedItems;
        picker.hide();
        if (item) this.#open(item.forwarded).catch(this.#context.log.error);
      }),
    );
    picker.show();
    await closed;
    owned.dispose();
    picker.dispose();
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #listen(target: ForwardTarget, port: number): Promise<Forwarded> {
    const { session, log } = this.#context;
    let uid = target.found()?.pod.uid;
    const forward = this.#owned.add(
      await (
        await session.clusters()
      ).forward({
        localPort: port,
        dial: async (signal) => {
          const found = target.found();
          if (found === undefined) return err(noPod(target));
          const { key, pod } = found;
          if (pod.uid !== uid && uid !== undefined) this.#showReplaced(target, pod.name);
          uid = pod.uid;
          const opened = await dialPod(session, { key, pod }, port, signal);
          if (opened.ok) {
            forwarded.problem = undefined;
            this.#changes.fire(undefined);
          }
          return opened;
        },
        changed: () => {
          this.#changes.fire(undefined);
        },
        failed: (error) => {
          if (forwarded.problem === undefined)
            log.warn(`port ${port}: ${error.kind}: ${error.detail}`);
          forwarded.problem = isRefusedByPod(error)
            ? l10n.t("waiting for {0}: nothing listens on the port; each connection retries", port)
            : error.detail;
          this.#changes.fire(undefined);
        },
      }),
    );
    const forwarded: Forwarded = { target, port, forward, problem: undefined };
    this.#all.push(forwarded);
    return forwarded;
  }

  async #show(forwarded: Forwarded): Promise<void> {
    const { target, port } = forwarded;
    const [open, copy, stop] = [l10n.t("Open"), l10n.t("Copy Address"), l10n.t("Stop")];
    const words = l10n.t(
      "Port {0} of {1} is forwarded to {2} (local only).",
      port,
      target.name,
      addressOf(forwarded),
    );
    const chosen = await window.showInformationMessage(words, open, copy, stop);
    if (chosen === open) await this.#open(forwarded);
    if (chosen === copy) await env.clipboard.writeText((await uriOf(forwarded)).toString());
    if (chosen === stop) this.#stop(forwarded);
  }

  async #open(forwarded: Forwarded): Promise<void> {
    await env.openExternal(await uriOf(forwarded));
  }

  #stop(forwarded: Forwarded): void {
    this.#owned.remove(forwarded.forward);
    const at = this.#all.indexOf(forwarded);
    if (at >= 0) this.#all.splice(at, 1);
  }

  #showReplaced({ name }: ForwardTarget, pod: string): void {
    void window.showInformationMessage(
      l10n.t('The pod of {0} was replaced. Its forwarded port now leads to "{1}".', name, pod),
    );
  }
}

/** True if nothing listens yet, for example before the UI starts. The node reports this only as text. */
const isRefusedByPod = (error: ClusterError): boolean =>
  error.kind === "badResponse" &&
  error.status === undefined &&
  /connection refused/i.test(error.detail);

// "localhost" may resolve to an address where another program listens.
const addressOf = ({ forward }: Forwarded): string => `127.0.0.1:${forward.localPort}`;

/** The address on the user's machine, which may differ from the extension's machine. */
const uriOf = (forwarded: Forwarded): Thenable<Uri> =>
  env.asExternalUri(Uri.parse(`http://${addressOf(forwarded)}/`));

async function askForPort({ name, uiPort }: ForwardTarget): Promise<number | undefined> {
  const text = await window.showInputBox({
    title: l10n.t("Forward Port"),
    prompt: l10n.t("Port of {0}", name),
    value: String(uiPort ?? ""),
    validateInput: (given) => (isPort(given) ? undefined : l10n.t("Enter a port from 1 to 65535.")),
  });
  return text === undefined || !isPort(text) ? undefined : Number(text);
}

const isPort = (text: string): boolean =>
  /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;

const connectionWords = (count: number): string =>
  count === 1 ? l10n.t("1 connection") : l10n.t("{0} connections", count);

const noPod = ({ name }: ForwardTarget): ClusterError => ({
  kind: "notFound",
  resource: "pods",
  name,
  detail: l10n.t("{0} has no pod", name),
});
