// Determines the worst-case time of a regular expression in a backtracking engine, which tries all ways to match a text
// before it fails. Exact for the supported constructs, except that assertions are assumed to match everywhere.
import { RegExpParser, type AST } from "@eslint-community/regexpp";

/** The growth of the worst-case time with the length of the text. */
export type Growth = "linear" | "polynomial" | "exponential";

/**
 * Returns the growth for a match at a fixed position (`own`), and for a search that may start at each character of the
 * text (`search`). With the flag "y", both are equal.
 */
export function growthOf(source: string, flags: string): { own: Growth; search: Growth } {
  const { alternatives } = new RegExpParser({ ecmaVersion: 2024 }).parsePattern(
    source,
    0,
    source.length,
    { unicode: flags.includes("u"), unicodeSets: flags.includes("v") },
  );
  const own = new Ways(flags);
  own.take(alternatives);
  const search = new Ways(flags);
  search.take(alternatives);
  if (!flags.includes("y")) search.begin(alternatives, flags.includes("m"));
  return { own: own.growth(), search: search.growth() };
}

const isStart = (element: AST.Element | undefined): boolean =>
  element?.type === "Assertion" && element.kind === "start";

/** All of ASCII, and representatives of other kinds of characters that character classes distinguish. */
const alphabet = [
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  ...["\u0080", "\u00a0", "é", "\u0660", "\u2003", "\u2028", "一", "\ufeff"],
];

/** The positions with which a match of a subexpression can begin and end. */
interface Part {
  readonly first: readonly number[];
  readonly last: readonly number[];
  readonly isNullable: boolean;
}

const empty: Part = { first: [], last: [], isNullable: true };

// The Glushkov automaton of an expression. Its states are the positions of characters and classes in the expression.
class Ways {
  readonly #flags: string;
  readonly #sets: bigint[] = [];
  /** The successors of each position, with the number of paths that lead to each. */
  readonly #follow: Map<number, number>[] = [];
  #last: ReadonlySet<number> = new Set();
  #parts: readonly Part[] = [];
  #hasAssertion = false;
  #unlooked: (() => void)[] = [];

  constructor(flags: string) {
    this.#flags = flags.replaceAll(/[gyd]/g, "");
  }

  take(alternatives: readonly AST.Alternative[]): void {
    this.#parts = alternatives.map(({ elements }) => this.#sequence(elements));
    this.#last = new Set(this.#parts.flatMap(({ last }) => last));
    // Lookaheads and lookbehinds are checked separately.
    for (const look of this.#unlooked) look();
  }

  /**
   * Adds the text that a search skips before a match: any text. If the alternative begins with `^`, the skipped text
   * ends with a line end in multiline mode, and otherwise there is none.
   */
  begin(alternatives: readonly AST.Alternative[], hasLines: boolean): void {
    const before = this.#place(allCharacters);
    const lineEnd = this.#place(newline);
    this.#join([before], [before, lineEnd]);
    alternatives.forEach(({ elements: [element] }, index) => {
      const first = this.#parts[index]?.first ?? [];
      if (!isStart(element)) this.#join([before], first);
      else if (hasLines) this.#join([lineEnd], first);
    });
  }

  growth(): Growth {
    const places = this.#sets.map((_, place) => place);
    const loops = places.filter((place) => this.#reaches(place, place) && this.#mayFail(place));
    if (loops.some((place) => this.#isTwofold(place))) return "exponential";
    const isIn = (one: number, other: number): boolean =>
      one !== other && this.#reaches(one, other) && this.#goesBoth(one, other);
    return loops.some((one) => loops.some((other) => isIn(one, other))) ? "polynomial" : "linear";
  }

  // If the expression can end at a position, the match succeeds there and the engine does not backtrack.
  #mayFail(place: number): boolean {
    return this.#hasAssertion || !this.#last.has(place);
  }

  #either(alternatives: readonly AST.Alternative[]): Part {
    const parts = alternatives.map(({ elements }) => this.#sequence(elements));
    return {
      first: parts.flatMap(({ first }) => first),
      last: parts.flatMap(({ last }) => last),
      isNullable: parts.some(({ isNullable }) => isNullable),
    };
  }

  #sequence(elements: readonly AST.Element[]): Part {
    let all = empty;
    for (const element of elements) all = this.#then(all, this.#part(element));
    return all;
  }

  #then(one: Part, next: Part): Part {
    this.#join(one.last, next.first);
    return {
      first: one.isNullable ? [...one.first, ...next.first] : one.first,
      last: next.isNullable ? [...one.last, ...next.last] : next.last,
      isNullable: one.isNullable && next.isNullable,
    };
  }

  #part(element: AST.Element): Part {
    switch (element.type) {
      case "Assertion":
        // `^` fails before any character is read, so it causes no backtracking.
        if (element.kind !== "start") this.#hasAssertion = true;
        if (element.kind === "lookahead" || element.kind === "lookbehind") {
          const { alternatives } = element;
          this.#unlooked.push(() => this.#either(alternatives));
        }
        return empty;
      case "Group":
      case "CapturingGroup":
        return this.#either(element.alternatives);
      case "Quantifier":
        return this.#repeated(element);
      case "Backreference":
        return this.#single(allCharacters);
      case "Character":
      case "CharacterClass":
      case "CharacterSet":
      case "ExpressionCharacterClass":
        return this.#single(this.#setOf(element.raw));
    }
  }

  // A bounded number of repetitions changes the time only by a constant factor, so two repetitions represent any
  // number.
  #repeated({ element, min, max }: AST.Quantifier): Part {
    let all = empty;
    const times = max === Infinity ? Math.max(1, Math.min(min, 2)) : Math.min(max, 2);
    for (let time = 0; time < times; time++) {
      const one = this.#part(element);
      const isLast = time === times - 1;
      if (isLast && max === Infinity) this.#join(one.last, one.first);
      const isNullable = one.isNullable || time >= min;
      all = this.#then(all, { ...one, isNullable });
    }
    return all;
  }

  #single(set: bigint): Part {
    const place = this.#place(set);
    return { first: [place], last: [place], isNullable: false };
  }

  #place(set: bigint): number {
    this.#follow.push(new Map());
    return this.#sets.push(set) - 1;
  }

  #join(last: readonly number[], first: readonly number[]): void {
    for (const one of last) {
      const next = this.#follow[one];
      for (const other of first) next?.set(other, (next.get(other) ?? 0) + 1);
    }
  }

  #setOf(raw: string): bigint {
    const pattern = new RegExp(`^(?:${raw})$`, this.#flags.replace("m", ""));
    return alphabet.reduce(
      (set, char, index) => (pattern.test(char) ? set | (1n << BigInt(index)) : set),
      0n,
    );
  }

  *#next(places: readonly number[]): Generator<readonly number[]> {
    const [first = 0, ...others] = places;
    for (const next of this.#follow[first]?.keys() ?? []) {
      if (others.length === 0) yield [next];
      else
        for (const rest of this.#next(others)) {
          const common = [next, ...rest].reduce((set, one) => set & (this.#sets[one] ?? 0n), -1n);
          if (common !== 0n) yield [next, ...rest];
        }
    }
  }

  #leads(from: readonly number[], isThere: (places: readonly number[]) => boolean): boolean {
    const seen = new Set<string>();
    const open = [from];
    for (let places = open.pop(); places; places = open.pop()) {
      for (const next of this.#next(places)) {
        const name = next.join();
        if (seen.has(name)) continue;
        if (isThere(next)) return true;
        seen.add(name);
        open.push(next);
      }
    }
    return false;
  }

  #reaches(from: number, to: number): boolean {
    return this.#leads([from], ([place]) => place === to);
  }

  /** Returns true if the same text leads from the position back to it along two paths: exponential growth. */
  #isTwofold(place: number): boolean {
    const isBack = (places: readonly number[]): boolean => places.every((one) => one === place);
    const inLoop = (one: number): boolean => this.#reaches(place, one) && this.#reaches(one, place);
    for (const [one, next] of this.#follow.entries()) {
      for (const [other, ways] of next)
        if (ways > 1 && inLoop(one) && (other === place || inLoop(other))) return true;
    }
    const isParted = ([one, other]: readonly number[]): boolean => one !== other;
    return this.#leads([place, place], (places) => isParted(places) && this.#leads(places, isBack));
  }

  /**
   * Returns true if the same text leads from `one` to itself, from `one` to `other`, and from `other` to itself:
   * polynomial growth.
   */
  #goesBoth(one: number, other: number): boolean {
    return this.#leads([one, one, other], ([a, b, c]) => a === one && b === other && c === other);
  }
}

const newline = 1n << 10n;
const allCharacters = (1n << BigInt(alphabet.length)) - 1n;
