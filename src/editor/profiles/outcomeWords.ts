import { l10n } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import type { RunOutcome } from "./runOutcome.ts";

/**
 * The outcome in a row with an icon. A view of 250 px shows about 20 characters, so the cause of a failure comes first,
 * and the icon says that it failed.
 */
export function rowWords(
  outcome: RunOutcome,
  exitCode: number | undefined,
  cause: unknown,
): string {
  if (outcome !== "failed") return outcomeWords(outcome, exitCode);
  return typeof cause === "string" && cause !== ""
    ? cause.slice(0, maxCause)
    : l10n.t("exit code {0}", exitCode ?? 1);
}

const maxCause = 100;

export function outcomeWords(outcome: RunOutcome, exitCode: number | undefined): string {
  switch (outcome) {
    case "submitted":
      return l10n.t("submitted");
    case "succeeded":
      return l10n.t("succeeded");
    case "stopped":
      return l10n.t("stopped");
    case "notSubmitted":
      return l10n.t("not submitted");
    case "detached":
      return l10n.t("detached; still running");
    case "failed":
      return l10n.t("failed: exit code {0}", exitCode ?? 1);
    default:
      return assertNever(outcome);
  }
}
