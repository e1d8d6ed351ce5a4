import {
  CodeAction,
  CodeActionKind,
  l10n,
  Range,
  WorkspaceEdit,
  type Diagnostic,
  type TextDocument,
} from "vscode";
import type { Span } from "../../base/span.ts";
import type { ProfileFix } from "./door.ts";

/** The fixes for the problems at a place of a tasks.json. */
export function profileActions(
  document: TextDocument,
  fixes: readonly ProfileFix[],
  diagnostics: readonly Diagnostic[],
): CodeAction[] {
  const rangeOf = ({ start, end }: Span): Range =>
    new Range(document.positionAt(start), document.positionAt(end));
  const preferred = new Set<Diagnostic>();
  return fixes.flatMap((fix) => {
    const range = rangeOf(fix.span);
    const mended = diagnostics.find((each) => each.code === fix.code && each.range.isEqual(range));
    if (mended === undefined) return [];
    const action = new CodeAction(titleOf(fix), CodeActionKind.QuickFix);
    action.diagnostics = [mended];
    action.isPreferred = !preferred.has(mended);
    preferred.add(mended);
    action.edit = new WorkspaceEdit();
    for (const { span, text } of fix.edits) {
      action.edit.replace(document.uri, rangeOf(span), text);
    }
    return [action];
  });
}

const titleOf = ({ kind, text }: ProfileFix): string =>
  kind === "replace" ? l10n.t('Replace by "{0}"', text) : l10n.t('Remove "{0}"', text);
