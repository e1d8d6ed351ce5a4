import type { FuzzInput } from "./input.ts";
import { FuzzRandom } from "./random.ts";
import type { FuzzTarget } from "./target.ts";

/** Generates the input with this number, which depends only on the target, the seed and the number. */
export function inputOf(target: FuzzTarget, seed: number, number: number): FuzzInput {
  const random = new FuzzRandom(seed, number, ...Buffer.from(target.name));
  return random.oneIn(5) ? growing(target, random) : mutated(target, random);
}

const brackets: readonly (readonly [string, string])[] = [
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
  ['{"a":', "}"],
  ["<a>", "</a>"],
  ["$(", ")"],
  ["${", "}"],
  ["${x:-", "}"],
  ['"', '"'],
  ["- ", ""],
];

// Control characters, bidirectional marks, a lone surrogate, zero-width characters, a character that is longer in
// lower case, unusual line separators.
const hostile: readonly string[] = [
  ...Array.from(
    "\0\u0007\b\t\n\r\u001b\u007f\u0085\u009b\u00a0\u00ad\u0130\u0300\u200b\u200d\u2028\u2029\u202e\u2066\ufeff\uffff",
  ),
  ...Array.from("<>&'\"`\\$(){}[]|*?!#%^~;:,=@/"),
  "\ud800",
  "\udfff",
  "\u{1f4a5}",
  "\u{e0041}",
  "\r\n",
  "\u001b[31m",
  "\u001b]8;;http://x.test\u0007",
  "[a](command:x)",
  "$(alert)",
  "__proto__",
  "constructor",
  "toString",
  "1e999",
  "-0",
  "9007199254740993",
  "NaN",
  "\\u0000",
  "%00",
  "../../..",
];

const anyText = (target: FuzzTarget, random: FuzzRandom): string => {
  if (random.oneIn(3)) return random.pick(hostile);
  if (random.oneIn(3)) return String.fromCharCode(random.below(random.oneIn(3) ? 0x10000 : 0x80));
  return random.pick(target.words);
};

function fitting({ form, maxLength }: FuzzTarget, text: string): string {
  const cut = text.slice(0, maxLength);
  return form === "text" ? cut : Buffer.from(cut, "utf8").toString("latin1").slice(0, maxLength);
}

// Encodes inserted text as UTF-8 for byte targets, whose corpus already consists of bytes.
const asBytes = ({ form }: FuzzTarget, text: string): string =>
  form === "text" ? text : Buffer.from(text, "utf8").toString("latin1");

function growing(target: FuzzTarget, random: FuzzRandom): FuzzInput {
  const base = random.pick(target.corpus);
  const at = random.below(base.length + 1);
  const before = random.oneIn(3) ? "" : base.slice(random.oneIn(2) ? 0 : random.below(at), at);
  const after = random.oneIn(3) ? "" : base.slice(at, at + random.below(200));
  if (random.oneIn(3)) {
    const [piece, closing] = random.pick(brackets);
    const isOpen = random.oneIn(2);
    const middle = random.oneIn(2) ? asBytes(target, anyText(target, random)) : "";
    return { kind: "growth", before, piece, middle, closing: isOpen ? "" : closing, after };
  }
  const from = random.below(base.length);
  const pieces = random.oneIn(2)
    ? base.slice(from, from + 1 + random.below(30))
    : Array.from({ length: 1 + random.below(3) }, () => anyText(target, random)).join("");
  const piece = asBytes(target, pieces === "" ? " " : pieces);
  return { kind: "growth", before, piece, middle: "", closing: "", after };
}

function mutated(target: FuzzTarget, random: FuzzRandom): FuzzInput {
  let text = random.pick(target.corpus);
  if (random.oneIn(2)) text = mutatedJson(text, random) ?? text;
  const times = random.oneIn(4) ? 1 + random.below(20) : random.below(4);
  for (let time = 0; time < times; time += 1) text = changed(target, text, random);
  return {
    kind: "text",
    text: target.form === "text" ? fitting(target, text) : text.slice(0, target.maxLength),
  };
}

function changed(target: FuzzTarget, text: string, random: FuzzRandom): string {
  const at = random.below(text.length + 1);
  const length = 1 + random.below(random.oneIn(4) ? 200 : 8);
  const rest = text.slice(at + length);
  switch (random.below(9)) {
    case 0:
      return text.slice(0, at) + rest;
    case 1:
      return text.slice(0, at) + asBytes(target, anyText(target, random)) + text.slice(at);
    case 2:
      return text.slice(0, at) + asBytes(target, anyText(target, random)) + rest;
    case 3: {
      const code = text.charCodeAt(at) ^ (1 << random.below(target.form === "text" ? 16 : 8));
      return text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1);
    }
    case 4: {
      const other = random.pick(target.corpus);
      const from = random.below(other.length);
      return text.slice(0, at) + other.slice(from, from + length * 10) + text.slice(at);
    }
    case 5:
      return text.slice(0, at);
    case 6: {
      const piece = text.slice(at, at + length);
      const max = random.oneIn(20) ? target.maxLength : 4096;
      const times = random.below(Math.max(1, (max - text.length) / Math.max(1, piece.length)));
      return text.slice(0, at) + piece.repeat(times) + text.slice(at);
    }
    case 7: {
      const [open, close] = random.pick(brackets);
      const depth = random.below(random.oneIn(8) ? Math.min(target.maxLength / 8, 20_000) : 40);
      return text.slice(0, at) + open.repeat(depth) + close.repeat(depth) + text.slice(at);
    }
    default: {
      const to = random.below(text.length + 1);
      return text.slice(0, at) + text.slice(to, to + length) + rest;
    }
  }
}

const hostileValues: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e21,
  9007199254740993,
  "",
  "\u0000",
  "\u001b]0;x\u0007",
  "[a](command:x)",
  [],
  {},
  [[]],
  [null],
  { constructor: "x" },
  "2026-99-99T99:99:99Z",
  "99999999999999999999Gi",
];

/** Replaces one value in JSON text with a hostile value; returns undefined if the text is not JSON. */
function mutatedJson(text: string, random: FuzzRandom): string | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return JSON.stringify(replaced(value, random));
}

function replaced(value: unknown, random: FuzzRandom): unknown {
  if (random.oneIn(6) || typeof value !== "object" || value === null) {
    return random.pick(hostileValues);
  }
  if (Array.isArray(value)) {
    const at = random.below(value.length);
    const items: readonly unknown[] = value;
    if (random.oneIn(4)) return [...items, ...items, replaced(items[at], random)];
    return items.map((item, index) => (index === at ? replaced(item, random) : item));
  }
  const members = Object.entries(value);
  const at = random.below(members.length);
  if (random.oneIn(6)) members.push(["__proto__", random.pick(hostileValues)]);
  return Object.fromEntries(
    members.map(([key, member], index) => [key, index === at ? replaced(member, random) : member]),
  );
}
