import { entriesWithPrefix } from "../conf.ts";
import { addFindings, type DriverContext, type DriverSpec } from "../driverSpec.ts";
import { javaSplit } from "../javaText.ts";
import { append } from "../json.ts";
import { problems } from "../problems.ts";

/** Environment variables whose values are items of secrets: `secret:item`. */
export function envSecrets(spec: DriverSpec, { application }: DriverContext): DriverSpec {
  const entries = entriesWithPrefix(application.conf, "spark.kubernetes.driver.secretKeyRef.");
  const variables = entries.map(({ name, value }) => {
    const [secret = "", item = ""] = javaSplit(value, ":");
    return { name, valueFrom: { secretKeyRef: { name: secret, key: item } } };
  });
  const findings = entries
    .filter(({ value }) => javaSplit(value, ":").length !== 2)
    .map(({ key, value, origin }) => problems.badSecretKeyRef(key, value, origin));
  return addFindings({ ...spec, container: append(spec.container, "env", variables) }, findings);
}
