import { msg, type Message } from "../../../../base/message.ts";
import { isJsonObject, listAt, objectAt } from "../../../../base/json.ts";
import { problems } from "../../plan/problems.ts";
import { readEntry } from "../../conf/readConf.ts";
import type { SubmissionFinding } from "../../plan/submissionFinding.ts";
import { parseTemplate } from "../../template/templateYaml.ts";
import { executorProblems } from "../executorProblems.ts";
import type { ExecutorContext, ExecutorSpec } from "../executorSpec.ts";
import { addFindings } from "../../driver/podSpec.ts";

const containerKey = "spark.kubernetes.executor.podTemplateContainerName";

/**
 * Returns the initial spec: the user's pod template without its Spark container. Without a template returns `spec`; for
 * an invalid template, `spec` with a finding.
 */
export function executorTemplate(spec: ExecutorSpec, context: ExecutorContext): ExecutorSpec {
  const entry = readEntry(context, "spark.kubernetes.executor.podTemplateFile");
  if (entry === undefined) return spec;
  const refused = (reason: Message): ExecutorSpec =>
    addFindings(spec, [executorProblems.badTemplate(reason, entry.origin)]);
  if (context.template === undefined) return refused(msg("it does not exist"));
  const parsed = parseTemplate(context.template, "Pod", context.traits);
  if (!parsed.ok) return refused(parsed.error.reason);
  const { value } = parsed;
  if (!isJsonObject(value) || !isJsonObject(value["spec"])) return refused(msg("it has no spec"));

  const podSpec = objectAt(value, "spec");
  const containers = listAt(podSpec, "containers").filter((item) => isJsonObject(item));
  const findings: SubmissionFinding[] = [];
  const wanted = readEntry(context, containerKey);
  const named = containers.filter((container) => container["name"] === wanted?.value);
  const [only] = named;
  if (wanted && named.length !== 1) {
    const { message, ...rest } = problems.containerNotInTemplate(wanted.value, wanted.origin);
    findings.push({ ...rest, message, key: containerKey });
  }
  const chosen = named.length === 1 ? only : containers[0];
  const rest = containers.filter((container) => container !== chosen);
  const made = {
    ...spec,
    pod: {
      apiVersion: "v1",
      kind: "Pod",
      ...value,
      spec: { ...podSpec, ...("containers" in podSpec ? { containers: rest } : {}) },
    },
    container: chosen ?? {},
  };
  return addFindings(made, findings);
}
