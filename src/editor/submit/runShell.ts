import { isAbort } from "../../base/isAbort.ts";
import { msg, sentences, verbatim, type Message } from "../../base/message.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import type { Clock } from "../../engine/ports/clock.ts";
import { deletedWithin, deletePodNow } from "../../engine/lifecycle/deletePod.ts";
import { attachToShell, shellExitCode } from "../../engine/submit/attachToShell.ts";
import type { SendFailure } from "../../engine/submit/podWait.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import type { LogConsole } from "../logs/logConsole.ts";
import type { Screen } from "../screen.ts";
import type { TerminalRelay } from "../ui/terminalRelay.ts";

interface ShellPlace {
  readonly connection: Pick<Connection, "objects" | "exec">;
  readonly terminal: { readonly output: LogConsole; readonly relay: TerminalRelay };
  readonly clock: Clock;
  readonly screen: Pick<Screen, "explainClusterError">;
  /** True if the driver pod is kept when its terminal closes. */
  readonly keepsShells: () => boolean;
}

const removeMs = 30_000;

/**
 * Attaches the terminal to the shell of a driver pod, and returns the shell's exit code. Deletes the pod when the shell
 * or the terminal ends, unless the settings keep shells. Always deletes the pod if the terminal cannot be attached.
 */
export async function runShell(
  driver: PodRecord,
  { connection, terminal: { output, relay }, clock, screen, keepsShells }: ShellPlace,
  signal: AbortSignal,
): Promise<number> {
  const { objects, exec } = connection;
  const ports = { objects, exec, clock };
  let isAttached = false;
  try {
    const waiting = (reason: Message): void => {
      output.note(msg`waiting for the driver pod: ${reason}`);
    };
    const attached = await attachToShell(driver, ports, { size: relay.size, waiting }, signal);
    if (!attached.ok) {
      output.problem("error", attachFailureWords(attached.error, screen));
      return 1;
    }
    isAttached = true;
    const end = await relay.run(attached.value, signal);
    signal.throwIfAborted();
    if (end?.kind === "failed") {
      output.problem("error", screen.explainClusterError(end.error));
    }
    const exitCode = (await shellExitCode(driver, ports, signal)) ?? 1;
    output.note(msg`the shell ended with exit code ${exitCode}`);
    return exitCode;
  } catch (error) {
    if (isAbort(error) && isAttached) return 130;
    throw error;
  } finally {
    if (!(isAttached && keepsShells())) {
      const removed = await deletedWithin(removeMs, (limit) =>
        deletePodNow(objects, driver, limit),
      );
      if (removed.kind === "failed") {
        const reason = screen.explainClusterError(removed.error);
        output.problem("error", msg`Cannot delete pod "${driver.name}". ${reason}`);
      }
    }
  }
}

/** Returns the message that explains why the terminal was not attached, and the next step. */
function attachFailureWords(
  failure: SendFailure,
  { explainClusterError }: Pick<Screen, "explainClusterError">,
): Message {
  const failed = msg("Cannot open the Spark shell.");
  if (failure.kind !== "cluster") return sentences([failed, msg`Message: ${failure.detail}`]);
  const reason = verbatim(explainClusterError(failure.error));
  return failure.error.kind === "forbidden"
    ? sentences([failed, reason, msg("A Spark session does not require this permission.")])
    : sentences([failed, reason]);
}
