import type { QuickPickItem } from "vscode";
import { msg } from "../../base/message.ts";
import type { Span } from "../../base/span.ts";
import {
  parsePastedCommand,
  type PastedCommand,
} from "../../spark/submit/pasted/parsePastedCommand.ts";
import type { PastedFinding, PastedFix } from "../../spark/submit/pasted/pastedFinding.ts";
import { defaultSecretRule } from "../../spark/redact.ts";
import { redactLine } from "../../spark/redactLine.ts";
import type { Screen } from "../screen.ts";
import type { openPastedText } from "./pastedText.ts";

/** The parts of the window that the review of a pasted command uses. */
export interface ReviewWindow {
  readonly screen: Pick<Screen, "icon" | "showQuickPick" | "translated">;
  readonly openText: typeof openPastedText;
}

/** A command without errors, and its text. */
export interface ReviewedCommand {
  readonly text: string;
  readonly command: PastedCommand;
}

// The finding codes for a missing deploy mode and for client mode. The first row of the quick pick offers their fix.
const modeCodes: readonly string[] = ["L-13", "L-14"];

/**
 * Shows the findings in a pasted command. The first row sets cluster mode or continues; with other errors, it opens the
 * text for editing. Undefined if the user cancels or edits the text.
 */
export async function reviewPasted(
  given: string,
  { screen, openText }: ReviewWindow,
): Promise<ReviewedCommand | undefined> {
  const { translated } = screen;
  let text = given;
  for (;;) {
    const command = parsePastedCommand(text);
    const { findings } = command;
    if (findings.length === 0) return { text, command };
    const fix = findings.find(({ code }) => modeCodes.includes(code))?.fix;
    const isBlocked = blocks(command);
    const chosen = await screen.showQuickPick(rowsFor(text, command, fix, screen), {
      title: translated(msg("Submit Pasted Command")),
      placeHolder: isBlocked
        ? translated(msg("The command cannot be submitted"))
        : translated(msg("Review the issues, then continue")),
      ignoreFocusOut: true,
    });
    if (chosen === undefined) return undefined;
    switch (chosen.way.kind) {
      case "edit":
        await openText(text, chosen.way.span);
        return undefined;
      case "fix": {
        text = applyFix(text, chosen.way.fix);
        const fixed = parsePastedCommand(text);
        // Return without another review, because the user has seen the other findings.
        if (!isBlocked) return { text, command: fixed };
        break;
      }
      case "continue":
        return { text, command };
    }
  }
}

interface Row extends QuickPickItem {
  readonly way:
    | { readonly kind: "continue" }
    | { readonly kind: "fix"; readonly fix: PastedFix }
    | { readonly kind: "edit"; readonly span: Span | undefined };
}

function rowsFor(
  text: string,
  command: PastedCommand,
  fix: PastedFix | undefined,
  screen: Omit<ReviewWindow["screen"], "showQuickPick">,
): readonly Row[] {
  const { findings } = command;
  const { translated } = screen;
  const isBlocked = blocks(command);
  const edit: Row = {
    label: translated(msg("Edit Command")),
    iconPath: screen.icon("edit"),
    detail: translated(
      msg("Open the command in an editor. To submit, select it and use the context menu."),
    ),
    way: { kind: "edit", span: findings.find(({ severity }) => severity === "error")?.span },
  };
  const cluster: readonly Row[] =
    fix === undefined
      ? []
      : [
          {
            label: translated(msg("Submit in Cluster Mode")),
            iconPath: screen.icon("cloud-upload"),
            description: "--deploy-mode cluster",
            way: { kind: "fix", fix },
          },
        ];
  const proceed: readonly Row[] =
    isBlocked || fix !== undefined
      ? []
      : [
          {
            label: translated(msg("Continue")),
            iconPath: screen.icon("arrow-right"),
            way: { kind: "continue" },
          },
        ];
  const inOrder = findings.toSorted((one, other) => rank(one) - rank(other));
  const found = inOrder.map(({ severity, problem, advice, code, span }): Row => {
    const written = text.slice(span.start, span.end).replace(/\s+/g, " ");
    const excerpt = redactLine(written, defaultSecretRule).slice(0, 80);
    return {
      label: translated(problem),
      iconPath: screen.icon(severity),
      detail: [translated(advice), `${excerpt} (${code})`].filter(Boolean).join(" "),
      way: { kind: "edit", span },
    };
  });
  return isBlocked ? [edit, ...cluster, ...found] : [...cluster, ...proceed, edit, ...found];
}

const blocks = ({ findings }: PastedCommand): boolean =>
  findings.some(({ code, severity }) => severity === "error" && !modeCodes.includes(code));

const rank = ({ severity }: PastedFinding): number => (severity === "error" ? 0 : 1);

const applyFix = (text: string, { edits }: PastedFix): string =>
  edits.reduceRight(
    (edited, { span, text: put }) => edited.slice(0, span.start) + put + edited.slice(span.end),
    text,
  );
