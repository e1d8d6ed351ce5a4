// Reads the small and regular XML of S3's answers and of Hadoop's configuration files, no other.

/** The texts of all elements of a name, in their order; elements within them stay as they are. */
export function elementsOf(xml: string, name: string): readonly string[] {
  const bare = withoutComments(xml);
  const opening = new RegExp(`<${name}(?:\\s[^<>]*)?>`, "g");
  const closing = `</${name}>`;
  const found: string[] = [];
  while (opening.test(bare)) {
    const end = bare.indexOf(closing, opening.lastIndex);
    if (end < 0) break;
    found.push(bare.slice(opening.lastIndex, end));
    opening.lastIndex = end + closing.length;
  }
  return found;
}

const withoutComments = (xml: string): string =>
  xml
    .split("<!--")
    .map((piece, index) => {
      if (index === 0) return piece;
      const end = piece.indexOf("-->");
      return end < 0 ? "" : piece.slice(end + "-->".length);
    })
    .join("");

/** The text of the first element of a name. */
export function textOf(xml: string, name: string): string | undefined {
  const content = elementsOf(xml, name)[0];
  return content === undefined ? undefined : unescape(content);
}

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

function unescape(content: string): string {
  const [, literal] = /^\s*<!\[CDATA\[([\s\S]*?)\]\]>\s*$/.exec(content) ?? [];
  if (literal !== undefined) return literal;
  return content.replace(
    /&(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|(\w{1,8}));/g,
    (whole, hex: string | undefined, decimal: string | undefined, name: string | undefined) => {
      if (name !== undefined) return entities[name] ?? whole;
      const code = hex === undefined ? Number(decimal) : parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
