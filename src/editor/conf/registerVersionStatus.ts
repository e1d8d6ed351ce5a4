import { l10n, workspace, type TextEditor } from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import { settingsSection } from "../ids.ts";
import { languageSurfaces, sparkVersionSetting } from "./confIds.ts";
import type { ConfContext } from "./confContext.ts";
import type { ProjectVersions } from "./projectVersions.ts";
import { languages } from "../ui/languages.ts";
import { window } from "../ui/window.ts";

/** Registers a language status item that shows the Spark version and its source. */
export function registerVersionStatus(context: ConfContext, versions: ProjectVersions): Disposable {
  const owned = new DisposableStore();
  const documents = [...languageSurfaces.keys()].map((language) => ({ language }));
  const item = owned.add(
    languages.createLanguageStatusItem(`${settingsSection}.${sparkVersionSetting}`, []),
  );
  item.name = l10n.t("Spark version");
  item.command = {
    title: l10n.t("Change"),
    command: "workbench.action.openSettings",
    arguments: [`${settingsSection}.${sparkVersionSetting}`],
  };

  const show = async (editor: TextEditor | undefined): Promise<void> => {
    const document = editor?.document;
    const surface = document === undefined ? undefined : context.surfaceOf(document);
    if (document === undefined || surface === undefined) {
      item.selector = [];
      return;
    }
    const help = await context.help();
    await versions.learn(document.uri);
    if (owned.isDisposed || window.activeTextEditor !== editor) return;
    const named = help.versionNamedIn(document.getText(), surface);
    const { version, from } = versions.versionOf(document.uri);
    item.text = l10n.t("Spark {0}", named ?? version);
    item.detail = named === undefined ? detailOf(from) : l10n.t("from this file");
    item.selector = documents;
  };
  const refresh = (): void => {
    show(window.activeTextEditor).catch(context.log.error);
  };
  owned.add(window.onDidChangeActiveTextEditor(refresh));
  owned.add(workspace.onDidSaveTextDocument(refresh));
  owned.add(workspace.onDidChangeConfiguration(refresh));
  owned.add(versions.onDidChange(refresh));
  refresh();
  return owned;
}

function detailOf(from: ReturnType<ProjectVersions["versionOf"]>["from"]): string {
  switch (from.kind) {
    case "setting":
      return l10n.t("from the VS Code setting");
    case "file":
      return l10n.t("from {0}", workspace.asRelativePath(from.uri));
    case "newest":
      return l10n.t("latest known version, because no file specifies one");
  }
}
