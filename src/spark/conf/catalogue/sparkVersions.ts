/** The lines of Spark that the catalogue knows, oldest first. */
export const sparkVersions = ["3.3", "3.4", "3.5", "4.0", "4.1", "4.2", "4.3"] as const;

export type SparkVersion = (typeof sparkVersions)[number];

export const newestSparkVersion: SparkVersion = "4.3";

/** The release of each minor version that the catalogue was generated from. */
export const releases: Readonly<Record<SparkVersion, string>> = {
  "3.3": "3.3.4",
  "3.4": "3.4.4",
  "3.5": "3.5.9",
  "4.0": "4.0.5",
  "4.1": "4.1.4",
  "4.2": "4.2.1",
  "4.3": "4.3.0",
};

/** The line that a version belongs to: "3.5.9" and "3.5" give "3.5"; undefined for a line unknown to us. */
export function toSparkVersion(text: string): SparkVersion | undefined {
  const [major = "", minor = ""] = text.trim().split(".");
  return sparkVersions.find((version) => version === `${major}.${minor}`);
}

/**
 * The line that judges best for a version: its own, and for one that is older or newer than all of them, the
 * oldest or the newest. Undefined for what is no version.
 */
export function nearestSparkVersion(text: string): SparkVersion | undefined {
  const match = /^\s*(\d{1,3})\.(\d{1,3})/.exec(text);
  if (match === null) return undefined;
  const rank = Number(match[1]) * 1000 + Number(match[2]);
  const isUpTo = (version: SparkVersion): boolean => {
    const [major, minor] = version.split(".");
    return Number(major) * 1000 + Number(minor) <= rank;
  };
  return sparkVersions.findLast(isUpTo) ?? sparkVersions[0];
}

/** The bit of a version in the catalogue's masks. */
export const versionBit = (version: SparkVersion): number => 1 << sparkVersions.indexOf(version);

/** Whether `version` is `first` or a later line. */
export const isFrom = (version: SparkVersion, first: SparkVersion): boolean =>
  sparkVersions.indexOf(version) >= sparkVersions.indexOf(first);
