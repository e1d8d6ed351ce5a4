import { entriesWithPrefix } from "../../conf/conf.ts";
import { javaSplit } from "../../conf/javaText.ts";
import { append } from "../../../../base/json.ts";
import { addFindings, type PodSpec } from "../podSpec.ts";
import { problems } from "../../plan/problems.ts";
import type { ConfReading } from "../../conf/readConf.ts";

/** Adds environment variables that refer to Secrets. The conf value is `secret:key`. */
export function envSecrets<Spec extends PodSpec>(
  spec: Spec,
  { application }: ConfReading,
  role: "driver" | "executor",
): Spec {
  const entries = entriesWithPrefix(application.conf, `spark.kubernetes.${role}.secretKeyRef.`);
  const variables = entries.map(({ name, value }) => {
    const [secret = "", item = ""] = javaSplit(value, ":");
    return { name, valueFrom: { secretKeyRef: { name: secret, key: item } } };
  });
  const findings = entries
    .filter(({ value }) => javaSplit(value, ":").length !== 2)
    .map(({ key, value, origin }) => problems.badSecretKeyRef(key, value, origin));
  return addFindings({ ...spec, container: append(spec.container, "env", variables) }, findings);
}
