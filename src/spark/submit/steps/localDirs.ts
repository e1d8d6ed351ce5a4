import { valueOf } from "../conf.ts";
import { javaSplit } from "../javaText.ts";
import { append, isJsonObject, listAt, textAt } from "../json.ts";
import { addFindings, addVolumes, type PodSpec } from "../podSpec.ts";
import { readBoolean, type ConfReading } from "../readConf.ts";

const volumePrefix = "spark-local-dir-";

/**
 * Scratch space: the volumes that the pod already has for it, or else an emptyDir for each directory;
 * `fallback` is one where nothing names any. Spark shuffles a driver's directories; the order given is one
 * of those it may choose.
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

  const { SPARK_LOCAL_DIRS: fromEnvironment } = context.surroundings.environment;
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

function nameDirectories<Spec extends PodSpec>(spec: Spec, directories: readonly string[]): Spec {
  const variable = { name: "SPARK_LOCAL_DIRS", value: directories.join(",") };
  return { ...spec, container: append(spec.container, "env", [variable]) };
}
