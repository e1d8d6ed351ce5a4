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

/** Splits a typed list at commas, and returns the namespaces without blanks. */
export const namespacesIn = (text: string): readonly string[] =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");

/** Returns the fault of a typed list; undefined if the list is valid. `*` means all namespaces. */
export function namespacesFault(text: string): Message | undefined {
  const wrong = namespacesIn(text).find((name) => name !== "*" && !isDnsLabel(name));
  return wrong === undefined ? undefined : msg`"${wrong}" is not a valid namespace name.`;
}
