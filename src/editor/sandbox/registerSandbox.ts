import {
  ConfigurationTarget,
  l10n,
  ProgressLocation,
  window,
  workspace,
  type Memento,
} from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import type { Result } from "../../base/result.ts";
import { commands, sandboxContext, settings, settingsSection } from "../ids.ts";
import type { Log } from "../log.ts";
import { registerTrustedCommand } from "../registerCommand.ts";
import { chosenContext } from "../settings.ts";
import { showProblems } from "../showError.ts";
import { withSignal } from "../withSignal.ts";

/** The sandbox as a window sees it; `sandbox/door.ts` has what is behind it. */
export interface Sandboxes {
  /** Joins the one that runs, or starts one. An error is a sentence. */
  start(signal: AbortSignal): Promise<Result<SandboxLease, string>>;
  /** Undefined: none runs. */
  join(): Promise<SandboxLease | undefined>;
  /** Ends it for all windows. False: none ran. */
  stop(): Promise<boolean>;
}

/** Held for as long as this window uses the sandbox. */
export interface SandboxLease extends Disposable {
  readonly done: Promise<void>;
}

export interface SandboxOptions {
  readonly open: () => Promise<Sandboxes>;
  /** Of the user, for all windows. */
  readonly memory: Memento;
  readonly log: Log;
}

/** The context that was chosen before the sandbox's. */
const contextBefore = "sandbox.contextBefore";

/** Starts and stops the sandbox cluster, and holds it while this window's context is the sandbox's. */
export function registerSandbox({ open, memory, log }: SandboxOptions): Disposable {
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

  const start = async (): Promise<void> => {
    const sandboxes = await open();
    const title = l10n.t("Starting the sandbox cluster");
    const location = ProgressLocation.Notification;
    const started = await window.withProgress({ location, title, cancellable: true }, (_, token) =>
      withSignal(token, (signal) => sandboxes.start(signal)),
    );
    if (!started.ok) {
      await showProblems(l10n.t("The sandbox cluster was not started"), [started.error], log);
      return;
    }
    hold(started.value);
    const before = chosenContext();
    if (before === sandboxContext) return;
    await memory.update(contextBefore, before);
    await chooseContext(sandboxContext);
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
  owned.add(
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(`${settingsSection}.${settings.context}`)) followSafely();
    }),
  );
  owned.add(workspace.onDidGrantWorkspaceTrust(followSafely));
  followSafely();
  return owned;
}

const chooseContext = (name: string | undefined): Thenable<void> =>
  workspace
    .getConfiguration(settingsSection)
    .update(settings.context, name, ConfigurationTarget.Global);
