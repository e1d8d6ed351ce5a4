// Every sentence about a pasted command line.
import type { Span } from "../../../base/span.ts";

/** Something about a pasted command; an error keeps it from being submitted as it stands. */
export interface PastedFinding {
  readonly code: `L-${number}`;
  readonly severity: "error" | "warning";
  readonly message: string;
  /** In the pasted text. */
  readonly span: Span;
  readonly fix: PastedFix | undefined;
}

/** A change of the pasted text that ends the finding. The edits do not overlap and come in order. */
export interface PastedFix {
  readonly title: string;
  readonly edits: readonly PastedEdit[];
}

export interface PastedEdit {
  readonly span: Span;
  readonly text: string;
}

export const pastedProblems = {
  noSubmission: (span: Span) =>
    error("L-01", "There is no spark-submit command in the text.", span),
  otherSubmissions: (count: number, span: Span) =>
    warning(
      "L-02",
      count === 1
        ? "The text holds another spark-submit command; only the first is taken."
        : `The text holds ${count} more spark-submit commands; only the first is taken.`,
      span,
    ),
  leftOut: (what: string, span: Span) =>
    warning("L-03", `"${what}" does not belong to the submission and is left out.`, span),
  substitution: (text: string, span: Span) =>
    error(
      "L-04",
      `"${text}" is a command of its own, and pasted commands are never run. Write what it would give.`,
      span,
    ),
  expansion: (text: string, span: Span) =>
    error("L-05", `Only a shell can work out "${text}". Write what it would give.`, span),
  unclosedQuote: (span: Span) => error("L-06", "This quote is not closed.", span),
  typography: (edits: readonly PastedEdit[], span: Span) =>
    warning(
      "L-07",
      "A word processor or a web page has changed quotes, dashes or blanks; they are read as a shell's.",
      span,
      { title: "Put plain characters back", edits },
    ),
  blankAfterContinuation: (rest: Span, span: Span) =>
    warning(
      "L-08",
      "A shell ends the command here, as the line goes on after the mark of continuation. It is read as continued.",
      span,
      { title: "Remove what follows the mark", edits: [{ span: rest, text: "" }] },
    ),
  missingContinuation: (mark: string, span: Span) =>
    warning(
      "L-09",
      "A shell ends the command here, as the line lacks a mark of continuation. It is read as continued.",
      span,
      { title: "Continue the line", edits: [{ span, text: ` ${mark}` }] },
    ),
  commentBetween: (span: Span) =>
    warning("L-10", "A shell ends the command at this comment. It is read as continued.", span, {
      title: "Remove the comment",
      edits: [{ span, text: "" }],
    }),
  entryPoint: (span: Span) =>
    error(
      "L-11",
      "Where the options of the container end and those of spark-submit begin cannot be told. Paste the part after the image.",
      span,
    ),
  nested: (span: Span) =>
    error("L-12", "The command stands inside another shell's text. Paste that text alone.", span),
  noDeployMode: (span: Span, fix: PastedFix) =>
    warning(
      "L-13",
      'Without "--deploy-mode" spark-submit runs the driver on this machine. From here only cluster mode is sent.',
      span,
      fix,
    ),
  clientMode: (span: Span, fix: PastedFix) =>
    error(
      "L-14",
      "In client mode the driver runs on this machine. From here only cluster mode is sent.",
      span,
      fix,
    ),
} as const;

function error(
  code: PastedFinding["code"],
  message: string,
  span: Span,
  fix?: PastedFix,
): PastedFinding {
  return { code, severity: "error", message, span, fix };
}

function warning(
  code: PastedFinding["code"],
  message: string,
  span: Span,
  fix?: PastedFix,
): PastedFinding {
  return { code, severity: "warning", message, span, fix };
}
