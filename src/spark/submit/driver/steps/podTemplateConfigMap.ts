import { msg } from "../../../../base/message.ts";
import { addProperties, addResource, type DriverContext, type DriverSpec } from "../driverSpec.ts";
import { addFindings, mountVolume } from "../podSpec.ts";
import { problems } from "../../plan/problems.ts";
import { readEntry } from "../../conf/readConf.ts";
import { readTemplateText } from "../../template/templateText.ts";

const key = "spark.kubernetes.executor.podTemplateFile";
const item = "podspec-configmap-key";
const mountPath = "/opt/spark/pod-template";
const fileName = "pod-spec-template.yml";
const volume = "pod-template-volume";

/** Mounts the executors' pod template in the driver through a ConfigMap, unparsed, because the driver parses it. */
export function podTemplateConfigMap(spec: DriverSpec, context: DriverContext): DriverSpec {
  const entry = readEntry(context, key);
  if (entry === undefined) return spec;
  const template = readTemplateText(entry.value, context);
  if (template.kind === "notFetched") {
    return addFindings(spec, [problems.templateNotFetched(template.reason, key, entry.origin)]);
  }
  if (template.kind !== "text") {
    return addFindings(spec, [problems.missingFile(key, entry.value, entry.origin)]);
  }
  if (!template.isUtf8 && context.traits.refusesBinaryText) {
    return addFindings(spec, [
      problems.badValue(key, entry.value, msg("UTF-8 text"), entry.origin),
    ]);
  }
  const name = `${context.identity.prefix}-driver-podspec-conf-map`;
  const source = { name, items: [{ key: item, path: fileName }] };
  const withMap = addResource(spec, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name },
    immutable: true,
    data: { [item]: template.text },
  });
  return addProperties(mountVolume(withMap, { name: volume, configMap: source }, { mountPath }), {
    [key]: `${mountPath}/${fileName}`,
  });
}
