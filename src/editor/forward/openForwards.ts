import { msg, type Message } from "../../base/message.ts";
import type { QuickInputButton, Uri } from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import { err } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { PortForward } from "../../engine/ports/channels.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import { withinAnswerDeadline } from "../../engine/withinTime.ts";
import type { ClusterSession } from "../apps/clusterSession.ts";
import { placeWords } from "../apps/sessionState.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import type { Log } from "../log.ts";
import type { Screen } from "../screen.ts";
import { isSamePlace } from "./forwardPlace.ts";
import { dialPod } from "./dialPod.ts";
import { forwardTarget, type ForwardTarget } from "./forwardTarget.ts";

interface ForwardContext {
  readonly session: ClusterSession;
  readonly screen: Screen;
  readonly log: Log;
}

/** The port forwarding commands. Owns the forwarded ports. */
export interface OpenForwards extends Disposable {
  forward(nodes: readonly TreeNode[]): Promise<void>;
  list(): Promise<void>;
}

interface Forwarded {
  readonly target: ForwardTarget;
  readonly port: number;
  readonly forward: PortForward;
  /** The problem of the last connection; undefined if it succeeded. */
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
    const { session, screen, log } = this.#context;
    const target = await forwardTarget(this.#context, nodes);
    if (target === undefined) return;
    const port = await askForPort(screen, target);
    if (port === undefined) return;
    const known = this.#all.find((one) => one.port === port && isSamePlace(one.target, target));
    if (known) {
      await this.#show(known);
      return;
    }
    const connected = await session.connectTo(target.key, new AbortController().signal);
    if (!connected.ok) {
      await screen.showClusterError(msg("Cannot forward the port"), connected.error, log);
      return;
    }
    const action = screen.translated(msg`Forward port ${port} of ${target.name}`);
    // Spark Connect and the driver's REST API accept changes, so guards apply.
    if (!(await screen.mayChange(connected.value, action))) return;
    if (!(await mayForward(connected.value, target.namespace))) {
      void screen.showErrorMessage(
        msg`Cannot forward the port: you lack the permission to get and create "pods/portforward" in namespace "${target.namespace}". Ask for the permission.`,
      );
      return;
    }
    await this.#show(await this.#listen(target, port));
  }

  async list(): Promise<void> {
    const { session, screen } = this.#context;
    if (this.#all.length === 0) {
      void screen.showInformationMessage(msg("No forwarded ports."));
      return;
    }
    const stop: QuickInputButton = {
      iconPath: screen.icon("close"),
      tooltip: screen.translated(msg("Stop")),
    };
    const picker = screen.createQuickPick<{ label: string; forwarded: Forwarded }>();
    picker.title = screen.translated(msg("Forwarded Ports"));
    picker.placeholder = screen.translated(
      msg("Press Enter to open in the browser, or use the button to stop"),
    );
    const fill = (): void => {
      const chosen = picker.activeItems[0]?.forwarded;
      picker.items = this.#all.map((forwarded) => ({
        label: addressOf(forwarded),
        description: screen.translated(
          msg`${forwarded.target.name}, port ${forwarded.port} · ${placeWords(session.state, forwarded.target)}`,
        ),
        detail:
          forwarded.problem ?? screen.translated(connectionWords(forwarded.forward.connections)),
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
    const { session, screen, log } = this.#context;
    let uid = target.found()?.pod.uid;
    const forward = this.#owned.add(
      await (
        await session.clusters()
      ).forward({
        localPort: port,
        dial: async (signal) => {
          const found = target.found();
          if (found === undefined) return err(noPod(screen, target));
          const { key, pod } = found;
          if (pod.uid !== uid && uid !== undefined) this.#showReplaced(target, pod.name);
          uid = pod.uid;
          const opened = await dialPod(this.#context, { key, pod }, port, signal);
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
          const isWaiting = isRefusedByPod(error);
          // Show only the first failure, because later connections usually fail for the same reason.
          if (forwarded.problem === undefined) {
            log.warn(`port ${port}: ${error.kind}: ${error.detail}`);
            const task = msg`Cannot reach port ${port} of ${target.name}`;
            if (!isWaiting) void screen.showClusterError(task, error, log);
          }
          forwarded.problem = isWaiting
            ? screen.translated(
                msg`waiting: nothing listens on port ${port}; each new connection retries`,
              )
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
    const { screen } = this.#context;
    const { target, port } = forwarded;
    const [open, copy, stop] = [
      screen.translated(msg("Open")),
      screen.translated(msg("Copy Address")),
      screen.translated(msg("Stop")),
    ];
    const words = screen.translated(
      msg`Port ${port} of ${target.name} is forwarded to ${addressOf(forwarded)} (local only).`,
    );
    const chosen = await screen.showInformationMessage(words, open, copy, stop);
    if (chosen === open) await this.#open(forwarded);
    if (chosen === copy) await screen.copy((await this.#addressOf(forwarded)).toString());
    if (chosen === stop) this.#stop(forwarded);
  }

  async #open(forwarded: Forwarded): Promise<void> {
    await this.#context.screen.openExternal(await this.#addressOf(forwarded));
  }

  /** Returns a URL for the user's browser, which may run on another machine than the extension host. */
  #addressOf(forwarded: Forwarded): Thenable<Uri> {
    return this.#context.screen.externalAddress(`http://${addressOf(forwarded)}/`);
  }

  #stop(forwarded: Forwarded): void {
    this.#owned.remove(forwarded.forward);
    const at = this.#all.indexOf(forwarded);
    if (at >= 0) this.#all.splice(at, 1);
  }

  #showReplaced({ name }: ForwardTarget, pod: string): void {
    void this.#context.screen.showInformationMessage(
      msg`The pod of ${name} was replaced. Its forwarded port now connects to "${pod}".`,
    );
  }
}

/** True if nothing listens on the pod's port, for example before the UI starts. The node reports this only as text. */
const isRefusedByPod = (error: ClusterError): boolean =>
  error.kind === "badResponse" &&
  error.status === undefined &&
  /connection refused/i.test(error.detail);

// Use 127.0.0.1, because "localhost" may also resolve to ::1, where another program may listen.
const addressOf = ({ forward }: Forwarded): string => `127.0.0.1:${forward.localPort}`;

/**
 * Returns false if an access review shows that the port forward would be denied; true if the review fails. The
 * WebSocket handshake is a GET request, so it requires the verb "get".
 */
async function mayForward({ rights }: Connection, namespace: string): Promise<boolean> {
  const right = { verb: "get", group: "", resource: "pods/portforward", subject: undefined };
  const can = await withinAnswerDeadline(
    (soon) => rights.can({ ...right, namespace }, soon),
    new AbortController().signal,
  );
  return can?.ok !== true || can.value;
}

async function askForPort(
  screen: Screen,
  { name, uiPort }: ForwardTarget,
): Promise<number | undefined> {
  const text = await screen.showInputBox({
    title: screen.translated(msg("Forward Port")),
    prompt: screen.translated(msg`Port of ${name}`),
    value: String(uiPort ?? ""),
    validateInput: (given) =>
      isPort(given) ? undefined : screen.translated(msg("Enter a port from 1 to 65535.")),
  });
  return text === undefined || !isPort(text) ? undefined : Number(text);
}

const isPort = (text: string): boolean =>
  /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;

const connectionWords = (count: number): Message =>
  count === 1 ? msg("1 connection") : msg`${count} connections`;

const noPod = (screen: Screen, { name }: ForwardTarget): ClusterError => ({
  kind: "notFound",
  resource: "pods",
  name,
  detail: screen.translated(msg`${name} has no pod`),
});
