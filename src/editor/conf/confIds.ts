// What package.json names too.

export const confLanguage = "spark-conf";

/** Relative to the section of all settings. */
export const sparkVersionSetting = "sparkVersion";
