import { commands, Location, Uri, workspace } from "vscode";
import { DisposableStore, type Disposable } from "../base/disposable.ts";
import { isAbort } from "../base/isAbort.ts";
import { argumentDecoders, type CommandHandlers } from "./commandArguments.ts";
import { commandTable, type CommandName } from "./commandTable.ts";
import type { Log } from "./log.ts";
import { showInternalError } from "./showError.ts";

/** Registers handlers under the ids of `commandTable`, decodes their arguments and shows internal errors. */
export function registerCommands<Name extends CommandName>(
  handlers: CommandHandlers<Name>,
  log: Log,
): Disposable {
  const owned = new DisposableStore();
  const decode = argumentDecoders({
    isUri: (value) => value instanceof Uri,
    isLocation: (value) => value instanceof Location,
  });
  for (const name of Object.keys(handlers) as Name[]) {
    const { id, takes, runsIn } = commandTable[name];
    // This cast is safe, because `takes` names the decoder of the handler's argument type.
    const handle = handlers[name] as (argument: unknown) => Promise<void>;
    owned.add(
      commands.registerCommand(id, async (first: unknown, second: unknown) => {
        // package.json disables the command in an untrusted workspace, but a key binding can still run it.
        if (runsIn === "trustedWorkspace" && !workspace.isTrusted) return;
        try {
          await handle(decode[takes](first, second));
        } catch (error) {
          if (!isAbort(error)) await showInternalError(error, log);
        }
      }),
    );
  }
  return owned;
}
