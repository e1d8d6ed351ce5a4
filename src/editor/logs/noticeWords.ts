import { l10n } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import type { RunEnd, TailEnd, TailNotice } from "../../engine/logs/tail.ts";
import { isOutage } from "../../engine/watch/retryPolicy.ts";
import type { LogGap } from "../../spark/logs/resumeCursor.ts";
import { describeClusterError } from "../showError.ts";

export function noticeWords(notice: TailNotice): string {
  switch (notice.kind) {
    case "waiting":
      return l10n.t("waiting for the container to start");
    case "reconnecting":
      return isOutage(notice.error)
        ? l10n.t("connection lost, reconnecting: {0}", describeClusterError(notice.error).what)
        : l10n.t("cannot read the log, retrying: {0}", describeClusterError(notice.error).what);
    case "resumed":
      return l10n.t("reconnected");
    case "gap":
      return gapWords(notice);
    case "restarted":
      return restartWords(notice.lastEnd);
    default:
      return assertNever(notice);
  }
}

function gapWords({ after, before }: LogGap): string {
  if (after === undefined) {
    return l10n.t("lines of earlier container runs may be missing because the node deleted them");
  }
  return before === undefined
    ? l10n.t("lines after {0} may be missing because the node deleted them", after)
    : l10n.t(
        "lines between {0} and {1} may be missing because the node deleted them",
        after,
        before,
      );
}

function restartWords(lastEnd: RunEnd | undefined): string {
  if (lastEnd?.exitCode === undefined) return l10n.t("the container restarted");
  return lastEnd.reason === undefined
    ? l10n.t("the container exited with code {0} and restarted", lastEnd.exitCode)
    : l10n.t(
        "the container exited with code {0} ({1}) and restarted",
        lastEnd.exitCode,
        lastEnd.reason,
      );
}

export function endWords(end: TailEnd): string {
  switch (end.kind) {
    case "finished":
      return l10n.t("the container has ended");
    case "gone":
      return l10n.t("the pod was deleted");
    case "failed": {
      const { what, why } = describeClusterError(end.error);
      return `${what}. ${why}`;
    }
    default:
      return assertNever(end);
  }
}
