import type { Standing } from "../../spark/pods/applicationFilter.ts";

/**
 * Interprets the text of the filter. The name of a state selects that state, because the list offers it; any other
 * text is a part of a name. `words`: the states by their displayed names.
 */
export function readFilterText(
  typed: string,
  words: ReadonlyMap<string, Standing>,
): { readonly text: string; readonly standing: Standing | undefined } {
  const text = typed.trim();
  const [, standing] = [...words].find(([word]) => word.toLowerCase() === text.toLowerCase()) ?? [];
  return standing === undefined ? { text, standing } : { text: "", standing };
}
