import { l10n, window } from "vscode";

// As many as are looked at one by one; of more the choice was most likely a slip.
const mostUnasked = 10;

/** Whether so many editors or terminals may be opened at once; asks where they are more than anybody looks at. */
export async function mayOpen(count: number, what: "documents" | "terminals"): Promise<boolean> {
  if (count <= mostUnasked) return true;
  const question =
    what === "documents"
      ? l10n.t("Open {0} documents?", count)
      : l10n.t("Open {0} terminals?", count);
  const detail =
    what === "documents"
      ? l10n.t("One is opened for each of the chosen rows.")
      : l10n.t("One is opened for each of the chosen pods, with a process in it.");
  const open = l10n.t("Open {0}", count);
  return (await window.showWarningMessage(question, { modal: true, detail }, open)) === open;
}
