import { commands, l10n, window } from "vscode";
import { guardOf } from "./contextGuard.ts";
import { settings, settingsSection } from "./ids.ts";
import { contextPatterns } from "./settings.ts";

/**
 * Whether something may be changed in a cluster. Every command that creates, changes or deletes there asks
 * here, directly before it acts; why not has been said when the answer is no.
 *
 * `context`: of the connection that the change goes over. `action`: the change as its button says it ("Kill
 * executor 17"). `ask`: the command's own question; it comes before the context's name is asked for, and not
 * at all where nothing may be changed.
 */
export async function mayChange(
  context: string,
  action: string,
  ask: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<boolean> {
  const refusal = refusalIn(context);
  if (refusal !== undefined) {
    void tellRefusal(action, refusal);
    return false;
  }
  if (!(await ask())) return false;
  return guardOf(context, contextPatterns()).kind === "none" || typeName(context, action);
}

/** Why nothing may be changed in a context; undefined where it may. */
export function refusalIn(context: string): string | undefined {
  const guard = guardOf(context, contextPatterns());
  if (guard.kind !== "readOnly") return undefined;
  return l10n.t(
    'The context "{0}" is read-only here: your setting "{1}" names "{2}".',
    context,
    `${settingsSection}.${settings.readOnlyContexts}`,
    guard.pattern,
  );
}

async function tellRefusal(action: string, refusal: string): Promise<void> {
  const open = l10n.t("Open Setting");
  const text = l10n.t("Not done: {0}. {1}", action, refusal);
  if ((await window.showWarningMessage(text, open)) !== open) return;
  const id = `${settingsSection}.${settings.readOnlyContexts}`;
  await commands.executeCommand("workbench.action.openSettings", `@id:${id}`);
}

async function typeName(context: string, action: string): Promise<boolean> {
  const typed = await window.showInputBox({
    title: action,
    prompt: l10n.t('"{0}" is a guarded context. Type its name to go on.', context),
    placeHolder: context,
    ignoreFocusOut: true,
    validateInput: (text) =>
      text === context ? undefined : l10n.t('Type "{0}", or Escape to leave it', context),
  });
  return typed === context;
}
