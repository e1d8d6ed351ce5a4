// A minimal XML reader for S3 responses and Hadoop configuration files only.

/** Returns the raw contents of all elements with this name, in order. Nested elements stay as markup. */
export function elementsOf(xml: string, name: string): readonly string[] {
  const bare = withoutComments(xml);
  const attributes = /(?:\s[^<>]*)?>/y;
  const [opening, closing] = [`<${name}`, `</${name}>`];
  const found: string[] = [];
  for (let at = bare.indexOf(opening); at !== -1; at = bare.indexOf(opening, at)) {
    attributes.lastIndex = at + opening.length;
    if (!attributes.test(bare)) {
      at += opening.length;
      continue;
    }
    const start = attributes.lastIndex;
    const end = bare.indexOf(closing, start);
    if (end < 0) break;
    found.push(bare.slice(start, end));
    at = end + closing.length;
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

/** Returns the unescaped text of the first element with this name; undefined if there is none. */
export function xmlTextOf(xml: string, name: string): string | undefined {
  const content = elementsOf(xml, name)[0];
  return content === undefined ? undefined : unescape(content);
}

const entities: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

function unescape(content: string): string {
  const [, literal] = /^\s*<!\[CDATA\[([\s\S]*?)\]\]>\s*$/.exec(content) ?? [];
  if (literal !== undefined) return literal;
  return content.replace(
    /&(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|(\w{1,8}));/g,
    (whole, hex: string | undefined, decimal: string | undefined, name: string | undefined) => {
      if (name !== undefined) return entities.get(name) ?? whole;
      const code = hex === undefined ? Number(decimal) : parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
