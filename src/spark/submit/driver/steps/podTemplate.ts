import { msg } from "../../../../base/message.ts";
import type { Span } from "../../../../base/span.ts";
import type { DriverContext, DriverSpec } from "../driverSpec.ts";
import {
  isJsonObject,
  listAt,
  objectAt,
  textAt,
  type Json,
  type JsonObject,
} from "../../../../base/json.ts";
import { problems } from "../../plan/problems.ts";
import { readEntry } from "../../conf/readConf.ts";
import type { FindingOrigin, SubmissionFinding } from "../../plan/submissionFinding.ts";
import { readTemplateText } from "../../template/templateText.ts";
import { parseTemplate } from "../../template/templateYaml.ts";

const templateKey = "spark.kubernetes.driver.podTemplateFile";
const containerKey = "spark.kubernetes.driver.podTemplateContainerName";

/**
 * Returns the initial spec: the user's pod template without its Spark container, or an empty pod. For an invalid
 * template, returns `spec` with a finding.
 */
export function podTemplate(spec: DriverSpec, context: DriverContext): DriverSpec {
  const entry = readEntry(context, templateKey);
  if (entry === undefined) {
    const empty = { apiVersion: "v1", kind: "Pod", metadata: {}, spec: {} };
    return { ...spec, pod: empty, container: {} };
  }
  const failed = (finding: SubmissionFinding): DriverSpec => ({
    ...spec,
    findings: [...spec.findings, finding],
  });
  const template = readTemplateText(entry.value, context);
  switch (template.kind) {
    case "unsupportedScheme":
      return failed(problems.templateScheme(entry.value, entry.origin));
    case "notFetched":
      return failed(problems.templateNotFetched(template.reason, templateKey, entry.origin));
    case "missing":
      return failed(
        problems.badTemplate(entry.value, msg("the file does not exist"), entry.origin),
      );
    case "notUri":
      return failed(
        problems.badTemplate(
          entry.value,
          msg("it is not a valid URI. Write a space as %20"),
          entry.origin,
        ),
      );
    case "text": {
      const { path } = template;
      const inFile = (span?: Span): FindingOrigin =>
        path === undefined
          ? entry.origin
          : { kind: "file", path, ...(span === undefined ? {} : { span }) };
      if (!template.isUtf8) {
        return failed(problems.badTemplate(entry.value, msg("it is not UTF-8 text"), inFile()));
      }
      const parsed = parseTemplate(template.text, "Pod", context.traits);
      if (!parsed.ok) {
        const { reason, span } = parsed.error;
        return failed(problems.badTemplate(entry.value, reason, inFile(span)));
      }
      return useTemplate(spec, context, parsed.value, entry.value, inFile());
    }
  }
}

function useTemplate(
  spec: DriverSpec,
  context: DriverContext,
  template: Json,
  uri: string,
  origin: FindingOrigin,
): DriverSpec {
  const findings: SubmissionFinding[] = [];
  if (!isJsonObject(template) || !isJsonObject(template["spec"])) {
    findings.push(problems.badTemplate(uri, msg("it has no spec"), origin));
    return { ...spec, findings: [...spec.findings, ...findings] };
  }
  const kind = textAt(template, "kind") ?? "Pod";
  const { refusesForeignTemplates } = context.traits;
  if (kind !== "Pod" && refusesForeignTemplates) {
    findings.push(problems.badTemplate(uri, msg`its kind is "${kind}", not "Pod"`, origin));
  } else if (kind !== "Pod") findings.push(problems.foreignTemplate(kind, origin));
  const { namespace: ownNamespace, ...metadata } = objectAt(template, "metadata");
  const { namespace } = context.identity;
  if (ownNamespace && ownNamespace !== namespace && refusesForeignTemplates) {
    findings.push(
      problems.badTemplate(uri, msg`its namespace differs from that of the application`, origin),
    );
  }
  const podSpec = objectAt(template, "spec");
  const containers = listAt(podSpec, "containers").filter((item) => isJsonObject(item));
  const chosen = chooseContainer(containers, context, findings);
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    ...template,
    metadata: {
      ...metadata,
      ...(ownNamespace === undefined ? {} : { namespace: ownNamespace && namespace }),
    },
    spec: {
      ...podSpec,
      ...("containers" in podSpec
        ? { containers: containers.filter((container) => container !== chosen) }
        : {}),
    },
  };
  return {
    ...spec,
    pod,
    container: chosen ?? {},
    findings: [...spec.findings, ...findings],
  };
}

function chooseContainer(
  containers: readonly JsonObject[],
  context: DriverContext,
  findings: SubmissionFinding[],
): JsonObject | undefined {
  const wanted = readEntry(context, containerKey);
  if (wanted === undefined) return containers[0];
  const [only, another] = containers.filter((container) => container["name"] === wanted.value);
  if (only && !another) return only;
  findings.push(problems.containerNotInTemplate(wanted.value, wanted.origin));
  return containers[0];
}
