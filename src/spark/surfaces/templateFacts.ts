import type { TemplateFacts } from "../conf/catalogue/applicationFacts.ts";
import { parseOperatorTemplate, sparkContainer } from "../operator/podTemplates.ts";
import type { Role } from "../operator/kubeflowFields.ts";
import { isJsonObject, listAt, objectAt, textAt, type JsonObject } from "../../base/json.ts";

/** Returns the properties of a pod template that rules check. Undefined if the text is not a pod template. */
export function templateFacts(
  text: string,
  role: Role,
  containerName: string | undefined,
): TemplateFacts | undefined {
  const template = parseOperatorTemplate(text);
  if (template === undefined) return undefined;
  const metadata = objectAt(template, "metadata");
  const spec = objectAt(template, "spec");
  const containers = listAt(spec, "containers").filter((one) => isJsonObject(one));
  // Without a configured name, or without a container of that name, Spark takes the first
  // container.
  const named = containers.find((one) => textAt(one, "name") === containerName);
  const own = (containerName === undefined ? undefined : named) ?? containers[0] ?? {};
  const grace = spec["terminationGracePeriodSeconds"];
  return {
    // Spark gives an unnamed container its default name.
    containers: containers.map((one) => textAt(one, "name") ?? sparkContainer[role]),
    overwritten: [
      ...fieldsOf(metadata, ["name", "namespace"], "metadata."),
      ...fieldsOf(spec, ["restartPolicy"], "spec."),
      ...fieldsOf(own, ["image", "imagePullPolicy", "args"], ""),
      ...["requests", "limits"].flatMap((kind) =>
        fieldsOf(objectAt(objectAt(own, "resources"), kind), ["cpu", "memory"], `${kind}.`),
      ),
      ...(objectAt(own, "securityContext")[escalation] === true ? [securityField] : []),
    ],
    hasLivenessProbe: isJsonObject(own["livenessProbe"]),
    gracePeriodSeconds: typeof grace === "number" ? grace : undefined,
  };
}

const escalation = "allowPrivilegeEscalation";
const securityField = `securityContext.${escalation}`;

const fieldsOf = (
  object: JsonObject,
  names: readonly string[],
  before: string,
): readonly string[] =>
  names.filter((name) => object[name] !== undefined).map((name) => `${before}${name}`);
