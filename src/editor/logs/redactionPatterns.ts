import type { Memento } from "vscode";
import { maxPatternLength } from "../../base/linearPattern.ts";
import type { PatternMemory } from "../../engine/logs/redactedLogs.ts";
import { redactionPatternsKey } from "../ids.ts";
import { storedMember, storedMembers } from "../stored.ts";

// An invalid pattern, so that all values are redacted. Replaces patterns that are too long to store.
const unreadable = "(";

// The maximum number of stored patterns. Few applications have their own pattern.
const maxKept = 200;

/** Stores the redaction patterns of applications for windows that open after their drivers were deleted. */
export function redactionPatterns(
  memory: Memento,
  onError: (error: unknown) => void,
): PatternMemory {
  // If the stored value is not a string, redact all values.
  const patternOf = (name: string): string | undefined => {
    const pattern = storedMember(memory, redactionPatternsKey, name);
    return typeof pattern === "string" || pattern === undefined ? pattern : unreadable;
  };
  return {
    patternOf,
    keep: (name, pattern) => {
      const kept = pattern.length > maxPatternLength ? unreadable : pattern;
      if (patternOf(name) === kept) return;
      const known = storedMembers(memory, redactionPatternsKey);
      const all = [...new Map([...known, [name, kept]])].slice(-maxKept);
      memory.update(redactionPatternsKey, Object.fromEntries(all)).then(undefined, onError);
    },
  };
}
