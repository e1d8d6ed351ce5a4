import { assertNever } from "../../base/assertNever.ts";
import { dotted, msg, verbatim, type Message } from "../../base/message.ts";
import type { RowIcon } from "../apps/rows/icons.ts";
import { rowWords } from "./outcomeWords.ts";
import type { LastOutcome } from "./profileRuns.ts";
import { outcomeOfExitCode, type RunOutcome } from "./runOutcome.ts";
import { recentTime } from "../../base/timeOfDay.ts";

/** The texts and the icon of a profile's row, without the profile's name. */
export interface ProfileRowText {
  readonly description: Message;
  /** The description for screen readers, which do not read the icon. */
  readonly spoken: Message;
  readonly icon: RowIcon;
}

/** Returns the row's text and icon. `follows`: true if the task of the profile ends with its application. */
export function profileRowText(
  last: LastOutcome | undefined,
  follows: boolean,
  now: number,
): ProfileRowText {
  if (last === undefined) {
    const words = msg("not run yet");
    return { description: words, spoken: words, icon: { id: "circle-outline" } };
  }
  const {
    shown,
    spoken = shown,
    icon,
  } = last.kind === "running" ? running(last) : ended(last, follows);
  const time = verbatim(recentTime(last.at, now));
  return { description: dotted([shown, time]), spoken: dotted([spoken, time]), icon };
}

interface StateText {
  readonly shown: Message;
  readonly spoken?: Message;
  readonly icon: RowIcon;
}

function running({ state }: LastOutcome & { readonly kind: "running" }): StateText {
  if (state === "asked") return { shown: msg("not submitted yet"), icon: { id: "circle-outline" } };
  const isSent = state === "submitted";
  return isSent
    ? { shown: msg("submitted"), icon: { id: "clock", color: "charts.yellow" } }
    : { shown: verbatim(state.words), spoken: verbatim(state.spoken), icon: state.icon };
}

function ended(last: LastOutcome & { readonly kind: "ended" }, follows: boolean): StateText {
  const { exitCode, cause } = last;
  const outcome = last.outcome ?? outcomeOfExitCode(exitCode, follows);
  const shown = rowWords(outcome, exitCode, cause);
  const icon = endIcon(outcome);
  if (outcome === "failed") return { shown, spoken: msg`failed, ${shown}`, icon };
  return outcome === "notSubmitted" && cause !== undefined
    ? { shown, spoken: msg`not submitted, ${shown}`, icon }
    : { shown, icon };
}

function endIcon(outcome: RunOutcome): RowIcon {
  switch (outcome) {
    case "submitted":
    case "succeeded":
      return { id: "pass", color: "charts.green" };
    case "stopped":
    case "notSubmitted":
      return { id: "circle-slash" };
    case "detached":
      return { id: "debug-disconnect" };
    case "failed":
      return { id: "error", color: "charts.red" };
    default:
      return assertNever(outcome);
  }
}
