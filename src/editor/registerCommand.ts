import { commands, workspace } from "vscode";
import type { Disposable } from "../base/disposable.ts";
import { isAbort } from "../engine/running.ts";
import type { Log } from "./log.ts";
import { showInternalError } from "./showError.ts";

type Run = (...given: readonly unknown[]) => Promise<void>;

/** Registers a command whose mistakes are told. */
export function registerCommand(id: string, run: Run, log: Log): Disposable {
  return commands.registerCommand(id, async (...given: readonly unknown[]) => {
    try {
      await run(...given);
    } catch (error) {
      if (!isAbort(error)) await showInternalError(error, log);
    }
  });
}

/** The same, and the command does nothing in a workspace that is not trusted. */
export function registerTrustedCommand(id: string, run: Run, log: Log): Disposable {
  // The command is off there; a key binding may still come here.
  const trusted: Run = async (...given) => (workspace.isTrusted ? run(...given) : undefined);
  return registerCommand(id, trusted, log);
}
