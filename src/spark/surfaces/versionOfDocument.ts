import { lastValue, type ConfDocument } from "../conf/parse/confDocument.ts";
import { nearestSparkVersion, type SparkVersion } from "../conf/catalogue/sparkVersions.ts";
import { sparkVersionOfImage } from "../submit/conf/sparkVersion.ts";

/** Returns the Spark version of the settings, from a field or from the image; undefined if neither names it. */
export function versionOfDocument(document: ConfDocument): SparkVersion | undefined {
  const { sparkVersion } = document;
  const named = sparkVersion === undefined ? undefined : nearestSparkVersion(sparkVersion);
  if (named !== undefined) return named;
  const image = lastValue(document, "spark.kubernetes.container.image");
  const tag = image === undefined ? undefined : sparkVersionOfImage(image);
  return tag === undefined ? undefined : nearestSparkVersion(tag);
}
