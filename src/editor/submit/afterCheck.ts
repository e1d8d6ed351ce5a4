import { env, l10n, Selection, workspace, type Range, type Uri } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import { window } from "../ui/window.ts";
import { nextActions, type CheckSummary, type NextAction } from "./nextActions.ts";

/** The actions after a check, besides showing it again. */
export interface AfterCheck {
  readonly submit: () => Promise<void>;
  /** Opens the place to change; undefined if there is none. */
  readonly fix: (() => Promise<void>) | undefined;
  /** Undefined if it is stored already. */
  readonly save: (() => Promise<void>) | undefined;
  readonly show: () => Promise<void>;
  /** The title of `fix`, if it is another one. */
  readonly fixTitle?: string;
}

/** Offers the actions after a check. The message stays in the notification center until the user answers. */
export async function offerNext(
  name: string,
  summary: CheckSummary,
  after: AfterCheck,
): Promise<void> {
  const possible = [
    ...(after.fix ? (["fix"] as const) : []),
    ...(after.save ? (["save"] as const) : []),
  ];
  const titles = new Map<string, NextAction>(
    nextActions(summary, possible).map((action) => [titleOf(action, summary, after), action]),
  );
  const ask =
    summary.errors > 0
      ? window.showErrorMessage
      : summary.others > 0
        ? window.showWarningMessage
        : window.showInformationMessage;
  const chosen = await ask(messageOf(name, summary), ...titles.keys());
  const action = chosen === undefined ? undefined : titles.get(chosen);
  if (action !== undefined) await after[action]?.();
}

interface FixableFinding {
  readonly severity: "error" | "warning" | "unknown" | "information";
  readonly role?: string | undefined;
}

/** To copy the Role is the fix for missing permissions; `other`: the fix for all other findings. */
export function fixFor(
  findings: readonly FixableFinding[],
  other: Pick<AfterCheck, "fix" | "fixTitle">,
): Pick<AfterCheck, "fix" | "fixTitle"> {
  const role = findings.find(({ severity }) => severity === "error")?.role;
  if (role === undefined) return other;
  return {
    fix: async () => {
      await env.clipboard.writeText(role);
    },
    fixTitle: l10n.t("Copy Role"),
  };
}

/** Opens a text and selects the place to change. */
export async function openAt(uri: Uri, range: Range): Promise<void> {
  const editor = await window.showTextDocument(await workspace.openTextDocument(uri));
  editor.selection = new Selection(range.start, range.end);
  editor.revealRange(range);
}

function titleOf(action: NextAction, { errors }: CheckSummary, { fixTitle }: AfterCheck): string {
  switch (action) {
    case "fix":
      return fixTitle ?? l10n.t("Fix");
    case "submit":
      return errors > 0 ? l10n.t("Submit Anyway") : l10n.t("Submit");
    case "save":
      return l10n.t("Save as Run Profile…");
    case "show":
      return l10n.t("Show Check");
    default:
      return assertNever(action);
  }
}

function messageOf(name: string, { errors, others }: CheckSummary): string {
  if (errors > 0) {
    return errors === 1
      ? l10n.t('The check of "{0}" found 1 error. It has not been submitted.', name)
      : l10n.t('The check of "{0}" found {1} errors. It has not been submitted.', name, errors);
  }
  if (others === 0) {
    return l10n.t('The check of "{0}" found no problems. It has not been submitted yet.', name);
  }
  return others === 1
    ? l10n.t('The check of "{0}" found 1 possible problem. It has not been submitted yet.', name)
    : l10n.t(
        'The check of "{0}" found {1} possible problems. It has not been submitted yet.',
        name,
        others,
      );
}
