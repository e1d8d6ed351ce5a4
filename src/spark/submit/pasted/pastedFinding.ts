// Messages about pasted command lines.
import { msg, type Message } from "../../../base/message.ts";
import type { Span } from "../../../base/span.ts";

/** A finding about a pasted command; an error prevents its submission. */
export interface PastedFinding {
  readonly code: `L-${number}`;
  readonly severity: "error" | "warning";
  readonly problem: Message;
  readonly advice: Message | undefined;
  /** The position in the pasted text. */
  readonly span: Span;
  readonly fix: PastedFix | undefined;
}

/** Edits of the pasted text that resolve the finding. The edits are sorted by position and do not overlap. */
export interface PastedFix {
  readonly title: Message;
  readonly edits: readonly PastedEdit[];
}

export interface PastedEdit {
  readonly span: Span;
  readonly text: string;
}

export const pastedProblems = {
  noSubmission: (span: Span) => error("L-01", msg("The text has no spark-submit command."), span),
  otherSubmissions: (count: number, span: Span) =>
    warning(
      "L-02",
      count === 1
        ? [msg("The text has another spark-submit command."), msg("Only the first is used.")]
        : [msg`The text has ${count} more spark-submit commands.`, msg("Only the first is used.")],
      span,
    ),
  leftOut: (what: string, span: Span) =>
    warning("L-03", msg`"${what}" is not part of the submission and is ignored.`, span),
  substitution: (text: string, span: Span) =>
    error(
      "L-04",
      [
        msg`"${text}" is a command substitution, which is never run.`,
        msg("Replace it with its output."),
      ],
      span,
    ),
  expansion: (text: string, span: Span) =>
    error(
      "L-05",
      [msg`Only a shell can expand "${text}".`, msg("Replace it with its value.")],
      span,
    ),
  unclosedQuote: (span: Span) => error("L-06", msg("This quote is not closed."), span),
  typography: (edits: readonly PastedEdit[], span: Span) =>
    warning(
      "L-07",
      [
        msg("The text has typographic quotes, dashes or spaces."),
        msg("They are read as plain characters."),
      ],
      span,
      { title: msg("Use plain characters"), edits },
    ),
  blankAfterContinuation: (rest: Span, span: Span) =>
    warning(
      "L-08",
      [
        msg("A shell ends the command here, because text follows the line continuation."),
        msg("The command is read as continued."),
      ],
      span,
      {
        title: msg("Remove the text after the line continuation"),
        edits: [{ span: rest, text: "" }],
      },
    ),
  missingContinuation: (mark: string, span: Span) =>
    warning(
      "L-09",
      [
        msg("A shell ends the command here, because the line continuation is missing."),
        msg("The command is read as continued."),
      ],
      span,
      { title: msg("Continue the line"), edits: [{ span, text: ` ${mark}` }] },
    ),
  commentBetween: (span: Span) =>
    warning(
      "L-10",
      [msg("A shell ends the command at this comment."), msg("The command is read as continued.")],
      span,
      {
        title: msg("Remove the comment"),
        edits: [{ span, text: "" }],
      },
    ),
  entryPoint: (span: Span) =>
    error(
      "L-11",
      [
        msg("The options of the container and of spark-submit cannot be distinguished."),
        msg("Paste only the part after the image."),
      ],
      span,
    ),
  nested: (span: Span) =>
    error(
      "L-12",
      [msg("The command is quoted inside another command."), msg("Paste only the quoted text.")],
      span,
    ),
  kubeconfig: (span: Span) =>
    warning(
      "L-15",
      [msg("The command specifies a kubeconfig."), msg("You are asked before it is used.")],
      span,
    ),
  withoutEffect: (name: string, span: Span) =>
    warning(
      "L-16",
      [
        msg`"${name}" has no effect on the connection.`,
        msg("Sign-in programs and proxies use only the environment of VS Code."),
      ],
      span,
    ),
  noDeployMode: (span: Span, fix: PastedFix) =>
    warning(
      "L-13",
      [
        msg('Without "--deploy-mode" spark-submit runs the driver on this machine.'),
        msg("Only cluster mode is supported."),
      ],
      span,
      fix,
    ),
  clientMode: (span: Span, fix: PastedFix) =>
    error(
      "L-14",
      [
        msg("In client mode the driver runs on this machine."),
        msg("Only cluster mode is supported."),
      ],
      span,
      fix,
    ),
} as const;

function error(
  code: PastedFinding["code"],
  said: Message | readonly [problem: Message, advice: Message],
  span: Span,
  fix?: PastedFix,
): PastedFinding {
  return { code, severity: "error", ...partsOf(said), span, fix };
}

function warning(
  code: PastedFinding["code"],
  said: Message | readonly [problem: Message, advice: Message],
  span: Span,
  fix?: PastedFix,
): PastedFinding {
  return { code, severity: "warning", ...partsOf(said), span, fix };
}

function partsOf(
  said: Message | readonly [problem: Message, advice: Message],
): Pick<PastedFinding, "problem" | "advice"> {
  if ("strings" in said) return { problem: said, advice: undefined };
  const [problem, advice] = said;
  return { problem, advice };
}
