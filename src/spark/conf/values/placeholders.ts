/** Stands for a value that only a run would tell; a placeholder itself. */
export const unknownValue = "${}";

/**
 * Whether some program will put another text in this one's place, so that nothing can be said of it: Spark's
 * own `${…}`, the shell's and envsubst's `$NAME` and `$(NAME)`, templates' `{{ }}`, `{% %}`, `<% %>`, marks such
 * as `@NAME@`, `%NAME%`, `<name>`.
 */
export function isPlaceholder(value: string): boolean {
  const lastClosing = value.lastIndexOf(">");
  const lastAt = value.lastIndexOf("@");
  const lastPercent = value.lastIndexOf("%");
  for (let index = 0; index < value.length; index++) {
    const next = value[index + 1] ?? "";
    switch (value.charAt(index)) {
      case "$":
        if (next === "{" || next === "(" || isNameStart(next)) return true;
        break;
      case "{":
        if (next === "{" || next === "%") return true;
        break;
      case "<":
        if (next === "%" || (isNameStart(next) && lastClosing > index)) return true;
        break;
      case "@":
        if (isNameStart(next) && lastAt > index) return true;
        break;
      case "%":
        if (isNameStart(next) && lastPercent > index) return true;
        break;
    }
  }
  return false;
}

/** A word in capitals where a number belongs: the mark of a file that a script fills in. */
export function isCapitalsMark(value: string): boolean {
  let end = 0;
  while (end < value.length && /[A-Z0-9_]/.test(value[end] ?? "")) end++;
  // A unit may follow the word.
  return end >= 8 && /^[A-Z]/.test(value) && value.length - end <= 2;
}

const isNameStart = (char: string): boolean => /^[A-Za-z_]$/.test(char);
