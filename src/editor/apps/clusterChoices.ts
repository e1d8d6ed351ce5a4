import { msg, type Message } from "../../base/message.ts";
import { isDnsLabel } from "../../spark/kubernetesNames.ts";
import type { FurtherContexts } from "./contextChoice.ts";

/** A context of the kubeconfig. */
interface ListedContext {
  readonly name: string;
  readonly server: string;
  readonly user: string;
  readonly namespace: string | undefined;
}

/** Returns a row for each context that can be watched in addition to the context in use. */
export const furtherChoices = (
  contexts: readonly ListedContext[],
  inUse: string | undefined,
  now: FurtherContexts,
): readonly { readonly label: string; readonly detail: Message; readonly picked: boolean }[] =>
  contexts
    .filter(({ name }) => name !== inUse)
    .map(({ name, server, namespace = "default" }) => ({
      label: name,
      detail: msg`${server}, namespace ${now[name]?.join(", ") || namespace}`,
      picked: name in now,
    }));

export const contextChoices = (
  contexts: readonly ListedContext[],
  inUse: string | undefined,
): readonly {
  readonly label: string;
  readonly description: Message | "";
  readonly detail: Message;
}[] =>
  contexts.map(({ name, server, user, namespace = "default" }) => ({
    label: name,
    description: name === inUse ? msg("in use") : "",
    detail: msg`${server} as ${user}, namespace ${namespace}`,
  }));

/** Splits a typed list of namespaces at commas. Trims the names and drops empty ones. */
export const namespacesIn = (text: string): readonly string[] =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");

/** Returns the error message for a typed list; undefined if the list is valid. `*` means all namespaces. */
export function namespacesFault(text: string): Message | undefined {
  const wrong = namespacesIn(text).find((name) => name !== "*" && !isDnsLabel(name));
  return wrong === undefined ? undefined : msg`"${wrong}" is not a valid namespace name.`;
}

/**
 * Returns the rows of the quick pick: `*` first, then the other namespaces sorted by name. They include the watched
 * namespaces that the cluster does not have.
 */
export function namespaceChoices(
  listed: readonly string[],
  watched: readonly string[],
  own: string,
): readonly {
  readonly label: string;
  readonly description: Message | "";
  readonly picked: boolean;
}[] {
  const inUse = watched.length > 0 ? watched : [own];
  const known = new Set(listed);
  const names = new Set([...listed, ...inUse.filter((name) => name !== "*")]);
  const descriptionOf = (name: string): Message | "" => {
    if (!known.has(name)) return msg("not in this cluster");
    return name === own ? msg("namespace of the context") : "";
  };
  return [
    { label: "*", description: msg("all namespaces"), picked: inUse.includes("*") },
    ...[...names].sort().map((name) => ({
      label: name,
      description: descriptionOf(name),
      picked: inUse.includes(name),
    })),
  ];
}

/**
 * True if the typed text names namespaces instead of filtering rows: it has several names, or a name that no row
 * contains.
 */
export function isOtherThanRows(text: string, rows: readonly string[]): boolean {
  const typed = namespacesIn(text);
  return typed.length > 1 || typed.some((name) => !rows.some((row) => row.includes(name)));
}

/**
 * Returns the namespaces to store. If the user did not change the selection, typed names replace it; otherwise they are
 * added to it. Text that only matches a part of a row's name is a filter and is ignored.
 */
export function namespacesAfter(
  {
    before,
    own,
    names,
  }: {
    /** The value of the namespaces setting; empty for the namespace of the context. */
    readonly before: readonly string[];
    readonly own: string;
    /** The names of all rows. */
    readonly names: readonly string[];
  },
  selected: readonly string[],
  text: string,
): readonly string[] {
  const inUse = before.length > 0 ? before : [own];
  const isSelectionKept =
    selected.length === new Set(inUse).size && selected.every((name) => inUse.includes(name));
  const isFilter = !isOtherThanRows(text, names);
  const typed = namespacesIn(text);
  if (!isSelectionKept) return allOr([...selected, ...(isFilter ? [] : typed)]);
  if (typed.length > 0 && (!isFilter || names.includes(text.trim()))) return allOr(typed);
  return before;
}

const allOr = (names: readonly string[]): readonly string[] =>
  names.includes("*") ? ["*"] : [...new Set(names)];
