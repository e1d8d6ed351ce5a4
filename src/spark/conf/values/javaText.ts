// Texts as Java handles them, where that differs from JavaScript.

/** Without characters up to U+0020 at both ends; JavaScript's `trim` takes more. */
export function javaTrim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) <= 0x20) start++;
  while (end > start && text.charCodeAt(end - 1) <= 0x20) end--;
  return text.slice(start, end);
}

/** The parts of a list value: between commas, trimmed, the empty ones dropped. */
export function listParts(text: string): readonly string[] {
  return text
    .split(",")
    .map(javaTrim)
    .filter((part) => part !== "");
}

const isAsciiDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** The value of a decimal digit of any script, as `Character.digit` gives it; undefined for all else. */
export function digitValue(text: string, index: number): number | undefined {
  const code = text.charCodeAt(index);
  if (isAsciiDigit(code)) return code - 0x30;
  if (code < 0x80 || !isDecimalDigit(code)) return undefined;
  let value = 0;
  // Decimal digits stand in rows of ten.
  while (value < 9 && isDecimalDigit(code - value - 1)) value++;
  return value;
}

const isDecimalDigit = (code: number): boolean => /^\p{Nd}$/u.test(String.fromCharCode(code));

/** Where the run of ASCII digits from `start` on ends. */
export function afterDigits(text: string, start: number): number {
  let end = start;
  while (end < text.length && isAsciiDigit(text.charCodeAt(end))) end++;
  return end;
}

/** Whether the rest of the text from `start` on is one run of letters a to z, or nothing. */
export function isLowerWord(text: string, start: number): boolean {
  for (let index = start; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x61 || code > 0x7a) return false;
  }
  return true;
}
