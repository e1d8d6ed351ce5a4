import { l10n } from "vscode";
import { window } from "./ui/window.ts";

// A larger selection is probably a mistake.
const maxWithoutQuestion = 10;

/** Asks for a confirmation before opening many editors or terminals. */
export async function mayOpen(count: number, what: "documents" | "terminals"): Promise<boolean> {
  if (count <= maxWithoutQuestion) return true;
  const question =
    what === "documents"
      ? l10n.t("Open {0} documents?", count)
      : l10n.t("Open {0} terminals?", count);
  const detail =
    what === "documents"
      ? l10n.t("Each selected row opens one document.")
      : l10n.t("Each selected pod opens one terminal and starts a process.");
  const open = l10n.t("Open {0}", count);
  return (await window.showWarningMessage(question, { modal: true, detail }, open)) === open;
}
