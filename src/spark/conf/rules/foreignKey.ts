import type { EntryRule } from "./rule.ts";

/** Finds keys that do not begin with `spark.`, because Spark ignores them. */
export const foreignKey: EntryRule = (entries) =>
  entries
    .filter(({ knowledge }) => knowledge.kind === "foreign")
    .map(({ entry }) => ({ code: "foreign-key", span: entry.keySpan, key: entry.key }));
