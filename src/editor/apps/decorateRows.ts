import { FileDecoration, l10n, ThemeColor, Uri } from "vscode";
import type { Disposable } from "../../base/disposable.ts";
import { visiblePath } from "../ui/plainText.ts";
import type { Mark } from "./rows/row.ts";
import { window } from "../ui/window.ts";

export const rowScheme = "spark-k8s-row";

/**
 * Returns the URI of a row. Its query carries the decoration. Its path is only the name, because a terminal inserts the
 * path of a dropped URI.
 */
export const rowUri = (name: string, mark: Mark): Uri =>
  Uri.from({ scheme: rowScheme, path: visiblePath(name), query: mark ?? "" });

/** Decorates rows with a badge and a color, as VS Code decorates files. */
export const decorateRows = (): Disposable =>
  window.registerFileDecorationProvider({
    provideFileDecoration: ({ scheme, query }) => {
      if (scheme !== rowScheme) return undefined;
      if (query === "failed") {
        return new FileDecoration("✗", l10n.t("Failed"), new ThemeColor("list.errorForeground"));
      }
      if (query === "trouble") {
        return new FileDecoration(
          "!",
          l10n.t("Unhealthy"),
          new ThemeColor("list.warningForeground"),
        );
      }
      if (query === "kept") {
        const tooltip = l10n.t("Kept for debugging");
        return new FileDecoration(undefined, tooltip, new ThemeColor("disabledForeground"));
      }
      return undefined;
    },
  });
