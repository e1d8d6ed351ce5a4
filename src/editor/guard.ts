import { translated } from "./ui/translated.ts";
import { commands, l10n, workspace, type Disposable } from "vscode";
import { msg, type MessageText } from "../base/message.ts";
import { assertNever } from "../base/assertNever.ts";
import {
  guardOf,
  placeOfContext,
  type GuardedPlace,
  type GuardKind,
} from "../engine/contextGuard.ts";
import {
  nameFault,
  namePrompt,
  placeOf,
  refusalWords,
  type GuardedConnection,
  type GuardSetting,
} from "./guardTexts.ts";
import { settings, settingsSection } from "./ids.ts";
import { contextPatterns } from "./settings.ts";
import { window } from "./ui/window.ts";

/**
 * Returns whether a command may change a cluster or open a channel into it. Every such command (see
 * `clusterChanges.md`) calls this directly before the change. In a read-only context, shows the reason and returns
 * false.
 *
 * `action`: the change as a phrase ("Kill executor 17"). `ask`: shows the command's own confirmation. This function
 * calls it before the prompt for the context's name, and not in a read-only context.
 */
export async function mayChange(
  connection: GuardedConnection,
  action: MessageText,
  ask: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<boolean> {
  const place = placeOf(connection);
  const refusal = refusalIn(connection);
  if (refusal !== undefined) {
    void showRefusal(action, refusal);
    return false;
  }
  if (!(await ask())) return false;
  // Check the guard again, because the settings may have changed while the confirmation was open.
  const guard = guardOf(place, contextPatterns());
  switch (guard.kind) {
    case "none":
      return true;
    case "readOnly":
      void showRefusal(action, translated(refusalWords(place, guard.entry)));
      return false;
    case "typeName":
      return typeName(place, action);
    default:
      return assertNever(guard);
  }
}

/** Returns the reason why a connection is read-only; undefined if it is not. */
export function refusalIn(connection: GuardedConnection): string | undefined {
  const place = placeOf(connection);
  const guard = guardOf(place, contextPatterns());
  return guard.kind === "readOnly" ? translated(refusalWords(place, guard.entry)) : undefined;
}

/**
 * Returns the reason why a change needs a confirmation; undefined if it needs none. For read-only contexts, see
 * `refusalIn`.
 */
export function questionIn(connection: GuardedConnection): string | undefined {
  const place = placeOf(connection);
  const guard = guardOf(place, contextPatterns());
  return guard.kind === "none" ? undefined : l10n.t('"{0}" is a guarded context.', place.name);
}
/** True if no guard applies, so that `mayChange` does not prompt for the context's name. */
export const isUnguarded = (connection: GuardedConnection): boolean =>
  guardOf(placeOf(connection), contextPatterns()).kind === "none";

export const guardKindOf = (context: string): GuardKind =>
  guardOf(placeOfContext(context), contextPatterns()).kind;

async function showRefusal(action: MessageText, refusal: string): Promise<void> {
  const open = l10n.t("Open Setting");
  const text = msg`Blocked: ${action}. ${refusal}`;
  if ((await window.showWarningMessage(text, open)) !== open) return;
  await openGuardSetting(settings.readOnlyContexts);
}

/** Calls the listener after each change of a guard setting. */
export const onDidChangeGuards = (listener: () => void): Disposable =>
  workspace.onDidChangeConfiguration((change) => {
    const names = [settings.guardedContexts, settings.readOnlyContexts];
    if (names.some((name) => change.affectsConfiguration(`${settingsSection}.${name}`))) listener();
  });

export const openGuardSetting = async (name: GuardSetting): Promise<void> => {
  await commands.executeCommand("workbench.action.openSettings", `@id:${settingsSection}.${name}`);
};

async function typeName(place: GuardedPlace, action: MessageText): Promise<boolean> {
  const typed = await window.showInputBox({
    title: translated(action),
    prompt: translated(namePrompt(place)),
    placeHolder: place.name,
    ignoreFocusOut: true,
    validateInput: (text) => translated(nameFault(place, text)),
  });
  return typed === place.name;
}
