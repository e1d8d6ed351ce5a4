import { Document, Scalar, visit, type Tags } from "yaml";

/**
 * Formats a value as YAML that parsers of YAML 1.1 and 1.2 read in the same way. Long strings stay on one line.
 * `comments`: lines above the value, without their `#`.
 */
export function printYaml(value: unknown, comments: readonly string[] = []): string {
  const document = new Document(value, {
    schema: "yaml-1.1",
    customTags: withoutMerge,
    aliasDuplicateObjects: false,
  });
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === "string" && needsQuotes(node.value))
        node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  const text = document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Infinity });
  const header = comments.map((comment) => `# ${onOneLine(comment)}\n`).join("");
  // `needsQuotes` put these characters into double quotes, where an escape is valid.
  return header + text.replace(unprintable, escape);
}

/** Formats the values as one YAML text with several documents. */
export const printYamlDocuments = (values: readonly unknown[]): string =>
  values.map((value) => printYaml(value)).join("---\n");

// With the merge tag, the string `<<` would be printed without quotes.
const withoutMerge = (tags: Tags): Tags =>
  tags.filter((tag) => typeof tag === "string" || tag.tag !== "tag:yaml.org,2002:merge");

// YAML parsers disagree about numbers, line ends and tabs in plain scalars.
const needsQuotes = (text: string): boolean =>
  /^[-+.0-9~=<]|[\t\r]|^\s|[ \n]\n$/.test(text) || text.search(unprintable) >= 0;

const unprintable =
  /[^\t\n\r\u0020-\u007e\u00a0-\u2027\u202a-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]|[\ufe00-\ufe0f]/gu;

function escape(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  return `\\u${code.toString(16).padStart(4, "0")}`;
}

const onOneLine = (text: string): string =>
  text
    .split(/[\r\n]/)
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");
