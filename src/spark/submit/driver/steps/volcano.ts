import { editObject, isJsonObject, objectAt, type JsonObject } from "../../../../base/json.ts";
import type { DriverContext, DriverSpec } from "../driverSpec.ts";
import { addFindings } from "../podSpec.ts";
import { absolutePath } from "../../arguments/localPath.ts";
import { problems } from "../../plan/problems.ts";
import { readEntry } from "../../conf/readConf.ts";
import { parseTemplate } from "../../template/templateYaml.ts";

const prefix = "spark.kubernetes.scheduler.volcano.podGroupTemplate";
const groupAnnotation = "scheduling.k8s.io/group-name";

/** Adds a PodGroup. Volcano schedules the pods of a PodGroup as a unit. */
export function volcano(spec: DriverSpec, context: DriverContext): DriverSpec {
  const { identity } = context;
  const name = `${identity.applicationId}-podgroup`;
  const template = readTemplate(context);
  if (template === undefined) {
    const file = readEntry(context, `${prefix}File`);
    const finding = problems.missingFile(`${prefix}File`, file?.value ?? "", file?.origin);
    return addFindings(spec, [finding]);
  }
  const group = {
    ...template,
    apiVersion: "scheduling.volcano.sh/v1beta1",
    kind: "PodGroup",
    metadata: { ...objectAt(template, "metadata"), name, namespace: identity.namespace },
    spec: objectAt(template, "spec"),
  };
  const pod = editObject(spec.pod, "metadata", (own) =>
    editObject(own, "annotations", (annotations) => ({ ...annotations, [groupAnnotation]: name })),
  );
  return { ...spec, pod, preResources: [...spec.preResources, group] };
}

function readTemplate(context: DriverContext): JsonObject | undefined {
  const { files, workingDirectory } = context.submissionEnvironment;
  const file = readEntry(context, `${prefix}File`);
  const text = file
    ? files.text(absolutePath(file.value, workingDirectory))?.text
    : (readEntry(context, `${prefix}Json`)?.value ?? "{}");
  if (text === undefined) return undefined;
  const parsed = parseTemplate(text, "PodGroup", context.traits);
  return parsed.ok && isJsonObject(parsed.value) ? parsed.value : undefined;
}
