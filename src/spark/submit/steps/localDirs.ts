import { valueOf } from "../conf.ts";
import { addFindings, type DriverContext, type DriverSpec } from "../driverSpec.ts";
import { javaSplit } from "../javaText.ts";
import { append, editObject, isJsonObject, listAt, textAt } from "../json.ts";
import { readBoolean } from "../readConf.ts";

const volumePrefix = "spark-local-dir-";

/**
 * Scratch space: the volumes that the pod already has for it, or else an emptyDir for each directory.
 * Spark shuffles the directories; the order given is one of those it may choose.
 */
export function localDirs(spec: DriverSpec, context: DriverContext): DriverSpec {
  const mounted = listAt(spec.container, "volumeMounts").flatMap((mount) =>
    isJsonObject(mount) && (textAt(mount, "name") ?? "").startsWith(volumePrefix)
      ? [textAt(mount, "mountPath") ?? ""]
      : [],
  );
  if (mounted.length > 0) return nameDirectories(spec, mounted);

  const { SPARK_LOCAL_DIRS: fromEnvironment } = context.surroundings.environment;
  const listed = fromEnvironment ?? valueOf(context.application.conf, "spark.local.dir");
  const directories = javaSplit(listed ?? context.identity.localDirectory, ",");
  const inMemory = readBoolean(context, "spark.kubernetes.local.dirs.tmpfs", false);
  const named = directories.map((path, index) => ({
    name: `${volumePrefix}${index + 1}`,
    path,
  }));
  const withVolumes = {
    ...addFindings(spec, inMemory.findings),
    pod: editObject(spec.pod, "spec", (own) =>
      append(
        own,
        "volumes",
        named.map(({ name }) => ({ name, emptyDir: inMemory.value ? { medium: "Memory" } : {} })),
      ),
    ),
    container: append(
      spec.container,
      "volumeMounts",
      named.map(({ name, path }) => ({ name, mountPath: path })),
    ),
  };
  return nameDirectories(withVolumes, directories);
}

function nameDirectories(spec: DriverSpec, directories: readonly string[]): DriverSpec {
  const variable = { name: "SPARK_LOCAL_DIRS", value: directories.join(",") };
  return { ...spec, container: append(spec.container, "env", [variable]) };
}
