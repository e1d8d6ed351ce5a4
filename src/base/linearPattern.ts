import { RE2JS, RE2JSException } from "re2js";
import { msg, verbatim, type Message } from "./message.ts";
import { err, ok, type Result } from "./result.ts";

/** A regular expression that matches in linear time. */
export interface LinearPattern {
  /** True if the pattern matches anywhere in the text. A `name` pattern also accepts each text that is too long. */
  test(text: string): boolean;
}

interface LinearPatternOptions {
  readonly ignoresCase?: boolean;
  /**
   * `text`: for strings of any length. `name`: for strings of at most 500 characters; longer ones always match. Only
   * name patterns may use look-behind, and the number of their automaton states has no limit.
   */
  readonly for: "text" | "name";
}

/** `syntax`: RE2 cannot parse the pattern. `size`: the source, its program or its automaton is too large. */
interface LinearPatternProblem {
  readonly kind: "syntax" | "size";
  /** For users. The engine's own messages are in English. */
  readonly detail: Message;
}

/** The maximum length of a pattern's source, in UTF-16 code units. */
export const maxPatternLength = 1_000;
const maxNameLength = 500;
// In instructions of the RE2 program. Typical patterns have 10 to 200.
const maxProgramSize = 600;
// Number of states times number of character classes. Typical patterns have 500 to 20,000 transitions. Building one
// transition takes up to 5 µs.
const maxTransitions = 30_000;

/**
 * Compiles a pattern from a cluster, a workspace or the user with RE2. JavaScript's own engine backtracks, so an
 * untrusted pattern could block it. RE2 has no look-ahead, back references, possessive quantifiers or atomic groups.
 */
export function compileLinear(
  source: string,
  options: LinearPatternOptions,
): Result<LinearPattern, LinearPatternProblem> {
  if (source.length > maxPatternLength) {
    return err({ kind: "size", detail: msg`longer than ${maxPatternLength} characters` });
  }
  const isName = options.for === "name";
  const flags =
    (options.ignoresCase === true ? RE2JS.CASE_INSENSITIVE : 0) | (isName ? RE2JS.LOOKBEHINDS : 0);
  const compiled = compileProgram(source, flags);
  if (!compiled.ok) return compiled;
  const { value } = compiled;
  if (value.programSize() > maxProgramSize) {
    return err({ kind: "size", detail: msg("its parts are repeated too often") });
  }
  if (isName) return ok({ test: (text) => text.length > maxNameLength || value.test(text) });
  return fillAutomaton(value.re2().dfa)
    ? ok(value)
    : err({ kind: "size", detail: msg("it needs an automaton with too many states") });
}

function compileProgram(source: string, flags: number): Result<RE2JS, LinearPatternProblem> {
  try {
    return ok(RE2JS.compile(source, flags));
  } catch (error) {
    if (error instanceof RE2JSException)
      return err({ kind: "syntax", detail: verbatim(error.message) });
    throw error;
  }
}

/** The internals of the engine's lazy automaton that `fillAutomaton` uses. A unit test checks that they exist. */
interface Automaton {
  readonly classBounds: Int32Array;
  readonly prog: { readonly start: number };
  makeState(instructions: readonly number[], flags: number, ids: readonly number[]): State | null;
  step(state: State, characterClass: number, rune: number, anchor: number): State | null;
}

interface State {
  readonly isMatch: boolean;
}

const unanchored = 0;
// Flags of the contexts in which a search begins: start of text, after a line feed, after a word character, after any
// other character.
const startFlags = [0b101, 0b1, 0b10_0000_0000, 0];
const maxCodePoint = 0x10ffff;

/**
 * Builds all reachable states; false if there are too many. Once states do not fit into its cache, the engine falls
 * back to a simulation that is up to 10,000 times slower. With all states built, each character costs one look-up.
 */
function fillAutomaton(automaton: Automaton): boolean {
  const { classBounds, prog } = automaton;
  const runes = [0, ...classBounds].map((rune) => Math.min(rune, maxCodePoint));
  const found = new Set<State>();
  for (const flags of startFlags) {
    const start = automaton.makeState([prog.start], flags, []);
    if (start === null) return false;
    found.add(start);
  }
  let transitions = 0;
  // The loop also visits items that are added to the set during the loop.
  for (const state of found) {
    // A search ends at the first match, so the successors of a matching state are never used.
    if (state.isMatch) continue;
    for (const [index, rune] of runes.entries()) {
      transitions += 1;
      if (transitions > maxTransitions) return false;
      const next = automaton.step(state, index, rune, unanchored);
      if (next === null) return false;
      found.add(next);
    }
  }
  return true;
}
