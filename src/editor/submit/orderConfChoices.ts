import type { Choice } from "./questionPick.ts";

/**
 * Orders the choices of a conf file, the likeliest first, because Enter accepts the first. The order is: the file on
 * which the command was called, the previous answer, `spark-defaults.conf` files, no file, other files.
 */
export function orderConfChoices(
  files: readonly Choice[],
  none: Choice,
  { called, last }: { readonly called: string | undefined; readonly last: string | undefined },
): readonly Choice[] {
  const rankOf = (choice: Choice): number => {
    if (choice !== none && choice.value === called) return 0;
    if (choice.value === last) return 1;
    if (choice === none) return 3;
    return /(?:^|[\\/])spark-defaults\.conf$/.test(choice.value) ? 2 : 4;
  };
  return [...files, none].sort((a, b) => rankOf(a) - rankOf(b));
}
