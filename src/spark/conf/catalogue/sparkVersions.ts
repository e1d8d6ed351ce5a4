/** The minor versions of Spark in the catalogue, oldest first. */
export const sparkVersions = ["3.3", "3.4", "3.5", "4.0", "4.1", "4.2", "4.3"] as const;

export type SparkVersion = (typeof sparkVersions)[number];

export const newestSparkVersion: SparkVersion = "4.3";

/** The patch release of each minor version from which the catalogue was generated. */
export const releases: Readonly<Record<SparkVersion, string>> = {
  "3.3": "3.3.4",
  "3.4": "3.4.4",
  "3.5": "3.5.9",
  "4.0": "4.0.5",
  "4.1": "4.1.4",
  "4.2": "4.2.1",
  "4.3": "4.3.0",
};

/** Returns the minor version: "3.5" for "3.5.9" and "3.5". Undefined if the catalogue has no such version. */
export function toSparkVersion(text: string): SparkVersion | undefined {
  const [major = "", minor = ""] = text.trim().split(".");
  return sparkVersions.find((version) => version === `${major}.${minor}`);
}

/**
 * Returns the minor version whose rules apply to a version: its own, or the oldest or newest one known for versions
 * outside the range. Undefined if the text is not a version.
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

/** Returns the bit of a version in the catalogue's masks. */
export const versionBit = (version: SparkVersion): number => 1 << sparkVersions.indexOf(version);

/** True if `version` is `first` or a later minor version. */
export const isFrom = (version: SparkVersion, first: SparkVersion): boolean =>
  sparkVersions.indexOf(version) >= sparkVersions.indexOf(first);
