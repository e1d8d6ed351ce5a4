/**
 * Expands `$(NAME)` by the rules of Kubernetes for commands, arguments and environment. `$$` is an escaped dollar
 * sign; references to unknown names stay unchanged.
 */
export function expand(text: string, known: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\$\$|\$\(([^()]*)\)/g, (whole: string, name: string | undefined) =>
    name === undefined ? "$" : (known.get(name) ?? whole),
  );
}
