import { l10n } from "vscode";
import { isAbort } from "../../base/isAbort.ts";
import type { Message } from "../../base/message.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import type { Clock } from "../../engine/ports/clock.ts";
import { deletePodNow } from "../../engine/lifecycle/deletePod.ts";
import { attachToShell, shellExitCode } from "../../engine/submit/attachToShell.ts";
import type { SendFailure } from "../../engine/submit/podWait.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import type { LogConsole } from "../logs/logConsole.ts";
import { keepsShells } from "../settings.ts";
import { explainClusterError } from "../showError.ts";
import type { TerminalRelay } from "../ui/terminalRelay.ts";
import { translated } from "../ui/translated.ts";

interface ShellPlace {
  readonly connection: Pick<Connection, "objects" | "exec">;
  readonly terminal: { readonly output: LogConsole; readonly relay: TerminalRelay };
  readonly clock: Clock;
}

const removeMs = 30_000;

/**
 * Gives the terminal to the shell of a driver pod, and returns its exit code. Deletes the pod when the shell or the
 * terminal ends, or when the terminal cannot be attached, unless the settings keep shells.
 */
export async function runShell(
  driver: PodRecord,
  { connection, terminal: { output, relay }, clock }: ShellPlace,
  signal: AbortSignal,
): Promise<number> {
  const { objects, exec } = connection;
  const ports = { objects, exec, clock };
  let isAttached = false;
  try {
    const waiting = (reason: Message): void => {
      output.note(l10n.t("waiting for the driver pod: {0}", translated(reason)));
    };
    const attached = await attachToShell(driver, ports, { size: relay.size, waiting }, signal);
    if (!attached.ok) {
      output.problem("error", attachFailureWords(attached.error));
      return 1;
    }
    isAttached = true;
    const end = await relay.run(attached.value, signal);
    signal.throwIfAborted();
    if (end?.kind === "failed") {
      output.problem("error", explainClusterError(end.error));
    }
    const exitCode = (await shellExitCode(driver, ports, signal)) ?? 1;
    output.note(l10n.t("the shell ended with exit code {0}", exitCode));
    return exitCode;
  } catch (error) {
    if (isAbort(error) && isAttached) return 130;
    throw error;
  } finally {
    if (!(isAttached && keepsShells())) {
      const removed = await deletePodNow(objects, driver, AbortSignal.timeout(removeMs));
      if (removed.kind === "failed") {
        const reason = explainClusterError(removed.error);
        output.problem("error", l10n.t('Cannot delete pod "{0}". {1}', driver.name, reason));
      }
    }
  }
}

/** Why the terminal was not attached, and what to do. */
function attachFailureWords(failure: SendFailure): string {
  const failed = l10n.t("Cannot open the Spark shell.");
  if (failure.kind !== "cluster") {
    return `${failed} ${l10n.t("Message: {0}", translated(failure.detail))}`;
  }
  const reason = explainClusterError(failure.error);
  return failure.error.kind === "forbidden"
    ? `${failed} ${reason} ${l10n.t("A Spark session needs no permission for terminals.")}`
    : `${failed} ${reason}`;
}
