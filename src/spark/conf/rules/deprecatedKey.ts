import type { Finding, KeyProblem } from "../lint/finding.ts";
import type { EntryRule, RuleContext, KnownEntry } from "./rule.ts";

/** Finds keys that only other Spark versions read, removed and deprecated keys, and old names of keys. */
export const deprecatedKey: EntryRule = (entries, context) => {
  const findings: Finding[] = [];
  for (const known of entries) {
    const problem = problemOf(known, context);
    if (problem !== undefined) findings.push({ ...problem, span: known.entry.keySpan });
  }
  return findings;
};

function problemOf(
  { entry: { key, value }, knowledge }: KnownEntry,
  { catalogue, version }: RuleContext,
): KeyProblem | undefined {
  if (knowledge.kind === "future") {
    return { code: "future-key", key, first: knowledge.first, version };
  }
  if (knowledge.kind === "gone") {
    const { last } = knowledge;
    return { code: "removed-key", key, last, since: undefined, successor: undefined };
  }
  if (knowledge.kind !== "known") return undefined;
  const { entry, oldName, deprecated, removed } = knowledge.facts;
  if (removed !== undefined && entry === undefined) {
    // Spark still accepts the removed key with its former default.
    if (value === removed.onlyValue) return undefined;
    const { since, successor } = removed;
    return { code: "removed-key", key, last: undefined, since, successor };
  }
  const reader = oldName === undefined ? undefined : catalogue.find(oldName.of, version)?.entry;
  if (deprecated !== undefined) {
    const { since, successor } = deprecated;
    const isRead = entry !== undefined || reader !== undefined;
    return { code: "deprecated-key", key, since, successor: successor ?? oldName?.of, isRead };
  }
  if (entry !== undefined || oldName === undefined || reader === undefined) return undefined;
  return { code: "old-name", key, successor: oldName.of };
}
