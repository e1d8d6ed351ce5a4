import { commands, workspace } from "vscode";
import type { Disposable } from "../base/disposable.ts";
import { isAbort } from "../engine/running.ts";
import type { Log } from "./log.ts";
import { showInternalError } from "./showError.ts";

/** Registers a command that does nothing in a workspace that is not trusted and whose mistakes are told. */
export function registerTrustedCommand(
  id: string,
  run: (...given: readonly unknown[]) => Promise<void>,
  log: Log,
): Disposable {
  return commands.registerCommand(id, async (...given: readonly unknown[]) => {
    // The command is off there; a key binding may still come here.
    if (!workspace.isTrusted) return;
    try {
      await run(...given);
    } catch (error) {
      if (!isAbort(error)) await showInternalError(error, log);
    }
  });
}
