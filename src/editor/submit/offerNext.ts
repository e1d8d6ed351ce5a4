import { assertNever } from "../../base/assertNever.ts";
import { msg, type Message } from "../../base/message.ts";
import type { Clock } from "../../engine/ports/clock.ts";
import type { ReadOnlyDocuments } from "../readOnlyDocuments.ts";
import type { Screen } from "../screen.ts";
import {
  checkedWords,
  checkPath,
  nextActions,
  summaryOf,
  type CheckSummary,
  type NextAction,
} from "./nextActions.ts";
import { timeOfDay } from "../../base/timeOfDay.ts";

/** The actions after a check. `show` opens its report. */
export interface AfterCheck {
  readonly submit: () => Promise<void>;
  /** Opens the place to change, or copies a missing Role; undefined if there is neither. */
  readonly fix: (() => Promise<void>) | undefined;
  /** Saves the checked submission as a run profile; undefined if it comes from one or cannot be saved. */
  readonly save: (() => Promise<void>) | undefined;
  readonly show: () => Promise<void>;
  /** The title of `fix`, if it differs from the default. */
  readonly fixTitle?: Message;
}

interface ShownCheck {
  readonly name: string;
  readonly text: string;
  readonly findings: readonly FixableFinding[];
}

/** Shows the report of a check, and offers the next actions. If a Role is missing, copying it replaces `fix`. */
export async function showChecked(
  { name, text, findings }: ShownCheck,
  { fix, fixTitle, ...after }: Omit<AfterCheck, "show">,
  { documents, clock, screen }: CheckPlace,
): Promise<void> {
  const show = (): Promise<void> => documents.show(checkPath(name), text);
  await show();
  const other = { fix, ...(fixTitle && { fixTitle }) };
  await offerNext(
    { name, at: clock.now(), summary: summaryOf(findings) },
    { ...after, ...fixFor(findings, other, screen), show },
    screen,
  );
}

interface CheckPlace {
  readonly documents: Pick<ReadOnlyDocuments, "show">;
  readonly clock: Pick<Clock, "now">;
  readonly screen: Pick<Screen, `show${"Error" | "Information" | "Warning"}Message` | "copy">;
}

/** A finished check: its subject, its time (epoch ms) and its result. */
interface Checked {
  readonly name: string;
  readonly at: number;
  readonly summary: CheckSummary;
}

/**
 * Shows a notification with the actions after a check, and runs the chosen one. The notification stays in the
 * notification center until the user responds.
 */
export async function offerNext(
  { name, at, summary }: Checked,
  after: AfterCheck,
  screen: Pick<Screen, `show${"Error" | "Information" | "Warning"}Message`>,
): Promise<void> {
  const possible = [
    ...(after.fix ? (["fix"] as const) : []),
    ...(after.save ? (["save"] as const) : []),
  ];
  const titles = new Map<Message, NextAction>(
    nextActions(summary, possible).map((action) => [titleOf(action, summary, after), action]),
  );
  const ask =
    summary.errors > 0
      ? screen.showErrorMessage
      : summary.others > 0
        ? screen.showWarningMessage
        : screen.showInformationMessage;
  const time = timeOfDay(at);
  const chosen = await ask(checkedWords(name, summary, time), ...titles.keys());
  const action = chosen === undefined ? undefined : titles.get(chosen);
  if (action !== undefined) await after[action]?.();
}

interface FixableFinding {
  readonly severity: "error" | "warning" | "unknown" | "information";
  readonly role?: string | undefined;
}

/** Returns the fix for the findings: for missing permissions, copying the Role; otherwise `other`. */
export function fixFor(
  findings: readonly FixableFinding[],
  other: Pick<AfterCheck, "fix" | "fixTitle">,
  { copy }: Pick<Screen, "copy">,
): Pick<AfterCheck, "fix" | "fixTitle"> {
  const role = findings.find(({ severity }) => severity === "error")?.role;
  if (role === undefined) return other;
  return {
    fix: async () => {
      await copy(role);
    },
    fixTitle: msg("Copy Role"),
  };
}

function titleOf(action: NextAction, { errors }: CheckSummary, { fixTitle }: AfterCheck): Message {
  switch (action) {
    case "fix":
      return fixTitle ?? msg("Fix");
    case "submit":
      return errors > 0 ? msg("Submit Anyway") : msg("Submit");
    case "save":
      return msg("Save as Run Profile…");
    case "show":
      return msg("Show Check");
    default:
      return assertNever(action);
  }
}
