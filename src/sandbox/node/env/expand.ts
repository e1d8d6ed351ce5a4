/**
 * `$(NAME)` becomes the value of NAME; `$$` stands for one dollar sign, and a name that nobody knows stays
 * as it is written: the rules of commands, arguments and environment in pods.
 */
export function expand(text: string, known: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\$\$|\$\(([^()]*)\)/g, (whole: string, name: string | undefined) =>
    name === undefined ? "$" : (known.get(name) ?? whole),
  );
}
