import { valueOf } from "../../conf.ts";
import { javaSplit } from "../../javaText.ts";
import { append, editObject, isJsonObject, listAt, textAt } from "../../json.ts";
import { readBoolean } from "../../readConf.ts";
import { addFindings, type ExecutorContext, type ExecutorSpec } from "../executorSpec.ts";

const volumePrefix = "spark-local-dir-";

/** Scratch space: volumes that are there for it, or an emptyDir for each directory of the driver's. */
export function executorLocalDirs(spec: ExecutorSpec, context: ExecutorContext): ExecutorSpec {
  const mounted = listAt(spec.container, "volumeMounts").flatMap((mount) =>
    isJsonObject(mount) && (textAt(mount, "name") ?? "").startsWith(volumePrefix)
      ? [textAt(mount, "mountPath") ?? ""]
      : [],
  );
  if (mounted.length > 0) return nameDirectories(spec, mounted);
  const { SPARK_LOCAL_DIRS: ofDriver } = context.surroundings.environment;
  const listed =
    ofDriver ?? valueOf(context.application.conf, "spark.local.dir") ?? context.localDirectory;
  const directories = javaSplit(listed, ",");
  const inMemory = readBoolean(context, "spark.kubernetes.local.dirs.tmpfs", false);
  const named = directories.map((path, index) => ({ name: `${volumePrefix}${index + 1}`, path }));
  const made = {
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
  return nameDirectories(made, directories);
}

function nameDirectories(spec: ExecutorSpec, directories: readonly string[]): ExecutorSpec {
  const variable = { name: "SPARK_LOCAL_DIRS", value: directories.join(",") };
  return { ...spec, container: append(spec.container, "env", [variable]) };
}
