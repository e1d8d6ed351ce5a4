import type { EntryRule } from "./rule.ts";

/** Spark ignores keys that do not begin with `spark.`. */
export const foreignKey: EntryRule = (entries) =>
  entries
    .filter(({ knowledge }) => knowledge.kind === "foreign")
    .map(({ entry }) => ({ code: "foreign-key", span: entry.keySpan, key: entry.key }));
