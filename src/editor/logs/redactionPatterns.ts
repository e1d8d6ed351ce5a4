import type { Memento } from "vscode";
import type { PatternMemory } from "../../engine/redactedLogs.ts";
import { redactionPatternsKey } from "../ids.ts";

/** By application, the oldest first. */
type Patterns = Readonly<Record<string, string>>;

// Of so many applications logs may be kept; few have a pattern of their own.
const mostKept = 200;

/** What applications call secret themselves, kept for windows that are opened when their drivers are gone. */
export function redactionPatterns(
  memory: Memento,
  onError: (error: unknown) => void,
): PatternMemory {
  const patterns = (): Patterns => memory.get<Patterns>(redactionPatternsKey, {});
  return {
    patternOf: (name) => patterns()[name],
    keep: (name, pattern) => {
      const known = patterns();
      if (known[name] === pattern) return;
      const all = Object.entries({ ...known, [name]: pattern }).slice(-mostKept);
      memory.update(redactionPatternsKey, Object.fromEntries(all)).then(undefined, onError);
    },
  };
}
