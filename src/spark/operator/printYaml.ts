import { Document, Scalar, visit, type Tags } from "yaml";
import type { Json } from "../submit/manifest.ts";

/** YAML that every reader takes for the same value, those of YAML 1.1 among them. */
export function printYaml(value: Json): string {
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
  // Such characters stand in double quotes only, where an escape can stand for them.
  return text.replace(unprintable, escape);
}

/** Several documents in one text. */
export const printYamlDocuments = (values: readonly Json[]): string =>
  values.map(printYaml).join("---\n");

// This tag writes a text of its form without quotes.
const withoutMerge = (tags: Tags): Tags =>
  tags.filter((tag) => typeof tag === "string" || tag.tag !== "tag:yaml.org,2002:merge");

// Readers differ in which plain texts are numbers, in where lines end and in what a tab may stand for.
const needsQuotes = (text: string): boolean =>
  /^[-+.0-9~=<]|[\t\r]|^\s|[ \n]\n$/.test(text) || text.search(unprintable) >= 0;

const unprintable =
  /[^\t\n\r\u0020-\u007e\u00a0-\u2027\u202a-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]|[\ufe00-\ufe0f]/gu;

function escape(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  return `\\u${code.toString(16).padStart(4, "0")}`;
}
