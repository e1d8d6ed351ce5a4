import { l10n } from "vscode";
import { commands } from "../ids.ts";

/** What stands over a run profile, and what it does. */
export const lensTitles = (): readonly (readonly [string, string])[] => [
  [l10n.t("Submit"), commands.runProfile],
  [l10n.t("Preview"), commands.previewProfile],
  [l10n.t("Check"), commands.checkProfile],
];
