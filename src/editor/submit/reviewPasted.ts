import { l10n, ThemeIcon, type QuickPickItem } from "vscode";
import type { Span } from "../../base/span.ts";
import {
  parsePastedCommand,
  type PastedCommand,
} from "../../spark/submit/pasted/parsePastedCommand.ts";
import type { PastedFinding, PastedFix } from "../../spark/submit/pasted/pastedFinding.ts";
import { defaultSecretRule } from "../../spark/redact.ts";
import { redactLine } from "../../spark/redactLine.ts";
import { openPastedText } from "./pastedText.ts";
import { window } from "../ui/window.ts";
import { translated } from "../ui/translated.ts";

/** A command without errors, and its text. */
export interface ReviewedCommand {
  readonly text: string;
  readonly command: PastedCommand;
}

// No deploy mode, and client mode: the first row offers the fix.
const modeCodes: readonly string[] = ["L-13", "L-14"];

/**
 * Shows the findings in a pasted command. The first row continues, or edits if there are errors. Undefined if
 * the user cancels or edits the text.
 */
export async function reviewPasted(given: string): Promise<ReviewedCommand | undefined> {
  let text = given;
  for (;;) {
    const command = parsePastedCommand(text);
    const { findings } = command;
    if (findings.length === 0) return { text, command };
    const fix = findings.find(({ code }) => modeCodes.includes(code))?.fix;
    const isBlocked = findings.some(
      ({ code, severity }) => severity === "error" && !modeCodes.includes(code),
    );
    const chosen = await window.showQuickPick(rowsFor(text, findings, fix, isBlocked), {
      title: l10n.t("Submit Pasted Command"),
      placeHolder: isBlocked
        ? l10n.t("The command cannot be submitted")
        : l10n.t("Review the issues, then continue"),
      ignoreFocusOut: true,
    });
    if (chosen === undefined) return undefined;
    switch (chosen.way.kind) {
      case "edit":
        await openPastedText(text, chosen.way.span);
        return undefined;
      case "fix": {
        text = applyFix(text, chosen.way.fix);
        const fixed = parsePastedCommand(text);
        // The user has seen the other findings.
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
  findings: readonly PastedFinding[],
  fix: PastedFix | undefined,
  isBlocked: boolean,
): readonly Row[] {
  const edit: Row = {
    label: l10n.t("Edit Command"),
    iconPath: new ThemeIcon("edit"),
    detail: l10n.t("Open the command in an editor. To submit, select it and use the context menu."),
    way: { kind: "edit", span: findings.find(({ severity }) => severity === "error")?.span },
  };
  const cluster: readonly Row[] =
    fix === undefined
      ? []
      : [
          {
            label: l10n.t("Submit in Cluster Mode"),
            iconPath: new ThemeIcon("cloud-upload"),
            description: "--deploy-mode cluster",
            way: { kind: "fix", fix },
          },
        ];
  const proceed: readonly Row[] =
    isBlocked || fix !== undefined
      ? []
      : [
          {
            label: l10n.t("Continue"),
            iconPath: new ThemeIcon("arrow-right"),
            way: { kind: "continue" },
          },
        ];
  const inOrder = findings.toSorted((one, other) => rank(one) - rank(other));
  const found = inOrder.map(({ severity, problem, advice, code, span }): Row => {
    const written = text.slice(span.start, span.end).replace(/\s+/g, " ");
    const excerpt = redactLine(written, defaultSecretRule).slice(0, 80);
    return {
      label: translated(problem),
      iconPath: new ThemeIcon(severity),
      detail: [translated(advice), `${excerpt} (${code})`].filter(Boolean).join(" "),
      way: { kind: "edit", span },
    };
  });
  return isBlocked ? [edit, ...cluster, ...found] : [...cluster, ...proceed, edit, ...found];
}

const rank = ({ severity }: PastedFinding): number => (severity === "error" ? 0 : 1);

const applyFix = (text: string, { edits }: PastedFix): string =>
  edits.reduceRight(
    (edited, { span, text: put }) => edited.slice(0, span.start) + put + edited.slice(span.end),
    text,
  );
