import { l10n } from "vscode";
import { commands } from "../ids.ts";

/** Returns the titles and commands of the CodeLenses above a run profile. */
export const lensTitles = (): readonly (readonly [string, string])[] => [
  [l10n.t("Submit"), commands.runProfile],
  [l10n.t("Preview"), commands.previewProfile],
  [l10n.t("Check"), commands.checkProfile],
];
