// The actions that are offered after a pre-flight check.

export type NextAction = "fix" | "submit" | "save" | "show";

export interface CheckSummary {
  readonly errors: number;
  /** Warnings, and checks that were not possible. */
  readonly others: number;
}

export const summaryOf = (
  findings: readonly { readonly severity: "error" | "warning" | "unknown" | "information" }[],
): CheckSummary => {
  const errors = findings.filter(({ severity }) => severity === "error").length;
  const notes = findings.filter(({ severity }) => severity === "information").length;
  return { errors, others: findings.length - errors - notes };
};

/**
 * The offered actions, the preferred one first: fixing errors, or submitting if there are none.
 * `possible`: the actions of the source; "submit" and "show" are always possible.
 */
export function nextActions(
  { errors, others }: CheckSummary,
  possible: readonly ("fix" | "save")[],
): readonly NextAction[] {
  const fix = possible.filter((action) => action === "fix" && errors + others > 0);
  const save = possible.filter((action) => action === "save");
  return errors > 0 ? [...fix, "submit", ...save, "show"] : ["submit", ...fix, ...save, "show"];
}
