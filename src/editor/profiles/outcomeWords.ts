import { l10n } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import type { RunOutcome } from "./runOutcome.ts";

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
