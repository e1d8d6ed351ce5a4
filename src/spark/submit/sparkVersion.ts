/** The lines of Spark whose submission is known exactly, oldest first. */
export const sparkMinors = ["3.3", "3.4", "3.5", "4.0", "4.1", "4.2", "4.3"] as const;

export type SparkMinor = (typeof sparkMinors)[number];

/** The line that a version belongs to: "3.5.9" and "3.5" give "3.5"; undefined for a line unknown to us. */
export function minorOf(version: string): SparkMinor | undefined {
  const [major, minor] = version.trim().split(".");
  return sparkMinors.find((known) => known === `${major ?? ""}.${minor ?? ""}`);
}

/**
 * The Spark version that an image's tag names: "apache/spark:3.5.9-python3" gives "3.5.9". Undefined when
 * the tag names none, or only numbers that are no line of Spark (`python3.10`, `java17`).
 */
export function sparkVersionOfImage(image: string): string | undefined {
  const name = image.split("@")[0] ?? "";
  const lastPart = name.slice(name.lastIndexOf("/") + 1);
  const colon = lastPart.indexOf(":");
  if (colon < 0) return undefined;
  for (const match of lastPart.slice(colon + 1).matchAll(/\d+\.\d+(?:\.\d+)?/g)) {
    if (minorOf(match[0]) !== undefined) return match[0];
  }
  return undefined;
}
