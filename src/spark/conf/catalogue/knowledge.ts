import type { Catalogue } from "./catalogue.ts";
import { familyFinder, isRead, type Family } from "./families.ts";
import type { KeyFacts } from "./keyFacts.ts";
import { isFrom, sparkVersions, type SparkVersion } from "./sparkVersions.ts";

/** Classification of a key by one Spark version. */
export type Knowledge =
  | { readonly kind: "known"; readonly facts: KeyFacts }
  | { readonly kind: "family"; readonly family: Family }
  /** Introduced by a later version. */
  | { readonly kind: "future"; readonly first: SparkVersion }
  /** Only earlier versions read the key. `last`: the last one that reads it. */
  | { readonly kind: "gone"; readonly last: SparkVersion }
  /** Begins with `spark.`, but no version in the catalogue knows it. */
  | { readonly kind: "unknown" }
  /** Does not begin with `spark.`, so Spark ignores it. */
  | { readonly kind: "foreign" }
  /** A template directive, not a key. */
  | { readonly kind: "template" };

/** Returns a function that classifies keys for one Spark version. */
export function knowledgeOf(
  catalogue: Catalogue,
  version: SparkVersion,
): (key: string) => Knowledge {
  const familyOf = familyFinder();
  return (key) => {
    const facts = catalogue.find(key, version);
    if (facts !== undefined) return { kind: "known", facts };
    if (!key.startsWith("spark.")) return { kind: isTemplate(key) ? "template" : "foreign" };
    if (isTemplate(key)) return { kind: "template" };
    const family = familyOf(key) ?? filterParameter(key);
    if (family !== undefined) return ofFamily(family, version);
    return ofOtherVersions(catalogue, key, version);
  };
}

// Returns the family of a servlet filter's parameters. Their keys contain the filter's class. Undefined for other keys.
function filterParameter(key: string): Family | undefined {
  return key.includes(".param.") || key.endsWith(".params")
    ? { pattern: "spark.<class>.param.*" }
    : undefined;
}

function ofFamily(family: Family, version: SparkVersion): Knowledge {
  if (isRead(family, version)) return { kind: "family", family };
  const { from, to } = family;
  if (from !== undefined && !isFrom(version, from)) return { kind: "future", first: from };
  return { kind: "gone", last: to ?? version };
}

function ofOtherVersions(catalogue: Catalogue, key: string, version: SparkVersion): Knowledge {
  const known = catalogue.versionsOf(key);
  const first = known[0];
  const last = known.at(-1);
  if (first !== undefined && !isFrom(version, first)) return { kind: "future", first };
  if (last !== undefined && !isFrom(last, version)) return { kind: "gone", last };
  // A name that other versions use without declaring an entry counts as known, so that no rule reports it.
  for (const other of sparkVersions) {
    const facts = catalogue.find(key, other);
    if (facts !== undefined) return { kind: "known", facts: { ...facts, entry: undefined } };
  }
  return { kind: "unknown" };
}

// True for an INI section header and for template syntax such as `{{…}}`, `<%…%>` and `@NAME@`. Other files are
// generated from a document with such lines.
const isTemplate = (key: string): boolean =>
  /^\[[^\]]*\]$/.test(key) ||
  /[{}]/.test(key) ||
  key.includes("<%") ||
  key.includes("$(") ||
  /^@[A-Z0-9_]+@$/.test(key);
