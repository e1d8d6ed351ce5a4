/** The minor versions of Spark whose submission is implemented, oldest first. */
export const sparkMinors = ["3.3", "3.4", "3.5", "4.0", "4.1", "4.2", "4.3"] as const;

/** The newest supported version. Its command line has every option of the older versions. */
export const newestMinor: SparkMinor = "4.3";

export type SparkMinor = (typeof sparkMinors)[number];

/** Returns the minor version: "3.5.9" and "3.5" give "3.5". Undefined if it is not supported. */
export function minorOf(version: string): SparkMinor | undefined {
  const [major, minor] = version.trim().split(".");
  return sparkMinors.find((known) => known === `${major ?? ""}.${minor ?? ""}`);
}

/**
 * Returns the Spark version in an image's tag: "apache/spark:3.5.9-python3" gives "3.5.9". Undefined if the tag has no
 * supported version. Skips versions of other software, such as `python3.10` and `java17`.
 */
export function sparkVersionOfImage(image: string): string | undefined {
  const name = image.split("@")[0] ?? "";
  const lastPart = name.slice(name.lastIndexOf("/") + 1);
  const colon = lastPart.indexOf(":");
  if (colon < 0) return undefined;
  const tag = lastPart.slice(colon + 1);
  for (const match of tag.matchAll(/\d{1,4}\.\d{1,4}(?:\.\d{1,4})?/g)) {
    if (minorOf(match[0]) !== undefined) return match[0];
  }
  return undefined;
}
