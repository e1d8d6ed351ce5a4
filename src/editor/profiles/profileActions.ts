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

/** Returns quick fixes for the diagnostics of a tasks.json. The first one per diagnostic is preferred. */
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
    const fixed = diagnostics.find((each) => each.code === fix.code && each.range.isEqual(range));
    if (fixed === undefined) return [];
    const action = new CodeAction(titleOf(fix), CodeActionKind.QuickFix);
    action.diagnostics = [fixed];
    action.isPreferred = !preferred.has(fixed);
    preferred.add(fixed);
    action.edit = new WorkspaceEdit();
    for (const { span, text } of fix.edits) {
      action.edit.replace(document.uri, rangeOf(span), text);
    }
    return [action];
  });
}

const titleOf = ({ kind, text }: ProfileFix): string =>
  kind === "replace" ? l10n.t('Replace with "{0}"', text) : l10n.t('Remove "{0}"', text);
