import { valueOf } from "../conf/conf.ts";
import {
  addProperties,
  addResource,
  type DriverContext,
  type DriverIdentity,
  type DriverSpec,
} from "../driver/driverSpec.ts";
import { addVolumes } from "../driver/podSpec.ts";
import { append, editObject } from "../../../base/json.ts";
import type { Manifest } from "../plan/manifest.ts";
import { driverUri, type PlannedCode } from "./plannedCode.ts";
import { codeDirectory, type SentFile } from "./sentCode.ts";
import { streamContainer } from "./streamContainer.ts";

const volumeName = "spark-k8s-code";

/**
 * Mounts the sent files in the driver and lists them in the conf. Runs after Spark's feature steps. Without sent files
 * it returns `spec` unchanged, so the submission is identical to that of spark-submit.
 */
export function deliverCode(
  spec: DriverSpec,
  context: DriverContext,
  code: PlannedCode | undefined,
): DriverSpec {
  if (code === undefined) return spec;
  const listed = listInConf(spec, context, code);
  const mount = { name: volumeName, mountPath: codeDirectory, readOnly: true };
  switch (code.delivery.kind) {
    case "configMap": {
      const manifest = codeConfigMap(code.files, context);
      const items = keyedFiles(code.files).map(([key, { name, isExecutable }]) => ({
        key,
        path: name,
        mode: isExecutable ? 0o555 : 0o444,
      }));
      const volume = { name: volumeName, configMap: { name: manifest.metadata.name, items } };
      return addResource(addVolumes(listed, [volume], [mount]), manifest);
    }
    case "stream": {
      const mounted = addVolumes(listed, [{ name: volumeName, emptyDir: {} }], [mount]);
      const init = streamContainer({ container: mounted.container, volumeName });
      return {
        ...mounted,
        pod: editObject(mounted.pod, "spec", (own) => append(own, "initContainers", [init])),
      };
    }
  }
}

/** Appends the sent files to the conf lists. Generated modules come last, so the user's own entries win. */
function listInConf(spec: DriverSpec, context: DriverContext, { files }: PlannedCode): DriverSpec {
  const { conf } = context.application;
  const additions: readonly (readonly [string, SentFile["role"]["kind"]])[] = [
    ["spark.submit.pyFiles", "modules"],
    ["spark.files", "data"],
  ];
  const folders = files.flatMap((file) =>
    file.role.kind === "folder" ? [`${driverUri(file)}#${file.role.folder}`] : [],
  );
  const withFolders = extended(spec, "spark.archives", folders);
  function extended(before: DriverSpec, key: string, uris: readonly string[]): DriverSpec {
    if (uris.length === 0) return before;
    const own = before.systemProperties.get(key) ?? valueOf(conf, key) ?? "";
    return addProperties(before, { [key]: [own, ...uris].filter((uri) => uri !== "").join(",") });
  }
  return additions.reduce((before, [key, kind]) => {
    const uris = files.filter(({ role }) => role.kind === kind).map(driverUri);
    return extended(before, key, uris);
  }, withFolders);
}

function codeConfigMap(files: readonly SentFile[], { identity }: DriverContext): Manifest {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: codeConfigMapName(identity), namespace: identity.namespace },
    immutable: true,
    binaryData: Object.fromEntries(
      keyedFiles(files).flatMap(([key, { content }]) =>
        content.kind === "inline" ? [[key, content.base64] as const] : [],
      ),
    ),
  };
}

export const codeConfigMapName = ({ prefix }: Pick<DriverIdentity, "prefix">): string =>
  `${prefix}-code`;

/** Returns each file with its ConfigMap key. Keys allow fewer characters than file names. */
export const keyedFiles = (files: readonly SentFile[]): readonly (readonly [string, SentFile])[] =>
  files.map((file, index) => [
    `${index}-${file.name.replace(/[^-._a-zA-Z0-9]/g, "_").slice(-200)}`,
    file,
  ]);
