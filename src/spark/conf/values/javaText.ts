// String functions that behave as in Java, not as in JavaScript.

/**
 * Trims the characters up to U+0020, like Java's `trim`. JavaScript's `trim` removes all Unicode whitespace instead.
 */
export function javaTrim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) <= 0x20) start++;
  while (end > start && text.charCodeAt(end - 1) <= 0x20) end--;
  return text.slice(start, end);
}

/** Returns the parts of a list value: separated by commas, trimmed, without the empty ones. */
export function listParts(text: string): readonly string[] {
  return text
    .split(",")
    .map(javaTrim)
    .filter((part) => part !== "");
}

const isAsciiDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** Returns the value of a decimal digit in any script, as `Character.digit` does; undefined for other characters. */
export function digitValue(text: string, index: number): number | undefined {
  const code = text.charCodeAt(index);
  if (isAsciiDigit(code)) return code - 0x30;
  if (code < 0x80 || !isDecimalDigit(code)) return undefined;
  let value = 0;
  // Unicode has decimal digits in blocks of ten.
  while (value < 9 && isDecimalDigit(code - value - 1)) value++;
  return value;
}

const isDecimalDigit = (code: number): boolean => /^\p{Nd}$/u.test(String.fromCharCode(code));

/** Returns the end of the run of ASCII digits at `start`. */
export function afterDigits(text: string, start: number): number {
  let end = start;
  while (end < text.length && isAsciiDigit(text.charCodeAt(end))) end++;
  return end;
}

/** True if only the letters a to z follow from `start` on, or nothing. */
export function isLowerWord(text: string, start: number): boolean {
  for (let index = start; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x61 || code > 0x7a) return false;
  }
  return true;
}
