import { msg, type Message } from "../base/message.ts";
import {
  placeOfContext,
  type ContextGuard,
  type GuardedPlace,
  type GuardEntry,
} from "../engine/contextGuard.ts";
import type { AccessConnection, Connection } from "../engine/ports/connection.ts";
import { settings, settingsSection } from "./ids.ts";

export type GuardedConnection =
  Pick<Connection, "context"> | Pick<AccessConnection, "context" | "identity" | "serverContexts">;

/** Returns the name of a connection's context and all contexts whose guards apply to the connection. */
export function placeOf(connection: GuardedConnection): GuardedPlace {
  if (!("identity" in connection)) return placeOfContext(connection.context);
  const { context, identity, serverContexts } = connection;
  const owner = identity.kind === "foreign" ? [identity.context] : [];
  return {
    name: context,
    contexts: [...serverContexts, ...owner],
    server: serverContexts.length === 0 ? "unknown" : "known",
  };
}

export function refusalWords({ name, server }: GuardedPlace, entry: GuardEntry): Message {
  if (entry.problem !== undefined) return problemWords(settings.readOnlyContexts, entry);
  const setting = `${settingsSection}.${settings.readOnlyContexts}`;
  return server === "known"
    ? msg`The context "${name}" is read-only because of the entry "${entry.text}" of your setting "${setting}".`
    : msg`No context in the kubeconfig uses the server "${name}", so all guards apply: entry "${entry.text}" of your setting "${setting}".`;
}

export type GuardSetting = typeof settings.readOnlyContexts | typeof settings.guardedContexts;

/** Returns the message about an invalid entry of a guard setting. Such an entry guards every context. */
export function problemWords(name: GuardSetting, { number, problem }: GuardEntry): Message {
  const setting = `${settingsSection}.${name}`;
  if (problem === undefined) throw new Error("the entry has no problem");
  switch (problem.kind) {
    case "noList":
      return msg`"${setting}" is not a list: every context is guarded.`;
    case "noText":
      return msg`Entry ${number ?? 0} of "${setting}" is not a string: every context is guarded.`;
    case "empty":
      return msg`Entry ${number ?? 0} of "${setting}" is empty: every context is guarded.`;
    case "tooLong":
      return msg`Entry ${number ?? 0} of "${setting}" is too long: every context is guarded.`;
    case "quoted":
      return msg`Entry ${number ?? 0} of "${setting}" is enclosed in quotes or slashes: every context is guarded. Remove them.`;
    case "negated":
      return msg`Entry ${number ?? 0} of "${setting}" begins with "!", and no entry makes an exception: every context is guarded.`;
    case "severalNames":
      return msg`Entry ${number ?? 0} of "${setting}" contains a space, comma or semicolon: every context is guarded. Use a separate entry for each name, or write "." instead of the character.`;
    case "braces":
      return msg`Entry ${number ?? 0} of "${setting}" has an empty or unbalanced brace: every context is guarded.`;
    case "invisible":
      return msg`Entry ${number ?? 0} of "${setting}" contains an invisible character: every context is guarded. Type the entry again.`;
    case "syntax":
      return msg`Entry ${number ?? 0} of "${setting}" is not a valid pattern: every context is guarded. ${problem.detail}`;
  }
}

/** Returns the texts of a list row: the guard of a context, and the setting entry that causes it. */
export function guardWords(guard: ContextGuard): {
  readonly guard: Message;
  /** Undefined for a context without a guard. */
  readonly cause: Message | undefined;
} {
  if (guard.kind === "none") return { guard: msg("not guarded"), cause: undefined };
  const isLocked = guard.kind === "readOnly";
  const name = isLocked ? settings.readOnlyContexts : settings.guardedContexts;
  const setting = `${settingsSection}.${name}`;
  const cause =
    guard.entry.problem === undefined
      ? msg`Entry ${guard.entry.number ?? 0} of "${setting}": ${guard.entry.text}`
      : problemWords(name, guard.entry);
  return {
    guard: isLocked ? msg("read-only") : msg("changes are confirmed by typing the name"),
    cause,
  };
}

/** Returns the prompt that asks the user to type the name of a guarded context. */
export const namePrompt = ({ name, server }: GuardedPlace): Message =>
  server === "known"
    ? msg`"${name}" is a guarded context. Type its name to continue.`
    : msg`No context in the kubeconfig uses the server "${name}", so all guards apply to it. Type it to continue.`;

export const nameFault = ({ name }: GuardedPlace, typed: string): Message | undefined =>
  typed === name ? undefined : msg`Type "${name}" to continue, or press Escape to cancel`;
