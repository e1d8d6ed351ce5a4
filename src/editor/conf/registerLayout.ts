import {
  CodeAction,
  CodeActionKind,
  DocumentSymbol,
  FoldingRange,
  FoldingRangeKind,
  l10n,
  SymbolKind,
  TextEdit,
  WorkspaceEdit,
  type TextDocument,
} from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import type { TextEdit as ConfEdit } from "../../base/textEdit.ts";
import { rangeOf, type ConfContext } from "./confContext.ts";
import { confLanguage } from "./confIds.ts";
import { languages } from "../ui/languages.ts";

/** Registers formatting, sorting, outline and folding of conf files. */
export function registerLayout({ help }: ConfContext): Disposable {
  const owned = new DisposableStore();
  const edits = (document: TextDocument, changes: readonly ConfEdit[]): TextEdit[] =>
    changes.map(({ span, text }) => new TextEdit(rangeOf(document, span), text));
  owned.add(
    languages.registerDocumentFormattingEditProvider(confLanguage, {
      provideDocumentFormattingEdits: async (document) =>
        edits(document, (await help()).format(document.getText())),
    }),
  );
  owned.add(
    languages.registerDocumentRangeFormattingEditProvider(confLanguage, {
      provideDocumentRangeFormattingEdits: async (document, range) =>
        edits(document, (await help()).format(document.getText())).filter(({ range: own }) =>
          range.contains(own),
        ),
    }),
  );
  const sortKind = CodeActionKind.Source.append("sort.sparkK8s");
  owned.add(
    languages.registerCodeActionsProvider(
      confLanguage,
      {
        provideCodeActions: async (document, _range, { only }) => {
          if (only !== undefined && !only.contains(sortKind)) return [];
          const changes = (await help()).sort(document.getText());
          if (changes.length === 0) return [];
          const action = new CodeAction(l10n.t("Sort Spark properties"), sortKind);
          action.edit = new WorkspaceEdit();
          action.edit.set(document.uri, edits(document, changes));
          return [action];
        },
      },
      { providedCodeActionKinds: [sortKind] },
    ),
  );
  owned.add(
    languages.registerDocumentSymbolProvider(confLanguage, {
      provideDocumentSymbols: async (document) =>
        (await help())
          .outline(document.getText())
          .map(
            ({ key, value, span, keySpan }) =>
              new DocumentSymbol(
                key,
                value,
                SymbolKind.Property,
                rangeOf(document, span),
                rangeOf(document, keySpan),
              ),
          ),
    }),
  );
  owned.add(
    languages.registerFoldingRangeProvider(confLanguage, {
      provideFoldingRanges: async (document) =>
        (await help()).folds(document.getText()).map(({ span, kind }) => {
          const { start, end } = rangeOf(document, span);
          const own = kind === "comment" ? FoldingRangeKind.Comment : undefined;
          return new FoldingRange(start.line, end.line, own);
        }),
    }),
  );
  return owned;
}
