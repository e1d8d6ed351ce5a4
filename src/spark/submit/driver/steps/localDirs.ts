import { valueOf } from "../../conf/conf.ts";
import { javaSplit } from "../../conf/javaText.ts";
import { isJsonObject, listAt, textAt } from "../../../../base/json.ts";
import { addFindings, addVariable, addVolumes, type PodSpec } from "../podSpec.ts";
import { readBoolean, type ConfReading } from "../../conf/readConf.ts";

const volumePrefix = "spark-local-dir-";

/**
 * Sets Spark's local directories. Uses mounted volumes named `spark-local-dir-*`; without them, mounts one emptyDir per
 * directory. `fallback`: the directory if none is configured. The order may differ from spark-submit, which shuffles
 * the driver's directories.
 */
export function localDirs<Spec extends PodSpec>(
  spec: Spec,
  context: ConfReading,
  fallback: string,
): Spec {
  const mounted = listAt(spec.container, "volumeMounts").flatMap((mount) =>
    isJsonObject(mount) && (textAt(mount, "name") ?? "").startsWith(volumePrefix)
      ? [textAt(mount, "mountPath") ?? ""]
      : [],
  );
  if (mounted.length > 0) return nameDirectories(spec, mounted);

  const { SPARK_LOCAL_DIRS: fromEnvironment } = context.submissionEnvironment.environment;
  const listed =
    fromEnvironment ?? valueOf(context.application.conf, "spark.local.dir") ?? fallback;
  const directories = javaSplit(listed, ",");
  const inMemory = readBoolean(context, "spark.kubernetes.local.dirs.tmpfs", false);
  const emptyDir = inMemory.value ? { medium: "Memory" } : {};
  const named = directories.map((path, index) => ({ name: `${volumePrefix}${index + 1}`, path }));
  const made = addVolumes(
    addFindings(spec, inMemory.findings),
    named.map(({ name }) => ({ name, emptyDir })),
    named.map(({ name, path }) => ({ name, mountPath: path })),
  );
  return nameDirectories(made, directories);
}

const nameDirectories = <Spec extends PodSpec>(spec: Spec, directories: readonly string[]): Spec =>
  addVariable(spec, "SPARK_LOCAL_DIRS", directories.join(","));
