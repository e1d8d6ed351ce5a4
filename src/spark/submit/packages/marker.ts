// Evaluates environment markers (PEP 508), such as `python_version < "3.9" and sys_platform == "linux"`.
import { satisfies, valid } from "@renovatebot/pep440";

/** The values of the marker variables in an interpreter. */
export type MarkerEnvironment = Readonly<Record<string, string>>;

const maxLength = 4_000;
const token = /\s*(?:([()])|("[^"]*"|'[^']*')|(<=|>=|===|==|!=|~=|<|>)|([A-Za-z_.]+))/y;
const maxDepth = 50;

/**
 * True if a requirement with this marker applies. `extras`: the requested extras, which `extra == "name"` matches. Also
 * true for an invalid marker, because an unneeded package does less harm than a missing one.
 */
export function appliesIn(
  marker: string | undefined,
  environment: MarkerEnvironment,
  extras: readonly string[] = [],
): boolean {
  if (marker === undefined || marker === "") return true;
  const tokens = tokensOf(marker);
  if (tokens === undefined) return true;
  const value = new MarkerReader(tokens, environment, extras).read();
  return value ?? true;
}

function tokensOf(marker: string): readonly string[] | undefined {
  const text = marker.trim();
  if (text.length > maxLength) return undefined;
  const tokens: string[] = [];
  let at = 0;
  while (at < text.length) {
    token.lastIndex = at;
    const match = token.exec(text);
    if (match === null) return undefined;
    tokens.push(match[0].trim());
    at = token.lastIndex;
  }
  return tokens;
}

interface Operand {
  readonly text: string;
  readonly variable: string | undefined;
}

class MarkerReader {
  readonly #tokens: readonly string[];
  readonly #environment: MarkerEnvironment;
  readonly #extras: readonly string[];
  #at = 0;

  constructor(
    tokens: readonly string[],
    environment: MarkerEnvironment,
    extras: readonly string[],
  ) {
    this.#tokens = tokens;
    this.#environment = environment;
    this.#extras = extras;
  }

  /** Evaluates the marker. Undefined if it is invalid. */
  read(): boolean | undefined {
    const value = this.#either(0);
    return this.#at === this.#tokens.length ? value : undefined;
  }

  #either(depth: number): boolean | undefined {
    let value = this.#both(depth);
    while (value !== undefined && this.#take("or")) {
      const next = this.#both(depth);
      value = next === undefined ? undefined : value || next;
    }
    return value;
  }

  #both(depth: number): boolean | undefined {
    let value = this.#one(depth);
    while (value !== undefined && this.#take("and")) {
      const next = this.#one(depth);
      value = next === undefined ? undefined : value && next;
    }
    return value;
  }

  #one(depth: number): boolean | undefined {
    if (this.#take("(")) {
      const value = depth < maxDepth ? this.#either(depth + 1) : undefined;
      return this.#take(")") ? value : undefined;
    }
    const left = this.#operand();
    const operator = this.#take("not") ? (this.#take("in") ? "not in" : undefined) : this.#next();
    const right = this.#operand();
    return left === undefined || right === undefined || operator === undefined
      ? undefined
      : this.#compare(left, operator, right);
  }

  #operand(): Operand | undefined {
    const next = this.#next();
    if (next === undefined) return undefined;
    if (/^["']/.test(next)) return { text: next.slice(1, -1), variable: undefined };
    if (next === "extra") return { text: "", variable: "extra" };
    const text = this.#environment[next];
    return text === undefined ? undefined : { text, variable: next };
  }

  #compare(left: Operand, operator: string, right: Operand): boolean | undefined {
    if (left.variable === "extra" || right.variable === "extra") {
      const name = (left.variable === "extra" ? right : left).text;
      const has = this.#extras.includes(name.toLowerCase().replace(/[-_.]+/g, "-"));
      return operator === "==" ? has : operator === "!=" ? !has : undefined;
    }
    if (operator === "in") return right.text.includes(left.text);
    if (operator === "not in") return !right.text.includes(left.text);
    return compareTexts(left.text, operator, right.text);
  }

  #next(): string | undefined {
    return this.#tokens[this.#at++];
  }

  #take(word: string): boolean {
    if (this.#tokens[this.#at] !== word) return false;
    this.#at += 1;
    return true;
  }
}

/** Compares by PEP 440 if both sides are versions, otherwise as strings. */
function compareTexts(left: string, operator: string, right: string): boolean | undefined {
  const isWildcard = (operator === "==" || operator === "!=") && right.endsWith(".*");
  if (valid(left) !== null && (isWildcard || valid(right) !== null)) {
    return satisfies(left, `${operator}${right}`, { prereleases: true });
  }
  switch (operator) {
    case "==":
    case "===":
      return left === right;
    case "!=":
      return left !== right;
    case "<":
      return left < right;
    case "<=":
      return left <= right;
    case ">":
      return left > right;
    case ">=":
      return left >= right;
    default:
      return undefined;
  }
}
