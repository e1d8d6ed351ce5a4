import { sparkVersions } from "../conf/catalogue/sparkVersions.ts";

/**
 * Returns the version that a Python or Poetry range names exactly, otherwise the newest Spark minor version in it.
 * Undefined for a range without an upper bound, because new releases would change the result, and for an invalid range.
 */
export function newestOf(range: string): string | undefined {
  const parts = range
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const bounds = parts.map(toBounds);
  const exact = bounds.find((bound) => bound?.exact !== undefined)?.exact;
  if (exact !== undefined) return exact;
  if (parts.length === 0 || bounds.includes(undefined)) return undefined;
  const below = Math.min(...bounds.map((bound) => bound?.below ?? Infinity));
  const from = Math.max(...bounds.map((bound) => bound?.from ?? 0));
  if (below === Infinity) return undefined;
  return sparkVersions.findLast((line) => rankOf(line) >= from && rankOf(line) < below);
}

interface Bounds {
  readonly exact?: string;
  /** The lowest minor version as a number: 3.5 is 3005. `below` is the exclusive upper bound. */
  readonly from?: number;
  readonly below?: number;
}

function toBounds(part: string): Bounds | undefined {
  const match =
    /^(===?|~=|>=?|<=?|!=|\^|~)\s*v?(\d{1,3})(?:\.(\d{1,3}))?((?:\.[\w*]{1,12})*)$/.exec(part);
  if (match === null) return undefined;
  const [, sign = "", major = "", minor, rest = ""] = match;
  const line = Number(major) * 1000 + Number(minor ?? 0);
  const nextMajor = (Number(major) + 1) * 1000;
  switch (sign) {
    case "==":
    case "===":
      return minor === undefined
        ? { from: line, below: nextMajor }
        : { exact: `${major}.${minor}${rest}` };
    // `~=3.5` allows all of 3.x, `~=3.5.0` only 3.5.x.
    case "~=":
      return { from: line, below: rest === "" ? nextMajor : line + 1 };
    case "^":
      return { from: line, below: nextMajor };
    case "~":
      return { from: line, below: minor === undefined ? nextMajor : line + 1 };
    case ">=":
    case ">":
      return { from: line };
    // `<3.5.2` still includes 3.5.
    case "<":
      return { below: rest === "" || /^(?:\.0)+$/.test(rest) ? line : line + 1 };
    case "<=":
      return { below: line + 1 };
    default:
      return {};
  }
}

function rankOf(line: string): number {
  const [major, minor] = line.split(".");
  return Number(major) * 1000 + Number(minor);
}
