import { parseCommandLine } from "../commandLine.ts";
import { valueOf } from "../conf.ts";
import { layerConf } from "../confLayers.ts";
import { sparkVersionOfImage, minorOf } from "../sparkVersion.ts";
import type { Surroundings } from "../surroundings.ts";
import { versionTraits } from "../versionTraits.ts";

/**
 * The Spark whose spark-submit the command means: that of the folder it is called from
 * (`/opt/spark-3.5.9-bin-hadoop3/bin/spark-submit`), else that of the driver's image. `name`: the command as
 * it was written. Undefined where nothing tells.
 */
export function versionOfPasted(
  name: string,
  tokens: readonly string[],
  surroundings: Surroundings,
): string | undefined {
  const [, ofFolder] = /spark-(\d+\.\d+(?:\.\d+)?)[^/\\]*[/\\]/.exec(name) ?? [];
  if (ofFolder !== undefined && minorOf(ofFolder) !== undefined) return ofFolder;
  // The newest version knows all options of the older ones.
  const { value: conf } = layerConf(parseCommandLine(tokens, versionTraits["4.3"]), surroundings);
  const image =
    valueOf(conf, "spark.kubernetes.driver.container.image") ??
    valueOf(conf, "spark.kubernetes.container.image");
  return image === undefined ? undefined : sparkVersionOfImage(image);
}
