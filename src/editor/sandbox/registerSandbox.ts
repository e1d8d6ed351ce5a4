import {
  ConfigurationTarget,
  l10n,
  ProgressLocation,
  window,
  workspace,
  type Memento,
  type TaskDefinition,
} from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import { commands, sandboxContext, settings, settingsSection } from "../ids.ts";
import type { Log } from "../log.ts";
import { registerTrustedCommand } from "../registerCommand.ts";
import { chosenContext } from "../settings.ts";
import { showProblems } from "../showError.ts";
import { withSignal } from "../withSignal.ts";
import { chooseSpark, type ChosenSpark } from "./chooseSpark.ts";
import { openExample, type ExampleOptions } from "./openExample.ts";
import { chooseRehearsal } from "./rehearsals.ts";
import type { Ground, SandboxLease, Sandboxes } from "./sandboxes.ts";

export interface SandboxOptions extends ExampleOptions {
  readonly open: () => Promise<Sandboxes>;
  /** Submits what a run profile would. */
  readonly submit: (definition: TaskDefinition) => Promise<void>;
  /** Of the user, for all windows. */
  readonly memory: Memento;
  readonly log: Log;
}

/** The context that was chosen before the sandbox's. */
const contextBefore = "sandbox.contextBefore";

/** Starts and stops the sandbox cluster, holds it while this window's context is the sandbox's, and fills it. */
export function registerSandbox(options: SandboxOptions): Disposable {
  const { open, memory, log } = options;
  const owned = new DisposableStore();
  let held: SandboxLease | undefined;

  const hold = (lease: SandboxLease): void => {
    release();
    held = owned.add(lease);
    void lease.done.then(() => {
      if (held === lease) release();
    });
  };
  const release = (): void => {
    if (held !== undefined) owned.remove(held);
    held = undefined;
  };

  /** `choose`: with what one begins, if none runs. False: it does not run, and why has been said. */
  const ensure = async (
    choose: (ground: Ground) => ReturnType<typeof chooseSpark>,
  ): Promise<boolean> => {
    const sandboxes = await open();
    let lease = await sandboxes.join();
    if (lease === undefined) {
      const refused = async (why: string): Promise<false> => {
        await showProblems(l10n.t("The sandbox cluster was not started"), [why], log);
        return false;
      };
      const chosen = await choose(await sandboxes.look());
      if (chosen === undefined) return false;
      if (!chosen.ok) return refused(chosen.error);
      const started = await begin(chosen.value);
      if (!started.ok) return refused(started.error);
      lease = started.value;
      if (chosen.value.wish.rehearse) tellRehearsal(chosen.value);
    }
    hold(lease);
    const before = chosenContext();
    if (before === sandboxContext) return true;
    await memory.update(contextBefore, before);
    await chooseContext(sandboxContext);
    return true;
  };

  const start = async (): Promise<void> => {
    await ensure((ground) => chooseSpark(ground, memory));
  };

  const rehearse = async (): Promise<void> => {
    const definition = await chooseRehearsal();
    if (definition === undefined) return;
    // Nobody has to have Spark for it, and so nobody is asked.
    const isThere = await ensure((ground) => {
      const rehearse = ground.lacksJava || ground.sparkVersions.length === 0;
      return Promise.resolve({
        ok: true,
        value: { ground, wish: { rehearse, mayDownload: false } },
      });
    });
    if (isThere) await options.submit(definition);
  };

  const stop = async (): Promise<void> => {
    const sandboxes = await open();
    const ran = await sandboxes.stop();
    release();
    if (chosenContext() === sandboxContext) {
      await chooseContext(memory.get<string>(contextBefore));
    }
    await window.showInformationMessage(
      ran
        ? l10n.t("The sandbox cluster has ended, with all its pods.")
        : l10n.t("No sandbox cluster was running."),
    );
  };

  const example = async (): Promise<void> => {
    await openExample(options, async () => (await (await open()).look()).sparkVersions[0]);
  };

  // A reloaded window finds it again, and a second one joins it.
  const follow = async (): Promise<void> => {
    if (chosenContext() !== sandboxContext) {
      release();
      return;
    }
    if (held !== undefined || !workspace.isTrusted) return;
    const lease = await (await open()).join();
    if (lease !== undefined) hold(lease);
  };
  const followSafely = (): void => {
    follow().catch(log.error);
  };

  owned.add(registerTrustedCommand(commands.startSandbox, start, log));
  owned.add(registerTrustedCommand(commands.stopSandbox, stop, log));
  owned.add(registerTrustedCommand(commands.rehearse, rehearse, log));
  owned.add(registerTrustedCommand(commands.createExample, example, log));
  owned.add(
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(`${settingsSection}.${settings.context}`)) followSafely();
    }),
  );
  owned.add(workspace.onDidGrantWorkspaceTrust(followSafely));
  followSafely();
  return owned;
}

const begin = ({ ground, wish }: ChosenSpark): ReturnType<Ground["start"]> =>
  Promise.resolve(
    window.withProgress(
      {
        location: ProgressLocation.Notification,
        title: l10n.t("Starting the sandbox cluster"),
        cancellable: true,
      },
      (_, token) => withSignal(token, (signal) => ground.start(wish, signal)),
    ),
  );

/** Whoever expects results has to know that there will be none. */
function tellRehearsal({ ground }: ChosenSpark): void {
  const why = ground.lacksJava
    ? l10n.t("There is no Java on this machine")
    : l10n.t("There is no Spark on this machine");
  void window.showInformationMessage(
    l10n.t(
      "{0}: the sandbox cluster rehearses applications. Their pods come and go and print logs, and nothing is computed.",
      why,
    ),
  );
}

const chooseContext = (name: string | undefined): Thenable<void> =>
  workspace
    .getConfiguration(settingsSection)
    .update(settings.context, name, ConfigurationTarget.Global);
