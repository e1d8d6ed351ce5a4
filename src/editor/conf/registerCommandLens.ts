import { CodeLens, l10n, workspace } from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import { commands } from "../ids.ts";
import { rangeOf, readConfDocument, type ConfContext } from "./confContext.ts";
import { languageSurfaces } from "./confIds.ts";
import { languages } from "../ui/languages.ts";

/**
 * Registers CodeLenses above each spark-submit command that can be parsed completely. They submit the command or show
 * its effective conf.
 */
export function registerCommandLens(context: ConfContext): Disposable {
  const owned = new DisposableStore();
  const scripts = [...languageSurfaces]
    .filter(([, surface]) => surface === "command")
    .map(([language]) => ({ language }));
  owned.add(
    languages.registerCodeLensProvider(scripts, {
      provideCodeLenses: async (document) => {
        if (!workspace.isTrusted || !document.getText().includes("spark-submit")) return [];
        const read = await readConfDocument(context, document);
        if (read === undefined) return [];
        return read.help.wholeCommands(read.text).flatMap((span) => {
          const range = rangeOf(document, span);
          const text = read.text.slice(span.start, span.end);
          return [
            new CodeLens(range, {
              title: l10n.t("Submit"),
              command: commands.submitPasted,
              arguments: [text],
            }),
            new CodeLens(range, {
              title: l10n.t("Effective conf"),
              command: commands.explainConf,
              arguments: [document.uri, span.start],
            }),
          ];
        });
      },
    }),
  );
  return owned;
}
