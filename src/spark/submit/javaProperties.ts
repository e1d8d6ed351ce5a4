// The `.properties` syntax of java.util.Properties, as text and not as Latin-1 bytes.

const escapes: Readonly<Record<string, string>> = { t: "\t", n: "\n", r: "\r", f: "\f" };

/** The pairs of a file in the order of its lines; of a key that comes twice both are given. */
export function parseJavaProperties(text: string): readonly (readonly [string, string])[] {
  return logicalLines(text).map((line) => {
    const keyEnd = findKeyEnd(line);
    const separator = /^[ \t\f]*[=:]?[ \t\f]*/.exec(line.slice(keyEnd))?.[0] ?? "";
    return [unescape(line.slice(0, keyEnd)), unescape(line.slice(keyEnd + separator.length))];
  });
}

/** True where Java gives up: `\\u` without four hexadecimal digits behind it. */
export function hasBrokenEscape(text: string): boolean {
  return logicalLines(text).some((line) =>
    [...line.matchAll(/\\(u[0-9a-fA-F]{4}|[^])/g)].some(([, escaped]) => escaped === "u"),
  );
}

/** The file that Java's `store` writes to a writer, but sorted by key so that it can be compared. */
export function printJavaProperties(
  properties: ReadonlyMap<string, string>,
  comments: readonly string[],
): string {
  const keys = [...properties.keys()].sort();
  const lines = keys.map((key) => {
    const value = properties.get(key) ?? "";
    return `${escapeSpecial(key).replaceAll(" ", "\\ ")}=${escapeSpecial(value).replace(/^ /, "\\ ")}`;
  });
  return [...comments.map((comment) => `#${comment}`), ...lines]
    .map((line) => `${line}\n`)
    .join("");
}

function escapeSpecial(text: string): string {
  return text
    .replace(/[\\=:#!]/g, "\\$&")
    .replaceAll("\t", "\\t")
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r")
    .replaceAll("\f", "\\f");
}

// A line that ends in an odd number of backslashes goes on in the next one, less its leading white space.
function logicalLines(text: string): readonly string[] {
  const lines: string[] = [];
  let open: string | undefined;
  for (const natural of text.split(/\r\n|\n|\r/)) {
    const line = natural.replace(/^[ \t\f]+/, "");
    if (open === undefined && (line === "" || line.startsWith("#") || line.startsWith("!")))
      continue;
    const whole = (open ?? "") + line;
    const backslashes = /\\*$/.exec(line)?.[0].length ?? 0;
    if (backslashes % 2 === 1) {
      open = whole.slice(0, -1);
      continue;
    }
    lines.push(whole);
    open = undefined;
  }
  if (open !== undefined && open !== "") lines.push(open);
  return lines;
}

function findKeyEnd(line: string): number {
  for (let index = 0; index < line.length; index++) {
    if (line[index] === "\\") index++;
    else if (/[ \t\f=:]/.test(line[index] ?? "")) return index;
  }
  return line.length;
}

function unescape(text: string): string {
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|([^]))/g, (_, hex?: string, char?: string) =>
    hex === undefined
      ? (escapes[char ?? ""] ?? char ?? "")
      : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
