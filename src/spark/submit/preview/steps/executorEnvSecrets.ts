import { entriesWithPrefix } from "../../conf.ts";
import { javaSplit } from "../../javaText.ts";
import { append } from "../../json.ts";
import { problems } from "../../problems.ts";
import { addFindings, type ExecutorContext, type ExecutorSpec } from "../executorSpec.ts";

/** Environment variables whose values are items of secrets: `secret:item`. */
export function executorEnvSecrets(
  spec: ExecutorSpec,
  { application }: ExecutorContext,
): ExecutorSpec {
  const entries = entriesWithPrefix(application.conf, "spark.kubernetes.executor.secretKeyRef.");
  const variables = entries.map(({ name, value }) => {
    const [secret = "", item = ""] = value.split(":");
    return { name, valueFrom: { secretKeyRef: { name: secret, key: item } } };
  });
  const findings = entries
    .filter(({ value }) => javaSplit(value, ":").length !== 2)
    .map(({ key, value, origin }) => problems.badSecretKeyRef(key, value, origin));
  return addFindings({ ...spec, container: append(spec.container, "env", variables) }, findings);
}
