import { l10n, window, type QuickPickItem } from "vscode";
import type { Span } from "../../base/span.ts";
import {
  parsePastedCommand,
  type PastedCommand,
} from "../../spark/submit/pasted/parsePastedCommand.ts";
import type { PastedFinding, PastedFix } from "../../spark/submit/pasted/pastedFinding.ts";
import { openPastedText } from "./pastedText.ts";

/** A text and what was read from it, without an error. */
export interface ReviewedCommand {
  readonly text: string;
  readonly command: PastedCommand;
}

// No deploy mode, and client mode: the change that the first row offers.
const modeCodes: readonly string[] = ["L-13", "L-14"];

/**
 * Shows what was found in a pasted command, with the way on as its first row: Enter takes it. Undefined
 * when the dialog was left, or the text is being edited.
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
        ? l10n.t("The command cannot be submitted as it is")
        : l10n.t("Look at what was found, then go on"),
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
        // What is left has just been read.
        if (!isBlocked) return { text, command: fixed };
        break;
      }
      case "go":
        return { text, command };
    }
  }
}

interface Row extends QuickPickItem {
  readonly way:
    | { readonly kind: "go" }
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
    label: l10n.t("$(edit) Edit the command"),
    detail: l10n.t("Opens it in an editor; select it there and submit it from the menu."),
    way: { kind: "edit", span: findings.find(({ severity }) => severity === "error")?.span },
  };
  const cluster: readonly Row[] =
    fix === undefined
      ? []
      : [
          {
            label: l10n.t("$(cloud-upload) Submit in cluster mode"),
            description: "--deploy-mode cluster",
            way: { kind: "fix", fix },
          },
        ];
  const go: readonly Row[] =
    isBlocked || fix !== undefined
      ? []
      : [{ label: l10n.t("$(arrow-right) Go on"), way: { kind: "go" } }];
  const inOrder = findings.toSorted((one, other) => rank(one) - rank(other));
  const found = inOrder.map(({ severity, message, code, span }): Row => {
    // A row holds one sentence; what is to be done stands below it.
    const [, what = message, advice = ""] = /^(.*?\.) (.*)$/s.exec(message) ?? [];
    const excerpt = text.slice(span.start, span.end).replace(/\s+/g, " ").slice(0, 80);
    return {
      label: `$(${severity}) ${what}`,
      detail: [advice, `${excerpt} (${code})`].filter((part) => part !== "").join(" "),
      way: { kind: "edit", span },
    };
  });
  return isBlocked ? [edit, ...cluster, ...found] : [...cluster, ...go, edit, ...found];
}

const rank = ({ severity }: PastedFinding): number => (severity === "error" ? 0 : 1);

const applyFix = (text: string, { edits }: PastedFix): string =>
  edits.reduceRight(
    (edited, { span, text: put }) => edited.slice(0, span.start) + put + edited.slice(span.end),
    text,
  );
