import { l10n, StatusBarAlignment, ThemeColor, ThemeIcon } from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import { unclearEntries } from "../../engine/contextGuard.ts";
import { onDidChangeGuards } from "../guard.ts";
import { problemWords } from "../guardTexts.ts";
import { settings, settingsSection } from "../ids.ts";
import { contextPatterns } from "../settings.ts";
import { translated } from "../ui/translated.ts";
import { window, type PlainStatusBarItem } from "../ui/window.ts";

const background = new ThemeColor("statusBarItem.errorBackground");

/** Shows in the status bar that an invalid entry of a guard setting guards every context. A click opens the setting. */
export function showGuardItem(): Disposable {
  const owned = new DisposableStore();
  const item = owned.add(window.createStatusBarItem("sparkK8s.guards", StatusBarAlignment.Left));
  item.name = l10n.t("Spark guards");
  item.backgroundColor = background;
  update(item);
  owned.add(
    onDidChangeGuards(() => {
      update(item);
    }),
  );
  return owned;
}

function update(item: PlainStatusBarItem): void {
  const { guarded, readOnly } = unclearEntries(contextPatterns());
  const name = readOnly.length > 0 ? settings.readOnlyContexts : settings.guardedContexts;
  const problems = [
    ...readOnly.map((entry) => problemWords(settings.readOnlyContexts, entry)),
    ...guarded.map((entry) => problemWords(settings.guardedContexts, entry)),
  ];
  if (problems.length === 0) {
    item.hide();
    return;
  }
  item.icon = new ThemeIcon("error");
  item.text = l10n.t("Spark: every context is guarded");
  item.tooltip = problems.map((one) => translated(one)).join("\n");
  item.command = {
    title: l10n.t("Open Setting"),
    command: "workbench.action.openSettings",
    arguments: [`@id:${settingsSection}.${name}`],
  };
  item.show();
}
