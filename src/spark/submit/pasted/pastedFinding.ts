// The messages about pasted command lines.
import type { Span } from "../../../base/span.ts";

/** A finding about a pasted command; an error prevents its submission. */
export interface PastedFinding {
  readonly code: `L-${number}`;
  readonly severity: "error" | "warning";
  readonly message: string;
  /** In the pasted text. */
  readonly span: Span;
  readonly fix: PastedFix | undefined;
}

/** Edits of the pasted text that resolve the finding, in order and without overlap. */
export interface PastedFix {
  readonly title: string;
  readonly edits: readonly PastedEdit[];
}

export interface PastedEdit {
  readonly span: Span;
  readonly text: string;
}

export const pastedProblems = {
  noSubmission: (span: Span) => error("L-01", "The text has no spark-submit command.", span),
  otherSubmissions: (count: number, span: Span) =>
    warning(
      "L-02",
      count === 1
        ? "The text has another spark-submit command. Only the first is used."
        : `The text has ${count} more spark-submit commands. Only the first is used.`,
      span,
    ),
  leftOut: (what: string, span: Span) =>
    warning("L-03", `"${what}" is not part of the submission and is ignored.`, span),
  substitution: (text: string, span: Span) =>
    error(
      "L-04",
      `"${text}" is a command substitution, which is never run. Replace it by its output.`,
      span,
    ),
  expansion: (text: string, span: Span) =>
    error("L-05", `Only a shell can expand "${text}". Replace it by its value.`, span),
  unclosedQuote: (span: Span) => error("L-06", "This quote is not closed.", span),
  typography: (edits: readonly PastedEdit[], span: Span) =>
    warning(
      "L-07",
      "The text has typographic quotes, dashes or spaces. They are read as plain ones.",
      span,
      { title: "Use plain characters", edits },
    ),
  blankAfterContinuation: (rest: Span, span: Span) =>
    warning(
      "L-08",
      "A shell ends the command here, because text follows the line continuation. The command is read as continued.",
      span,
      { title: "Remove the text after the line continuation", edits: [{ span: rest, text: "" }] },
    ),
  missingContinuation: (mark: string, span: Span) =>
    warning(
      "L-09",
      "A shell ends the command here, because the line continuation is missing. The command is read as continued.",
      span,
      { title: "Continue the line", edits: [{ span, text: ` ${mark}` }] },
    ),
  commentBetween: (span: Span) =>
    warning(
      "L-10",
      "A shell ends the command at this comment. The command is read as continued.",
      span,
      {
        title: "Remove the comment",
        edits: [{ span, text: "" }],
      },
    ),
  entryPoint: (span: Span) =>
    error(
      "L-11",
      "The options of the container and of spark-submit cannot be told apart. Paste only the part after the image.",
      span,
    ),
  nested: (span: Span) =>
    error(
      "L-12",
      "The command is quoted inside another command. Paste only the quoted text.",
      span,
    ),
  kubeconfig: (span: Span) =>
    warning("L-15", "The command names a kubeconfig. You are asked before it is used.", span),
  withoutEffect: (name: string, span: Span) =>
    warning(
      "L-16",
      `"${name}" has no effect on the connection. Sign-in programs and proxies use the environment of VS Code only.`,
      span,
    ),
  noDeployMode: (span: Span, fix: PastedFix) =>
    warning(
      "L-13",
      'Without "--deploy-mode" spark-submit runs the driver on this machine. Only cluster mode is supported.',
      span,
      fix,
    ),
  clientMode: (span: Span, fix: PastedFix) =>
    error(
      "L-14",
      "In client mode the driver runs on this machine. Only cluster mode is supported.",
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
