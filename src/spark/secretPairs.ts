import { redaction, type IsSecret } from "./redact.ts";
import type { SecretSpan } from "./secretForms.ts";
import { isPlainValue, mayMeanSecret, meansSecret } from "./secretNames.ts";

// Long lines are checked in pieces, so that pieces without a secret name skip the slow scan. The check also covers the
// next 256 characters, because a pair may cross the end of its piece.
const pieceLength = 1_024;
const overlap = 256;
// Above these limits, everything up to the end of the text is redacted.
const maxLooks = 4_000;
const maxSigns = 10_000;
const maxWords = 500;

/** Yields the spans of values whose key has a secret name, in text order. */
export function* secretPairs(text: string, isSecret: IsSecret): Generator<SecretSpan> {
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
  isSecret(text) || mayMeanSecret(text) || otherNames.test(text);

const otherNames = /authorization|sig=|signature=|secret=|token=|auth\\{0,15}["':]/i;

class Values {
  readonly #text: string;
  readonly #isSecret: IsSecret;
  /** The end of the last yielded value. Values that begin before it are skipped. */
  #done = 0;
  /** Values that end at or before this offset were already checked against the redaction rule. */
  #tested = 0;
  #looks = 0;
  /** The span of the last unquoted value. Values inside it end at the same offset. */
  #token: SecretSpan = [0, 0];

  constructor(text: string, isSecret: IsSecret) {
    this.#text = text;
    this.#isSecret = isSecret;
  }

  /**
   * Yields the secret values of keys that begin between the offsets. Returns the offset at which the next piece begins.
   */
  *between(from: number, to: number): Generator<SecretSpan, number> {
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
      if (this.#looks > maxLooks) {
        yield [Math.max(start, this.#done), text.length];
        return text.length;
      }
      const value = this.#valueOf(start, end);
      if (value === undefined) continue;
      yield value.span;
      this.#done = value.span[1];
      // A word in an unquoted value may be the key of the following text.
      at = value.isWhole ? value.span[1] : Math.max(at, value.span[0]);
    }
    return Math.max(at, to);
  }

  /**
   * Excludes most words at low cost. A separator must follow a key. If the key begins with a dash or contains a dot, a
   * space is enough.
   */
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
    const isKey = this.#isKey(start, key, joint);
    if (!isKey && !(joint.isPair && key.startsWith("spark."))) return undefined;
    if (isPlace(key, text, joint.end)) return undefined;
    const value = isKey ? this.#spanOf(start, key, joint) : this.#tokenOf(joint.end);
    if (value === undefined || value.span[0] >= value.span[1]) return undefined;
    return isKey && this.#isPlain(key, value) ? undefined : value;
  }

  #isKey(start: number, key: string, joint: Joint): boolean {
    if (this.#isSecret(key) || headerKey.test(key)) return true;
    // "PASS: test" is a test result.
    if (meansSecret(key)) return !(key === "PASS" && joint.isColon && joint.isLoose);
    const text = this.#text;
    const isParameter = /[?&;]/.test(text.charAt(start - 1)) && joint.isPair && !joint.isColon;
    if (isParameter) return parameterKey.test(key);
    if (signatureKey.test(key)) return matchAt(signature, text, joint.end) !== null;
    return /^_?auth$/.test(key) && matchAt(registryAuth, text, joint.end) !== null;
  }

  #isPlain(key: string, { span: [start, end] }: Value): boolean {
    return !this.#isSecret(key) && isPlainValue(key, this.#text.slice(start, end));
  }

  // Returns the value of a `spark.` key if the value itself is secret, because Spark's redaction rule applies to keys
  // and values.
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

  /** Returns the separator between a key and its value; undefined if the word is not a key. */
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

  /**
   * Returns the separator in the forms `<key>value</key>` and `<name>key</name><value>value</value>`. Recognizes conf
   * keys in table rows, too: `|key|value|`.
   */
  #elementOf(start: number, end: number): Pick<Joint, "end" | "closing"> | undefined {
    const text = this.#text;
    if (text[end] === "<") {
      const named = matchAt(nameElement, text, end);
      return named ? { end: end + named[0].length, closing: "<" } : undefined;
    }
    if (text[end] === ">" && text[start - 1] === "<") {
      const next = text.indexOf("<", end);
      // Without a closing tag, this is a placeholder: `login <user> <password>`.
      return text[next + 1] === "/" ? { end: end + 1, closing: "<" } : undefined;
    }
    if (!isConfKey(text, start, end) || text[this.#beforeBlanks(start)] !== "|") return undefined;
    const cell = matchAt(cellEnd, text, end);
    return cell ? { end: end + cell[0].length, closing: "|" } : undefined;
  }

  /** True if key and value are the only two columns of a tab-separated line. Table headings have more columns. */
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
      // Quoted text before a separator is a key, not a value.
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

  /** True if the value is itself a key. In `TokenManager: password: …`, only the inner key counts. */
  #isKeyItself(at: number, outer: Joint): boolean {
    const text = this.#text;
    let end = at;
    while (end < text.length && isOfWord(text.charCodeAt(end))) end += 1;
    while (end > at && isDashOrDot(text.charCodeAt(end - 1))) end -= 1;
    if (end === at) return false;
    const joint = this.#jointOf(at, end);
    if (joint === undefined || !(outer.isLoose || joint.isLoose)) return false;
    if (joint.end >= text.length || /[,;)}\]]/.test(text.charAt(joint.end))) return false;
    return this.#isKey(at, text.slice(at, end), joint);
  }

  /**
   * True if the value may contain spaces, as it may after a key at the beginning of a line. After a key within a
   * sentence, or after a class name, a message follows. Only its first word can be secret.
   */
  #isClause(start: number, key: string, { isColon, isLoose }: Joint): boolean {
    const text = this.#text;
    const before = this.#beforeBlanks(start);
    const isKey = isConfKey(text, start, start + key.length);
    if (before < 0 && isKey) return true;
    if (!isColon || !isLoose) return false;
    const lastName = key.slice(Math.max(key.lastIndexOf("."), key.lastIndexOf("$")) + 1);
    return !/[a-z/]/.test(text.charAt(before)) && !/^[A-Z][a-z]/.test(lastName);
  }
}

interface Value {
  readonly span: SecretSpan;
  /** True if the scan may continue after the value. False if a word in the value may itself be a key. */
  readonly isWhole: boolean;
}

interface Joint {
  /** The offset where the value begins. */
  readonly end: number;
  /** True for a pair such as `key=value` or a tuple. False for other forms, such as `--key value`. */
  readonly isPair: boolean;
  /** False if a quote directly before the key also encloses the value: `"key=value"`. */
  readonly isQuoted: boolean;
  /** True if a space separates key and value. */
  readonly isLoose: boolean;
  readonly isColon: boolean;
  /** The text that ends the value. */
  readonly closing?: string;
}

const headerKey = /authorization$/i;
/** Names of secret parameters in URLs and connection strings: `?sig=…&token=…`, `;password=…`. */
const parameterKey = /^sig$|signature$|secret|passw|token|credential/i;
const signatureKey = /^(?:sig|(?:x-[a-z]{1,8}-)?signature)$/i;
/** Outside URL parameters, only a value of at least 16 characters is a signature; a shorter one is usually a number. */
const signature = /["']?[\w%+/=-]{16}/y;
/** Registry credentials: base64 of name and password. */
const registryAuth =
  /\\{0,15}["']?(?=[a-z+/]{0,512}[A-Z0-9=])(?:[A-Za-z0-9+/]{4}){2,512}={0,2}(?![\w+/=])/y;
const signs =
  /(?:\[\w{0,20}\])?(\\{0,15}["']|%22)?\]?\s*(?:%20){0,9}(={1,3}>?|:=?|->|%3[ADad])\s*(?:%20){0,9}(?:%22)?/y;
const nameElement = /<\/name>\s*<value>/y;
const cellEnd = /\s*\|\s*/y;
const nameAndValue =
  /(?:\\{0,15}["']?\s*,|\\{0,15}["']\s)\s*\\{0,15}["']?value\\{0,15}["']?\s*[:=]\s*/iy;
const optionEnd = /(?:\\{0,15}["'])?(?:\s*,\s*|\s+)/y;
const blanks = /\s+/y;
// Tuples as printed by Spark and by Python.
const tupleComma = /,(?!\s)/y;
const quotedTupleComma = /\\{0,15}["'],\s*(?=(\\{0,15}["'])[^"']*\1[)\]])/y;
const quotes = /"{3}|'{3}|\\{0,15}["']/y;
const scheme = /[\w-]+\s+/y;
/** Parameters of an authentication header, as in `Digest username="…", …`. */
const parameters = /[\w-]+=["\w]/y;
// Words and punctuation that continue a sentence. If one of them follows a word, that word is not a conf key.
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

/** True for a source location such as `Token.java:12`. */
const isPlace = (key: string, text: string, value: number): boolean =>
  /\.(?:java|scala|kt|py|jar)$/.test(key) && /[\d?]/.test(text.charAt(value));

/** True for a dotted name that is neither a class nor a file. */
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

/** Returns the opening quote directly before a word, with its backslashes. */
function quoteBefore(text: string, start: number): string {
  const quote = text[start - 1];
  if (quote !== '"' && quote !== "'") return "";
  let from = start - 1;
  while (text[from - 1] === "\\") from -= 1;
  return from > 0 && isOfWord(text.charCodeAt(from - 1)) ? "" : text.slice(from, start);
}

/**
 * Returns the end of quoted text. In nested JSON strings, the quotes of each level have more backslashes than those of
 * the level outside it: 0, 1, 3, 7. A quote with fewer backslashes ends a surrounding string, and thus this one, too.
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

/** Matches the end of an unquoted value. A quote, bracket or comma ends it only if certain characters follow. */
const tokenStop =
  /\s|\\*["'](?=[\s,;:)}\]\\]|$)|[)}\]](?!\w)|[,;](?=\s|$|["'\\{[(]|[\w.$-]{1,80}["']?\s?[:=])|&(?=[\w.$%-]{1,80}=)/y;
/** References to variables, such as `${env:PASSWORD}` and `$(PASSWORD)`. Their brackets do not end a value. */
const variable = /\$\{[^{}\s"']{0,200}\}|\$\(\w{1,100}\)/y;
const backslashes = /\\+/y;
const pastPlain = /[^\s\\"')}\],;&]*/y;
const pairAhead = /[\w.$-]{1,200}\\{0,15}["']?(?:\s*=|:|\s*->)/y;

function tokenEnd(text: string, from: number): number {
  let at = from + (matchAt(variable, text, from)?.[0].length ?? 0);
  for (let signs = 0; signs < maxSigns; signs += 1) {
    at += matchAt(pastPlain, text, at)?.[0].length ?? 0;
    if (at >= text.length || matchAt(tokenStop, text, at)) return at;
    at += matchAt(backslashes, text, at)?.[0].length ?? 1;
  }
  return text.length;
}

/** Like `tokenEnd`, but continues across spaces up to the next key-value pair. */
function clauseEnd(text: string, from: number): number {
  let end = tokenEnd(text, from);
  for (let words = 0; words < maxWords; words += 1) {
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
/** Characters that may directly follow a key. */
const keyEnds = "=:,-\\\"'[]<>|%";

const isDashOrDot = (code: number): boolean => code === dashCode || code === dotCode;

const wordCodes: readonly boolean[] = Array.from({ length: 128 }, (_, code) =>
  /[\w.$-]/.test(String.fromCharCode(code)),
);
const isOfWord = (code: number): boolean => wordCodes[code] === true;
