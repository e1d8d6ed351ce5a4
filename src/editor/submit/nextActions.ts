// The buttons of the notification after a pre-flight check.
import { msg, type Message } from "../../base/message.ts";
import { documentPath } from "../describe/documentPath.ts";

export type NextAction = "fix" | "submit" | "save" | "show";

export interface CheckSummary {
  readonly errors: number;
  /** The number of warnings, and of checks that were not possible. */
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
 * Returns the path of a check's report. The tab shows its file name, which contains the name of the checked program.
 */
export const checkPath = (name: string): string =>
  documentPath([], `${name.slice(0, 60)} check.txt`);

/**
 * Returns the offered actions, the preferred one first. With errors, "submit" is never first. `possible`: the actions
 * that the source supports besides "submit" and "show".
 */
export function nextActions(
  { errors, others }: CheckSummary,
  possible: readonly ("fix" | "save")[],
): readonly NextAction[] {
  const fix = possible.filter((action) => action === "fix" && errors + others > 0);
  const save = possible.filter((action) => action === "save");
  if (errors === 0) return ["submit", ...fix, ...save, "show"];
  return fix.length > 0 ? [...fix, "submit", ...save, "show"] : ["show", "submit", ...save];
}

/**
 * Returns the message after a check. The message contains the time, because it may stay visible after a later
 * submission.
 */
export function checkedWords(
  name: string,
  { errors, others }: CheckSummary,
  time: string,
): Message {
  if (errors === 1) return msg`Checked "${name}" at ${time}: 1 error. Nothing was submitted.`;
  if (errors > 1) {
    return msg`Checked "${name}" at ${time}: ${errors} errors. Nothing was submitted.`;
  }
  if (others === 0) return msg`Checked "${name}" at ${time}: no problems. Nothing was submitted.`;
  return others === 1
    ? msg`Checked "${name}" at ${time}: 1 possible problem. Nothing was submitted.`
    : msg`Checked "${name}" at ${time}: ${others} possible problems. Nothing was submitted.`;
}
