import { translated } from "../ui/translated.ts";
import { EventEmitter, InlayHint, workspace, type DocumentSelector } from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import { settingsSection } from "../ids.ts";
import { namedFiles, rangeOf, readConfDocument, type ConfContext } from "./confContext.ts";
import { podTotalsSetting } from "./confIds.ts";
import { languages } from "../ui/languages.ts";

/** Registers inlay hints with the pod totals of an application. */
export function registerTotals(context: ConfContext, documents: DocumentSelector): Disposable {
  const owned = new DisposableStore();
  const changes = owned.add(new EventEmitter<void>());
  owned.add(
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(settingsSection)) changes.fire();
    }),
  );
  owned.add(
    languages.registerInlayHintsProvider(documents, {
      onDidChangeInlayHints: changes.event,
      provideInlayHints: async (document, range, token) => {
        const settings = workspace.getConfiguration(settingsSection, document);
        if (settings.get(podTotalsSetting) === false) return [];
        const read = await readConfDocument(context, document);
        if (read === undefined || token.isCancellationRequested) return [];
        const { help, text, surface, version } = read;
        const files = await namedFiles(read, document);
        return help.totals(text, surface, version, files).flatMap(({ offset, label, tooltip }) => {
          const { start } = rangeOf(document, { start: offset, end: offset });
          if (!range.contains(start)) return [];
          const hint = new InlayHint(start, translated(label));
          hint.paddingLeft = true;
          hint.tooltip = translated(tooltip);
          return [hint];
        });
      },
    }),
  );
  return owned;
}
