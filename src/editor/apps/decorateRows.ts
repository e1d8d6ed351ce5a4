import { FileDecoration, l10n, ThemeColor, Uri, window } from "vscode";
import type { Disposable } from "../../base/disposable.ts";

export const rowScheme = "spark-k8s-row";

/** What deserves a mark beside the row's name. */
export type Mark = "failed" | "trouble" | "kept" | undefined;

/**
 * The address by which the editor asks how a row is marked; the answer stands in it. Its path is the name alone, as
 * that is what a terminal takes of an address.
 */
export const rowUri = (name: string, mark: Mark): Uri =>
  Uri.from({ scheme: rowScheme, path: name, query: mark ?? "" });

/** Marks rows with a letter and a color, as the editor marks files. */
export const decorateRows = (): Disposable =>
  window.registerFileDecorationProvider({
    provideFileDecoration: ({ scheme, query }) => {
      if (scheme !== rowScheme) return undefined;
      if (query === "failed") {
        return new FileDecoration("✗", l10n.t("Failed"), new ThemeColor("list.errorForeground"));
      }
      if (query === "trouble") {
        return new FileDecoration("!", l10n.t("Trouble"), new ThemeColor("list.warningForeground"));
      }
      if (query === "kept") {
        const tooltip = l10n.t("Kept for debugging");
        return new FileDecoration(undefined, tooltip, new ThemeColor("disabledForeground"));
      }
      return undefined;
    },
  });
