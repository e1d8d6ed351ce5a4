const session =
  /\bSparkSession\s*\.\s*(?:builder|getActiveSession|active)\b|\bSparkContext\s*(?:\(|\.\s*getOrCreate\b)/;

// The maximum number of characters to search. A program creates its session near its start.
const maxLength = 1_000_000;

/** Returns the zero-based first line on which a Python program gets a Spark session. Undefined if there is none. */
export function sessionLine(text: string): number | undefined {
  const line = text
    .slice(0, maxLength)
    .split("\n")
    .findIndex((each) => session.test(each) && !/^\s*#/.test(each));
  return line < 0 ? undefined : line;
}
