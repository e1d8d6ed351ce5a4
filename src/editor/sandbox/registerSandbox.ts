import { ConfigurationTarget, l10n, workspace, type TaskDefinition } from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import type { CommandHandlers } from "../commandArguments.ts";
import type { CommandOf } from "../commandTable.ts";
import { sandboxContext, settings, settingsSection } from "../ids.ts";
import type { Log } from "../log.ts";
import { chosenContext } from "../settings.ts";
import { showProblems } from "../showError.ts";
import { chooseSpark, type ChosenSpark } from "./chooseSpark.ts";
import { openExampleProgram } from "./exampleProgram.ts";
import { exampleWindow, openExample, type ExampleOptions } from "./openExample.ts";
import { chooseSimulation } from "./simulations.ts";
import type { SandboxChoices, SandboxLease, Sandboxes } from "./sandboxes.ts";
import { window } from "../ui/window.ts";
import { inNotification } from "../progress.ts";

interface SandboxFeatureOptions extends ExampleOptions {
  readonly open: () => Promise<Sandboxes>;
  /** Submits a task definition like a run profile. */
  readonly submit: (definition: TaskDefinition) => Promise<void>;
  readonly log: Log;
}

interface SandboxFeature extends Disposable {
  readonly handlers: CommandHandlers<CommandOf<"sandbox">>;
}

/** Key of the stored context that was selected before the sandbox's context. */
const contextBefore = "sandbox.contextBefore";

/**
 * Registers the commands of the sandbox cluster. This window keeps a lease of the sandbox while the sandbox is its
 * context.
 */
export function registerSandbox(options: SandboxFeatureOptions): SandboxFeature {
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

  /**
   * Joins the running sandbox, or starts one with the result of `choose`. Returns false if the user cancels. If the
   * sandbox does not start, shows the error and returns false.
   */
  const ensure = async (
    choose: (machine: SandboxChoices) => ReturnType<typeof chooseSpark>,
  ): Promise<boolean> => {
    const sandboxes = await open();
    let lease = await sandboxes.join();
    if (lease === undefined) {
      const refused = async (why: string): Promise<false> => {
        await showProblems(l10n.t("Cannot start the sandbox cluster"), [why], log);
        return false;
      };
      const chosen = await choose(await sandboxes.look());
      if (chosen === undefined) return false;
      if (!chosen.ok) return refused(chosen.error);
      const started = await begin(chosen.value);
      if (!started.ok) return refused(started.error);
      lease = started.value;
      // If Spark could be downloaded, the user has chosen the simulation, so show no notice.
      const { machine, wish } = chosen.value;
      if (wish.simulate && machine.suits === undefined) showSimulationNotice(machine);
    }
    hold(lease);
    const before = chosenContext();
    if (before === sandboxContext) return true;
    await memory.update(contextBefore, before);
    await chooseContext(sandboxContext);
    return true;
  };

  const start = async (): Promise<void> => {
    await ensure((machine) => chooseSpark(machine, memory));
  };

  const simulate = async (): Promise<void> => {
    const definition = await chooseSimulation();
    if (definition === undefined) return;
    // A simulation needs no Spark, so do not offer a download.
    const isRunning = await ensure((machine) => {
      const simulate = machine.lacksJava || machine.sparkVersions.length === 0;
      return Promise.resolve({
        ok: true,
        value: { machine, wish: { simulate, mayDownload: false } },
      });
    });
    if (isRunning) await options.submit(definition);
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
        ? l10n.t("The sandbox cluster and its pods have stopped.")
        : l10n.t("No sandbox cluster is running."),
    );
  };

  const example = async (): Promise<void> => {
    await openExample(options, async () => (await (await open()).look()).sparkVersions[0]);
  };

  // Joins the running sandbox while its context is selected, also after a reload and in a second window.
  const syncLease = async (): Promise<void> => {
    if (chosenContext() !== sandboxContext) {
      release();
      return;
    }
    if (held !== undefined || !workspace.isTrusted) return;
    const lease = await (await open()).join();
    if (lease !== undefined) hold(lease);
  };
  const syncLeaseSafely = (): void => {
    syncLease().catch(log.error);
  };

  owned.add(
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(`${settingsSection}.${settings.context}`)) syncLeaseSafely();
    }),
  );
  owned.add(workspace.onDidGrantWorkspaceTrust(syncLeaseSafely));
  syncLeaseSafely();
  openExampleProgram(exampleWindow(memory)).catch(log.error);
  return {
    handlers: { startSandbox: start, stopSandbox: stop, simulate, createExample: example },
    dispose: () => {
      owned.dispose();
    },
  };
}

const begin = ({ machine, wish }: ChosenSpark): ReturnType<SandboxChoices["start"]> =>
  Promise.resolve(
    inNotification(l10n.t("Starting the sandbox cluster"), (signal) => machine.start(wish, signal)),
  );

/** Shows a notification that applications are simulated and compute nothing. */
function showSimulationNotice({ lacksJava }: SandboxChoices): void {
  const why = lacksJava
    ? l10n.t("Java was not found on this machine")
    : l10n.t("Spark was not found on this machine");
  void window.showInformationMessage(
    l10n.t(
      "{0}, so the sandbox cluster simulates applications. Their pods start, print logs and end, but compute nothing.",
      why,
    ),
  );
}

const chooseContext = (name: string | undefined): Thenable<void> =>
  workspace
    .getConfiguration(settingsSection)
    .update(settings.context, name, ConfigurationTarget.Global);
