import { redaction, type IsSecret } from "../redact.ts";

type Span = readonly [start: number, end: number];

// A long line is looked at in pieces, of which most hold nothing; what follows a piece may be a value of its keys.
const pieceLength = 1_024;
const overlap = 256;
// Of what would take longer than this the rest of the line goes as a whole.
const mostLooks = 4_000;
const mostSigns = 10_000;
const mostWords = 500;

/** Where the values stand whose keys the rule finds, in their order. */
export function* secretValues(text: string, isSecret: IsSecret): Generator<Span> {
  const values = new Values(text, isSecret);
  for (let from = 0; from < text.length;) {
    let to = from + pieceLength;
    while (to < text.length && isOfWord(text.charCodeAt(to))) to += 1;
    const isOnly = from === 0 && to >= text.length;
    from =
      isOnly || holdsSecret(text.slice(from, to + overlap), isSecret)
        ? yield* values.between(from, to)
        : to;
  }
}

const holdsSecret = (text: string, isSecret: IsSecret): boolean =>
  isSecret(text) || /authorization/i.test(text);

class Values {
  readonly #text: string;
  readonly #isSecret: IsSecret;
  /** All before it is no value of a key that stands here. */
  #done = 0;
  /** No value before it holds a secret itself. */
  #tested = 0;
  #looks = 0;
  /** The value without quotes that was looked at last: what stands in it has the same end. */
  #token: Span = [0, 0];

  constructor(text: string, isSecret: IsSecret) {
    this.#text = text;
    this.#isSecret = isSecret;
  }

  /** Of the keys that begin in there; gives the place to go on from. */
  *between(from: number, to: number): Generator<Span, number> {
    const text = this.#text;
    const stop = Math.min(to, text.length);
    let at = from;
    while (at < stop) {
      if (!isOfWord(text.charCodeAt(at))) {
        at += 1;
        continue;
      }
      const start = at;
      while (at < text.length && isOfWord(text.charCodeAt(at))) at += 1;
      let end = at;
      while (end > start && isDashOrDot(text.charCodeAt(end - 1))) end -= 1;
      if (end === start || !this.#mayBeKey(start, end)) continue;
      this.#looks += 1;
      if (this.#looks > mostLooks) {
        yield [Math.max(start, this.#done), text.length];
        return text.length;
      }
      const value = this.#valueOf(start, end);
      if (value === undefined) continue;
      yield value.span;
      this.#done = value.span[1];
      // What stands in an unquoted value may be a key of what comes after it.
      at = value.isWhole ? value.span[1] : Math.max(at, value.span[0]);
    }
    return Math.max(at, to);
  }

  /** Most words stand among others. */
  #mayBeKey(start: number, end: number): boolean {
    const text = this.#text;
    const next = text.charCodeAt(end);
    if (next !== blankCode) return next === tabCode || keyEnds.includes(text.charAt(end));
    let at = end + 1;
    while (text.charCodeAt(at) === blankCode) at += 1;
    return (
      keyEnds.includes(text.charAt(at)) ||
      text.charCodeAt(start) === dashCode ||
      text.slice(start, end).includes(".")
    );
  }

  #valueOf(start: number, end: number): Value | undefined {
    const text = this.#text;
    const joint = this.#jointOf(start, end);
    if (joint === undefined || joint.end < this.#done || joint.end >= text.length) return undefined;
    const key = text.slice(start, end);
    const isSecretKey = this.#isSecret(key) || headerKey.test(key);
    if (!isSecretKey && !(joint.isPair && key.startsWith("spark."))) return undefined;
    if (isPlace(key, text, joint.end)) return undefined;
    const value = isSecretKey ? this.#spanOf(start, key, joint) : this.#tokenOf(joint.end);
    return value && value.span[0] < value.span[1] ? value : undefined;
  }

  // Spark's rule goes for the values of its own keys, too.
  #tokenOf(from: number): Value | undefined {
    const text = this.#text;
    const quote = matchAt(quotes, text, from)?.[0] ?? "";
    const at = from + quote.length;
    const end = quote === "" ? this.#tokenEnd(at) : closing(text, at, quote);
    if (end <= this.#tested || isMasked(text, at)) return undefined;
    this.#tested = end;
    const isSecret = this.#isSecret(text.slice(at, end));
    return isSecret ? { span: [at, end], isWhole: quote !== "" } : undefined;
  }

  #tokenEnd(at: number): number {
    const [from, to] = this.#token;
    if (at < from || at >= to) this.#token = [at, tokenEnd(this.#text, at)];
    return this.#token[1];
  }

  /** What stands between a key and its value; undefined: the word is none. */
  #jointOf(start: number, end: number): Joint | undefined {
    const text = this.#text;
    const sign = matchAt(signs, text, end);
    if (sign) {
      const [all, quote, mark = ""] = sign;
      const isLoose = all.length > mark.length && /\s$/.test(all);
      const isQuoted = quote !== undefined;
      return { end: end + all.length, isPair: true, isQuoted, isLoose, isColon: mark === ":" };
    }
    const word = { isPair: false, isQuoted: true, isLoose: true, isColon: false };
    const named = matchAt(nameAndValue, text, end);
    if (named) return { ...word, end: end + named[0].length };
    const element = this.#elementOf(start, end);
    if (element) return { ...word, ...element };
    const isOption = text.startsWith("-", start);
    const blank = matchAt(isOption ? optionEnd : blanks, text, end);
    if (blank) {
      const value = end + blank[0].length;
      if (!isOption && this.#isRow(start, value, blank[0])) return { ...word, end: value };
      if (isOption) return text.startsWith("--", value) ? undefined : { ...word, end: value };
      const isKey = isConfKey(text, start, end) && !matchAt(noConfValue, text, value);
      return isKey ? { ...word, end: value } : undefined;
    }
    const quotes = quoteBefore(text, start);
    const bracket = text[start - quotes.length - 1];
    if (bracket !== "(" && bracket !== "[") return undefined;
    const comma = matchAt(quotes === "" ? tupleComma : quotedTupleComma, text, end);
    return comma ? { ...word, end: end + comma[0].length, isPair: true, closing: ")" } : undefined;
  }

  /** `<key>value</key>`, `<name>key</name><value>value</value>`, and a key of a conf in a table: `|key|value|`. */
  #elementOf(start: number, end: number): Pick<Joint, "end" | "closing"> | undefined {
    const text = this.#text;
    if (text[end] === "<") {
      const named = matchAt(nameElement, text, end);
      return named ? { end: end + named[0].length, closing: "<" } : undefined;
    }
    if (text[end] === ">" && text[start - 1] === "<") {
      const next = text.indexOf("<", end);
      // Else it stands for something: `login <user> <password>`.
      return text[next + 1] === "/" ? { end: end + 1, closing: "<" } : undefined;
    }
    if (!isConfKey(text, start, end) || text[this.#beforeBlanks(start)] !== "|") return undefined;
    const cell = matchAt(cellEnd, text, end);
    return cell ? { end: end + cell[0].length, closing: "|" } : undefined;
  }

  /** A line of two columns: the names of columns are mostly more, and no values. */
  #isRow(start: number, value: number, blank: string): boolean {
    return (
      blank === "\t" && this.#beforeBlanks(start) < 0 && this.#text.indexOf("\t", value) === -1
    );
  }

  #beforeBlanks(start: number): number {
    let before = start - 1;
    while (before >= 0 && /\s/.test(this.#text.charAt(before))) before -= 1;
    return before;
  }

  #spanOf(start: number, key: string, joint: Joint): Value | undefined {
    const text = this.#text;
    const isHeader = headerKey.test(key);
    let at = joint.end;
    const quote = matchAt(quotes, text, at)?.[0];
    if (quote !== undefined) {
      at += quote.length;
      const end = closing(text, at, quote);
      // A key in quotes is no value.
      if (matchAt(signs, text, end) && joint.isLoose) return undefined;
      if (isHeader) at = afterScheme(text, at, end);
      return isMasked(text, at) ? undefined : { span: [at, end], isWhole: true };
    }
    const around = joint.isQuoted ? "" : quoteBefore(text, start);
    if (isHeader) {
      const limit = around === "" ? text.length : closing(text, at, around);
      at = afterScheme(text, at, limit);
      if (isMasked(text, at)) return undefined;
      const isWhole = around !== "" || matchAt(parameters, text, at) !== null;
      return { span: [at, isWhole ? limit : tokenEnd(text, at)], isWhole };
    }
    if (isMasked(text, at)) return undefined;
    const bracket = text.charAt(at);
    const close = brackets.get(bracket);
    if (close !== undefined) {
      if (isMasked(text, at + 1)) return undefined;
      return { span: [at + 1, closingBracket(text, at, bracket, close)], isWhole: true };
    }
    if (this.#isKeyItself(at, joint)) return undefined;
    if (around !== "") return { span: [at, closing(text, at, around)], isWhole: true };
    if (joint.closing !== undefined) {
      const end = text.indexOf(joint.closing, at);
      return { span: [at, end === -1 ? text.length : end], isWhole: true };
    }
    const end = this.#isClause(start, key, joint) ? clauseEnd(text, at) : tokenEnd(text, at);
    return { span: [at, end], isWhole: false };
  }

  /** `TokenManager: password: …`: the inner key tells what is to be hidden. */
  #isKeyItself(at: number, outer: Joint): boolean {
    const text = this.#text;
    let end = at;
    while (end < text.length && isOfWord(text.charCodeAt(end))) end += 1;
    while (end > at && isDashOrDot(text.charCodeAt(end - 1))) end -= 1;
    if (end === at) return false;
    const joint = this.#jointOf(at, end);
    if (joint === undefined || !(outer.isLoose || joint.isLoose)) return false;
    if (joint.end >= text.length || /[,;)}\]]/.test(text.charAt(joint.end))) return false;
    const key = text.slice(at, end);
    return this.#isSecret(key) || headerKey.test(key);
  }

  /**
   * Whether the value goes on after a blank: after a key that begins something. In a sentence, or after the name of
   * a class, it is a message that follows, of which only the first word may be a secret.
   */
  #isClause(start: number, key: string, { isColon, isLoose }: Joint): boolean {
    const text = this.#text;
    const before = this.#beforeBlanks(start);
    const isKey = isConfKey(text, start, start + key.length);
    if (before < 0 && isKey) return true;
    if (!isColon || !isLoose) return false;
    return !/[a-z/]/.test(text.charAt(before)) && !/(?:^|[.$])[A-Z][a-z][^.$]*$/.test(key);
  }
}

interface Value {
  readonly span: Span;
  /** Nothing in it is a key of what comes after it. */
  readonly isWhole: boolean;
}

interface Joint {
  /** Where the value begins. */
  readonly end: number;
  /** Written as a pair, not as two words. */
  readonly isPair: boolean;
  /** The key's quotes are closed, or it has none. */
  readonly isQuoted: boolean;
  /** With a blank. */
  readonly isLoose: boolean;
  readonly isColon: boolean;
  /** What ends the value. */
  readonly closing?: string;
}

const headerKey = /authorization$/i;
const signs =
  /(?:\[\w{0,20}\])?(\\{0,15}["']|%22)?\]?\s*(?:%20){0,9}(={1,3}>?|:=?|->|%3[ADad])\s*(?:%20){0,9}(?:%22)?/y;
const nameElement = /<\/name>\s*<value>/y;
const cellEnd = /\s*\|\s*/y;
const nameAndValue =
  /(?:\\{0,15}["']?\s*,|\\{0,15}["']\s)\s*\\{0,15}["']?value\\{0,15}["']?\s*[:=]\s*/iy;
const optionEnd = /(?:\\{0,15}["'])?(?:\s*,\s*|\s+)/y;
const blanks = /\s+/y;
// As Spark prints a pair, and as Python does.
const tupleComma = /,(?!\s)/y;
const quotedTupleComma = /\\{0,15}["'],\s*(?=(\\{0,15}["'])[^"']*\1[)\]])/y;
const quotes = /"{3}|'{3}|\\{0,15}["']/y;
const scheme = /[\w-]+\s+/y;
/** As in `Digest username="…", …`. */
const parameters = /[\w-]+=["\w]/y;
// What is said of a key in a sentence.
const noConfValue =
  /[([{|]|[-=:,;.]+(?:\s|$)|(?:is|was|are|has|had|must|should|can|cannot|could|may|will|would|does|did|not|to|in|on|at|by|of|and|or|for|from|as|with|when|if|but|because|instead)\b/y;
const brackets: ReadonlyMap<string, string> = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
]);

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

const isMasked = (text: string, at: number): boolean => text.startsWith(redaction, at);

/** `Token.java:12` says where something stands. */
const isPlace = (key: string, text: string, value: number): boolean =>
  /\.(?:java|scala|kt|py|jar)$/.test(key) && /[\d?]/.test(text.charAt(value));

/** Dotted, and neither a class nor a file. */
function isConfKey(text: string, start: number, end: number): boolean {
  const key = text.slice(start, end);
  return (
    key.includes(".") &&
    text[start - 1] !== "/" &&
    !/^[^a-z]|\.[A-Z][a-z]|\.(?:json|ya?ml|xml|properties|conf|txt|log|sh|py|java|scala|jar|\d+)$/.test(
      key,
    )
  );
}

/** The quote that stands right before a word and opens, with its backslashes. */
function quoteBefore(text: string, start: number): string {
  const quote = text[start - 1];
  if (quote !== '"' && quote !== "'") return "";
  let from = start - 1;
  while (text[from - 1] === "\\") from -= 1;
  return from > 0 && isOfWord(text.charCodeAt(from - 1)) ? "" : text.slice(from, start);
}

/**
 * The end of what a quote opens. In JSON that stands as a text in other JSON each quote has backslashes, one more
 * inside each: fewer end the text around as well.
 */
function closing(text: string, from: number, opening: string): number {
  if (opening.length === 3 && !opening.startsWith("\\")) {
    const end = text.indexOf(opening, from);
    return end === -1 ? text.length : end;
  }
  const quote = opening.slice(-1);
  const escapes = opening.length - 1;
  for (let at = text.indexOf(quote, from); at !== -1; at = text.indexOf(quote, at + 1)) {
    let start = at;
    while (start > from && text[start - 1] === "\\") start -= 1;
    const count = at - start;
    if (count < escapes) return start;
    if (count % (2 * (escapes + 1)) === escapes) return at - escapes;
  }
  return text.length;
}

function closingBracket(text: string, from: number, open: string, close: string): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char === open) depth += 1;
    else if (char === close && --depth === 0) return at;
  }
  return text.length;
}

function afterScheme(text: string, at: number, end: number): number {
  const after = at + (matchAt(scheme, text, at)?.[0].length ?? 0);
  return after < end ? after : at;
}

/** Signs that end a value without quotes, if something else begins after them. */
const tokenStop =
  /\s|\\*["'](?=[\s,;:)}\]\\]|$)|[)}\]](?!\w)|[,;](?=\s|$|["'\\{[(]|[\w.$-]{1,80}["']?\s?[:=])|&(?=[\w.$%-]{1,80}=)/y;
const backslashes = /\\+/y;
const pastPlain = /[^\s\\"')}\],;&]*/y;
const pairAhead = /[\w.$-]{1,200}\\{0,15}["']?(?:\s*=|:|\s*->)/y;

function tokenEnd(text: string, from: number): number {
  let at = from;
  for (let signs = 0; signs < mostSigns; signs += 1) {
    at += matchAt(pastPlain, text, at)?.[0].length ?? 0;
    if (at >= text.length || matchAt(tokenStop, text, at)) return at;
    at += matchAt(backslashes, text, at)?.[0].length ?? 1;
  }
  return text.length;
}

/** The same, over blanks until another pair begins. */
function clauseEnd(text: string, from: number): number {
  let end = tokenEnd(text, from);
  for (let words = 0; words < mostWords; words += 1) {
    const blank = matchAt(blanks, text, end)?.[0].length;
    if (blank === undefined) return end;
    const next = end + blank;
    if (next === text.length || matchAt(pairAhead, text, next)) return end;
    const after = tokenEnd(text, next);
    if (after === next) return end;
    end = after;
  }
  return text.length;
}

const [tabCode, blankCode, dashCode, dotCode] = [0x09, 0x20, 0x2d, 0x2e];
/** What may come next after a key. */
const keyEnds = "=:,-\\\"'[]<>|%";

const isDashOrDot = (code: number): boolean => code === dashCode || code === dotCode;

const wordCodes: readonly boolean[] = Array.from({ length: 128 }, (_, code) =>
  /[\w.$-]/.test(String.fromCharCode(code)),
);
const isOfWord = (code: number): boolean => wordCodes[code] === true;
