/** Contexts that are watched besides the chosen one, each with its namespaces. */
type FurtherContexts = Readonly<Record<string, readonly string[]>>;

/** The setting once some of the contexts that were offered are ticked; what was not offered stays as it was. */
export function furtherAfter(
  now: FurtherContexts,
  offered: readonly string[],
  ticked: readonly string[],
): FurtherContexts {
  // Of another kubeconfig, or the one in use, which may be another tomorrow.
  const others = Object.entries(now).filter(([context]) => !offered.includes(context));
  return Object.fromEntries([
    ...others,
    ...ticked.map((context) => [context, now[context] ?? []] as const),
  ]);
}

/** The chosen context where a kubeconfig has it; undefined, which is its current one, where that would lead nowhere. */
export const contextIn = (
  contexts: readonly { readonly name: string }[],
  chosen: string | undefined,
): string | undefined => contexts.find(({ name }) => name === chosen)?.name;
