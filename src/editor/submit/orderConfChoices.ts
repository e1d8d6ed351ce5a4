import type { Choice } from "./questionPick.ts";

/**
 * The choices of a configuration file, the likeliest first, as Enter accepts it: the file that the command was called
 * on, the previous answer, `spark-defaults.conf` (the name that Spark reads unasked), no file, other files.
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
