/** The additional contexts, each with its namespaces. */
export type FurtherContexts = Readonly<Record<string, readonly string[]>>;

/**
 * Returns the value of the setting for additional contexts after the user's selection. Keeps contexts that were not
 * offered.
 */
export function furtherAfter(
  now: FurtherContexts,
  offered: readonly string[],
  ticked: readonly string[],
): FurtherContexts {
  // Contexts that were not offered belong to another kubeconfig, or are in use as the chosen context.
  const others = Object.entries(now).filter(([context]) => !offered.includes(context));
  return Object.fromEntries([
    ...others,
    ...ticked.map((context) => [context, now[context] ?? []] as const),
  ]);
}

/** Returns the chosen context if the kubeconfig contains it; otherwise undefined, which means the current context. */
export const contextIn = (
  contexts: readonly { readonly name: string }[],
  chosen: string | undefined,
): string | undefined => contexts.find(({ name }) => name === chosen)?.name;
