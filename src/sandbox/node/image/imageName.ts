// Parses image names: tag, base name and Spark version.

/** Returns the tag, such as `4.3.0` in `registry:5000/spark:4.3.0`; undefined if there is none. */
export function tagOf(image: string): string | undefined {
  const [name = ""] = image.split("@");
  return /:([A-Za-z0-9_][A-Za-z0-9_.-]{0,127})$/.exec(name)?.[1];
}

/** Returns the last part of the name, such as `spark` in `docker.io/apache/spark:4.3.0`. */
export function baseNameOf(image: string): string {
  const [name = ""] = image.split("@");
  return (
    name
      .replace(/:[^/:]*$/, "")
      .split("/")
      .at(-1) ?? ""
  );
}

/**
 * Returns the Spark version at the start of the tag, such as `4.3.0` in `4.3.0-scala2.13-java17-python3-ubuntu`.
 * Undefined if the tag does not begin with a version.
 */
export const sparkVersionOf = (image: string): string | undefined =>
  /^v?([0-9]+\.[0-9]+\.[0-9]+)(?![0-9.])/.exec(tagOf(image) ?? "")?.[1];

export const looksLikeSpark = (image: string): boolean =>
  /spark/i.test(image.replace(/^[^/]*\.[^/]*\//, ""));

/** Returns Kubernetes' message for an invalid image name; undefined if the name is valid. */
export function invalidName(image: string): string | undefined {
  if (
    /^(?:[A-Za-z0-9.-]+(?::[0-9]+)?\/)?[a-z0-9]+(?:[._/-]+[a-z0-9]+)*(?::[A-Za-z0-9_][A-Za-z0-9_.-]*)?(?:@[A-Za-z0-9:+.-]+)?$/.test(
      image,
    )
  ) {
    return undefined;
  }
  const quoted = JSON.stringify(image);
  return `Failed to apply default image tag ${quoted}: couldn't parse image name ${quoted}: invalid reference format`;
}

/** Base names of images with only standard programs. The sandbox runs the programs of this machine instead. */
const plainSystems: ReadonlySet<string> = new Set([
  "alpine",
  "bash",
  "busybox",
  "debian",
  "fedora",
  "pause",
  "python",
  "ubuntu",
]);

export const isPlainSystem = (image: string): boolean => plainSystems.has(baseNameOf(image));
