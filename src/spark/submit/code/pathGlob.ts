/** The state of a match after some segments of a path. Immutable. */
export interface GlobPlace {
  /** True if the path so far matches. */
  readonly isMatch: boolean;
  /** True if no path below this one can match. */
  readonly isOver: boolean;
  step(name: string): GlobPlace;
}

export interface PathGlob {
  readonly text: string;
  /** True if the glob has no wildcards. Braces may still name several paths. */
  readonly isPlain: boolean;
  readonly start: GlobPlace;
}

/** A part of a segment: one character (`char`), `?` (`any`), `*` (`many`), or a set in brackets. */
type Piece =
  | { readonly kind: "char"; readonly char: string }
  | { readonly kind: "any" | "many" }
  | {
      readonly kind: "set";
      readonly isNegated: boolean;
      readonly ranges: readonly (readonly [from: string, to: string])[];
    };

/** The pattern of one path segment. `deep` is `**`: any number of folders. */
type Segment = "deep" | readonly Piece[];

const maxBranches = 200;
const maxBracedLength = 1_000;

/**
 * Compiles a glob for relative paths with `/`: `**`, `*`, `?`, `[a-c]`, `[!a]`, and `{a,b}` unless `hasBraces` is
 * false. The matching time is proportional to the length of the path times that of the glob with expanded braces.
 */
export function compileGlob(text: string, hasBraces = true): PathGlob {
  const branches = (hasBraces ? expandBraces(text) : [text]).map((branch) =>
    branch
      .split("/")
      .filter((segment) => segment !== "" && segment !== ".")
      .map((segment): Segment => (/^\*\*+$/.test(segment) ? "deep" : piecesOf(segment))),
  );
  const isPlain = branches.every((branch) =>
    branch.every(
      (segment) => segment !== "deep" && segment.every((piece) => piece.kind === "char"),
    ),
  );
  return {
    text,
    isPlain,
    start: placeAt(
      branches,
      branches.map(() => new Set([0])),
    ),
  };
}

/** True if the glob matches the path or a folder above it. */
export function matchesPath(glob: PathGlob, path: string): boolean {
  let place = glob.start;
  for (const name of path.split("/")) {
    place = place.step(name);
    if (place.isMatch) return true;
    if (place.isOver) return false;
  }
  return false;
}

function placeAt(
  branches: readonly (readonly Segment[])[],
  positions: readonly ReadonlySet<number>[],
): GlobPlace {
  // Also continues after each `**`, because it may match zero folders.
  const reached = branches.map((branch, index) => {
    const all = new Set(positions[index]);
    for (const at of all) if (branch[at] === "deep") all.add(at + 1);
    return all;
  });
  return {
    isMatch: branches.some((branch, index) => reached[index]?.has(branch.length)),
    isOver: branches.every((branch, index) =>
      [...(reached[index] ?? [])].every((at) => at >= branch.length),
    ),
    step: (name) =>
      placeAt(
        branches,
        branches.map((branch, index) => {
          const next = new Set<number>();
          for (const at of reached[index] ?? []) {
            const segment = branch[at];
            if (segment === "deep") next.add(at);
            else if (segment !== undefined && matchesName(segment, name)) next.add(at + 1);
          }
          return next;
        }),
      ),
  };
}

// On a mismatch, backtracks to the last `*` only, because earlier ones never need to match more.
function matchesName(pieces: readonly Piece[], name: string): boolean {
  const chars = Array.from(name);
  let at = 0;
  let index = 0;
  let star = -1;
  let starAt = 0;
  while (at < chars.length) {
    const piece = pieces[index];
    if (piece?.kind === "many") {
      star = index;
      starAt = at;
      index += 1;
    } else if (piece !== undefined && matchesChar(piece, chars[at] ?? "")) {
      index += 1;
      at += 1;
    } else if (star >= 0) {
      starAt += 1;
      at = starAt;
      index = star + 1;
    } else return false;
  }
  return pieces.slice(index).every(({ kind }) => kind === "many");
}

function matchesChar(piece: Piece, char: string): boolean {
  if (piece.kind === "char") return piece.char === char;
  if (piece.kind !== "set") return piece.kind === "any";
  return piece.ranges.some(([from, to]) => from <= char && char <= to) !== piece.isNegated;
}

function piecesOf(segment: string): readonly Piece[] {
  const chars = Array.from(segment);
  const pieces: Piece[] = [];
  for (let at = 0; at < chars.length; at += 1) {
    const char = chars[at] ?? "";
    if (char === "*") {
      if (pieces.at(-1)?.kind !== "many") pieces.push({ kind: "many" });
    } else if (char === "?") pieces.push({ kind: "any" });
    else if (char === "\\" && at + 1 < chars.length) {
      at += 1;
      pieces.push({ kind: "char", char: chars[at] ?? "" });
    } else {
      // Skips the first character of the set when searching for the closing `]`, because it may itself be a `]`.
      const isNegated = chars[at + 1] === "!" || chars[at + 1] === "^";
      const from = at + (isNegated ? 2 : 1);
      const end = char === "[" ? chars.indexOf("]", from + 1) : -1;
      if (end < 0) pieces.push({ kind: "char", char });
      else {
        pieces.push({ kind: "set", isNegated, ranges: rangesOf(chars.slice(from, end)) });
        at = end;
      }
    }
  }
  return pieces;
}

function rangesOf(chars: readonly string[]): readonly (readonly [string, string])[] {
  const ranges: (readonly [string, string])[] = [];
  for (let at = 0; at < chars.length; at += 1) {
    const from = chars[at] ?? "";
    const isRange = chars[at + 1] === "-" && at + 2 < chars.length;
    ranges.push([from, isRange ? (chars[at + 2] ?? "") : from]);
    if (isRange) at += 2;
  }
  return ranges;
}

/**
 * Returns each combination of the alternatives. Keeps unpaired braces. Returns the text unchanged if it is too long or
 * has too many combinations.
 */
function expandBraces(text: string): readonly string[] {
  if (text.length > maxBracedLength) return [text];
  const branches = new Set<string>();
  const waiting = [text];
  while (waiting.length > 0) {
    if (waiting.length + branches.size > maxBranches) return [text];
    const branch = waiting.pop() ?? "";
    const found = firstBraces(branch);
    if (found === undefined) branches.add(branch);
    else {
      const { start, end, choices } = found;
      for (const choice of choices) {
        waiting.push(branch.slice(0, start) + choice + branch.slice(end));
      }
    }
  }
  return [...branches];
}

/** Returns the first pair of braces without inner braces. `end` is exclusive. Undefined if there is no such pair. */
function firstBraces(
  text: string,
):
  | { readonly start: number; readonly end: number; readonly choices: readonly string[] }
  | undefined {
  const close = text.indexOf("}");
  const start = close < 0 ? -1 : text.lastIndexOf("{", close);
  if (start < 0) return undefined;
  return { start, end: close + 1, choices: text.slice(start + 1, close).split(",") };
}
