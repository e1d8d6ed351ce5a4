/** A placeholder for a value that is known only at run time. `isPlaceholder` returns true for it. */
export const unknownValue = "${}";

/**
 * True if the value contains a placeholder, so that the effective value is unknown. Recognizes Spark's own `${…}`, the
 * variables `$NAME` and `$(NAME)` of shells and envsubst, the template tags `{{ }}`, `{% %}` and `<% %>`, and markers
 * such as `@NAME@`, `%NAME%` and `<name>`.
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

/**
 * True for a word of at least eight capital letters, digits and underscores, with an optional unit. Such words are
 * placeholders in templates that a script fills in.
 */
export function isCapitalsMark(value: string): boolean {
  let end = 0;
  while (end < value.length && /[A-Z0-9_]/.test(value[end] ?? "")) end++;
  // A unit of at most two characters may follow the word.
  return end >= 8 && /^[A-Z]/.test(value) && value.length - end <= 2;
}

const isNameStart = (char: string): boolean => /^[A-Za-z_]$/.test(char);
