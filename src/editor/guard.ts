import { translated } from "./ui/translated.ts";
import { commands, l10n } from "vscode";
import { assertNever } from "../base/assertNever.ts";
import type { AccessConnection, Connection } from "../engine/ports/connection.ts";
import {
  guardOf,
  placeOfContext,
  type ContextGuard,
  type GuardedPlace,
  type GuardEntry,
} from "../engine/contextGuard.ts";
import { settings, settingsSection } from "./ids.ts";
import { contextPatterns } from "./settings.ts";
import { window } from "./ui/window.ts";

type GuardedConnection =
  Pick<Connection, "context"> | Pick<AccessConnection, "context" | "identity" | "serverContexts">;

/** The contexts whose guards apply to a connection. */
function placeOf(connection: GuardedConnection): GuardedPlace {
  if (!("identity" in connection)) return placeOfContext(connection.context);
  const { context, identity, serverContexts } = connection;
  const owner = identity.kind === "foreign" ? [identity.context] : [];
  return {
    name: context,
    contexts: [...serverContexts, ...owner],
    server: serverContexts.length === 0 ? "unknown" : "known",
  };
}

/**
 * Decides if a command may change a cluster or open a channel into it. Every such command (see `clusterChanges.md`) calls
 * this directly before the change. Shows the reason if it returns false.
 *
 * `action`: the change, as on its button ("Kill executor 17"). `ask`: the command's own question. It precedes the prompt
 * for the context's name, and is skipped in a read-only context.
 */
export async function mayChange(
  connection: GuardedConnection,
  action: string,
  ask: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<boolean> {
  const place = placeOf(connection);
  const refusal = refusalIn(connection);
  if (refusal !== undefined) {
    void showRefusal(action, refusal);
    return false;
  }
  if (!(await ask())) return false;
  // The settings may have changed during the question.
  const guard = guardOf(place, contextPatterns());
  switch (guard.kind) {
    case "none":
      return true;
    case "readOnly":
      void showRefusal(action, refusalWords(place, guard.entry));
      return false;
    case "typeName":
      return typeName(place, action);
    default:
      return assertNever(guard);
  }
}

/** Why a connection is read-only; undefined if it is not. */
export function refusalIn(connection: GuardedConnection): string | undefined {
  const place = placeOf(connection);
  const guard = guardOf(place, contextPatterns());
  return guard.kind === "readOnly" ? refusalWords(place, guard.entry) : undefined;
}

/** Why a change would need a question; undefined if it needs none. Read-only contexts have `refusalIn`. */
export function questionIn(connection: GuardedConnection): string | undefined {
  const place = placeOf(connection);
  const guard = guardOf(place, contextPatterns());
  return guard.kind === "none" ? undefined : l10n.t('"{0}" is a guarded context.', place.name);
}
/** True if no guard applies, so that `mayChange` asks nothing. */
export const isUnguarded = (connection: GuardedConnection): boolean =>
  guardOf(placeOf(connection), contextPatterns()).kind === "none";

function refusalWords({ name, server }: GuardedPlace, entry: GuardEntry): string {
  if (entry.problem !== undefined) return problemWords(settings.readOnlyContexts, entry);
  const setting = `${settingsSection}.${settings.readOnlyContexts}`;
  return server === "known"
    ? l10n.t(
        'The context "{0}" is read-only because of the entry "{2}" of your setting "{1}".',
        name,
        setting,
        entry.text,
      )
    : l10n.t(
        'No context of the kubeconfig has the server "{0}", so all guards apply: entry "{2}" of your setting "{1}".',
        name,
        setting,
        entry.text,
      );
}

type GuardSetting = typeof settings.readOnlyContexts | typeof settings.guardedContexts;

/** Explains why an invalid entry guards every context. */
export function problemWords(name: GuardSetting, { number, problem }: GuardEntry): string {
  const setting = `${settingsSection}.${name}`;
  if (problem === undefined) throw new Error("the entry has no problem");
  switch (problem.kind) {
    case "noList":
      return l10n.t('"{0}" is not a list: every context is guarded.', setting);
    case "noText":
      return l10n.t(
        'Entry {0} of "{1}" is not a string: every context is guarded.',
        number ?? 0,
        setting,
      );
    case "empty":
      return l10n.t('Entry {0} of "{1}" is empty: every context is guarded.', number ?? 0, setting);
    case "tooLong":
      return l10n.t(
        'Entry {0} of "{1}" is too long: every context is guarded.',
        number ?? 0,
        setting,
      );
    case "quoted":
      return l10n.t(
        'Entry {0} of "{1}" is enclosed in quotes or slashes: every context is guarded. Remove them.',
        number ?? 0,
        setting,
      );
    case "negated":
      return l10n.t(
        'Entry {0} of "{1}" begins with "!", and no entry makes an exception: every context is guarded.',
        number ?? 0,
        setting,
      );
    case "severalNames":
      return l10n.t(
        'Entry {0} of "{1}" contains a space, comma or semicolon: every context is guarded. Make each name an entry of its own, or write ".".',
        number ?? 0,
        setting,
      );
    case "braces":
      return l10n.t(
        'Entry {0} of "{1}" has an empty or unbalanced brace: every context is guarded.',
        number ?? 0,
        setting,
      );
    case "invisible":
      return l10n.t(
        'Entry {0} of "{1}" contains an invisible character: every context is guarded. Type the entry again.',
        number ?? 0,
        setting,
      );
    case "syntax":
      return l10n.t(
        'Entry {0} of "{1}" is not a valid pattern: every context is guarded. {2}',
        number ?? 0,
        setting,
        translated(problem.detail),
      );
  }
}

/** The guard of a context for a list row, and the entry that causes it. */
export function guardWords(guard: ContextGuard): {
  readonly guard: string;
  readonly cause: string;
} {
  if (guard.kind === "none") return { guard: l10n.t("not guarded"), cause: "" };
  const isLocked = guard.kind === "readOnly";
  const name = isLocked ? settings.readOnlyContexts : settings.guardedContexts;
  const setting = `${settingsSection}.${name}`;
  const cause =
    guard.entry.problem === undefined
      ? l10n.t('Entry {0} of "{1}": {2}', guard.entry.number ?? 0, setting, guard.entry.text)
      : problemWords(name, guard.entry);
  return {
    guard: isLocked ? l10n.t("read-only") : l10n.t("changes are confirmed by typing the name"),
    cause,
  };
}

async function showRefusal(action: string, refusal: string): Promise<void> {
  const open = l10n.t("Open Setting");
  const text = l10n.t("Blocked: {0}. {1}", action, refusal);
  if ((await window.showWarningMessage(text, open)) !== open) return;
  await openGuardSetting(settings.readOnlyContexts);
}

export const openGuardSetting = async (name: GuardSetting): Promise<void> => {
  await commands.executeCommand("workbench.action.openSettings", `@id:${settingsSection}.${name}`);
};

async function typeName({ name, server }: GuardedPlace, action: string): Promise<boolean> {
  const typed = await window.showInputBox({
    title: action,
    prompt:
      server === "known"
        ? l10n.t('"{0}" is a guarded context. Type its name to continue.', name)
        : l10n.t(
            'No context of the kubeconfig has the server "{0}", so all guards apply to it. Type it to continue.',
            name,
          ),
    placeHolder: name,
    ignoreFocusOut: true,
    validateInput: (text) =>
      text === name ? undefined : l10n.t('Type "{0}" to continue, or press Escape to cancel', name),
  });
  return typed === name;
}
