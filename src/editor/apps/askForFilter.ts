import { l10n, QuickPickItemKind, type QuickPickItem } from "vscode";
import { DisposableStore } from "../../base/disposable.ts";
import type { ApplicationFilter } from "../../spark/pods/applicationFilter.ts";
import { translated } from "../ui/translated.ts";
import { window } from "../ui/window.ts";
import { filterChoices, filterOf, isSelected, type FilterPart } from "./filterChoices.ts";

interface FilterItem extends QuickPickItem {
  readonly means?: FilterPart;
}

/**
 * Shows a quick pick for states, namespaces and a part of the name. Returns the filter; undefined if the user cancels.
 */
export async function askForFilter(
  filter: ApplicationFilter,
  namespaces: readonly string[],
  userName: string,
): Promise<ApplicationFilter | undefined> {
  const owned = new DisposableStore();
  const box = owned.add(window.createQuickPick<FilterItem>());
  box.title = l10n.t("Filter Applications");
  box.placeholder = l10n.t("Filter by name or ID; select states");
  box.canSelectMany = true;
  box.ignoreFocusOut = true;
  box.value = filter.text;
  const items = filterChoices(namespaces, userName).map(
    ({ label, description, means }): FilterItem =>
      means === undefined
        ? { label: translated(label), kind: QuickPickItemKind.Separator }
        : {
            label: translated(label),
            ...(description !== undefined && { description: translated(description) }),
            alwaysShow: true,
            means,
          },
  );
  box.items = items;
  box.selectedItems = items.filter(({ means }) => isSelected(filter, means));
  try {
    return await new Promise((resolve) => {
      owned.add(
        box.onDidAccept(() => {
          const selected = box.selectedItems.map(({ means }) => means);
          resolve(filterOf(box.value, selected, translated));
        }),
      );
      owned.add(
        box.onDidHide(() => {
          resolve(undefined);
        }),
      );
      box.show();
    });
  } finally {
    owned.dispose();
  }
}
