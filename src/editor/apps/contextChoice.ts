/** The additional contexts, each with its namespaces. */
export type FurtherContexts = Readonly<Record<string, readonly string[]>>;

/** The setting after the user selects among the offered contexts. Contexts that were not offered are kept. */
export function furtherAfter(
  now: FurtherContexts,
  offered: readonly string[],
  ticked: readonly string[],
): FurtherContexts {
  // They belong to another kubeconfig, or are in use as the chosen context.
  const others = Object.entries(now).filter(([context]) => !offered.includes(context));
  return Object.fromEntries([
    ...others,
    ...ticked.map((context) => [context, now[context] ?? []] as const),
  ]);
}

/** The chosen context if the kubeconfig has it; else undefined, which means the current context. */
export const contextIn = (
  contexts: readonly { readonly name: string }[],
  chosen: string | undefined,
): string | undefined => contexts.find(({ name }) => name === chosen)?.name;
