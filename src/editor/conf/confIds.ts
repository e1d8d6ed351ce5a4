// Identifiers that package.json declares as well.
import type { Surface } from "../../spark/surfaces/surfaces.ts";

export const confLanguage = "spark-conf";

/** Names of settings, relative to `settingsSection`. */
export const sparkVersionSetting = "sparkVersion";
export const rulesSetting = "conf.rules";
export const podTotalsSetting = "conf.podTotals";

/** Scheme of the read-only pages of rules. */
export const rulePageScheme = "spark-conf-rule";

/** The languages whose documents may contain settings. */
export const languageSurfaces: ReadonlyMap<string, Surface> = new Map<string, Surface>([
  [confLanguage, "properties"],
  ["yaml", "manifest"],
  ["shellscript", "command"],
  ["bat", "command"],
  ["powershell", "command"],
  ["dockerfile", "command"],
  ["makefile", "command"],
  ["markdown", "command"],
  ["python", "python"],
  ["scala", "scala"],
  ["java", "java"],
  ["jsonc", "profiles"],
]);

/** Context key for the walkthrough: true if the user edited a conf file since the window opened. */
export const confEditedKey = "sparkK8s.confWasEdited";
