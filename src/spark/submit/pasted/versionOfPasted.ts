import type { CommandLine } from "../arguments/commandLine.ts";
import { valueOf } from "../conf/conf.ts";
import { layerConf } from "../conf/confLayers.ts";
import { sparkVersionOfImage, minorOf } from "../conf/sparkVersion.ts";
import type { SubmissionEnvironment } from "../conf/environment.ts";

/**
 * Returns the Spark version of a pasted command. Prefers the path of spark-submit
 * (`/opt/spark-3.5.9-bin-hadoop3/bin/spark-submit`) to the tag of the driver's image. `name`: the written path of the
 * command. Undefined if neither has a supported version.
 */
export function versionOfPasted(
  name: string,
  commandLine: CommandLine,
  submissionEnvironment: SubmissionEnvironment,
): string | undefined {
  const folders = name.split(/[/\\]/).slice(0, -1);
  const ofFolder = folders
    .map((folder) => /spark-(\d+\.\d+(?:\.\d+)?)/.exec(folder)?.[1])
    .find((version) => version !== undefined);
  if (ofFolder !== undefined && minorOf(ofFolder) !== undefined) return ofFolder;
  const { value: conf } = layerConf(commandLine, submissionEnvironment);
  const image =
    valueOf(conf, "spark.kubernetes.driver.container.image") ??
    valueOf(conf, "spark.kubernetes.container.image");
  return image === undefined ? undefined : sparkVersionOfImage(image);
}
