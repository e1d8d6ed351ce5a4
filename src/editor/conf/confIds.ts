// Identifiers that package.json also declares.
import type { Surface } from "../../spark/surfaces/surfaces.ts";

export const confLanguage = "spark-conf";

/** Names of settings, relative to `settingsSection`. */
export const sparkVersionSetting = "sparkVersion";
export const rulesSetting = "conf.rules";
export const podTotalsSetting = "conf.podTotals";

/** URI scheme of the read-only documentation pages of rules. */
export const rulePageScheme = "spark-conf-rule";

/** Maps each language whose documents may contain Spark properties to its surface. */
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

/** Context key for the walkthrough: whether the user has edited a conf file since the window opened. */
export const confEditedKey = "sparkK8s.confWasEdited";
