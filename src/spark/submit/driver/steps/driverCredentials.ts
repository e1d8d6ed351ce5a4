import { addProperties, addResource, type DriverContext, type DriverSpec } from "../driverSpec.ts";
import { addFindings, mountVolume } from "../podSpec.ts";
import { editObject } from "../../../../base/json.ts";
import { absolutePath } from "../../arguments/localPath.ts";
import { problems } from "../../plan/problems.ts";
import { readEntry } from "../../conf/readConf.ts";
import type { SubmissionFinding } from "../../plan/submissionFinding.ts";
import { textToBase64 } from "../../plan/base64.ts";

const prefix = "spark.kubernetes.authenticate.driver.";
const mountPath = "/mnt/secrets/spark-kubernetes-credentials";
const redacted = "<present_but_redacted>";

/**
 * `key`: the conf key without its prefix. `item`: the key in the Secret. `mounted`: the conf key of the path in the
 * driver, without its prefix.
 */
const credentials = [
  { key: "clientKeyFile", item: "client-key", mounted: "clientKeyFile" },
  { key: "clientCertFile", item: "client-cert", mounted: "clientCertFile" },
  { key: "caCertFile", item: "ca-cert", mounted: "caCertFile" },
  { key: "oauthToken", item: "oauth-token", mounted: "oauthTokenFile" },
] as const;

/** Adds and mounts a Secret with the driver's credentials. Without credentials, sets the service account. */
export function driverCredentials(spec: DriverSpec, context: DriverContext): DriverSpec {
  const findings: SubmissionFinding[] = [];
  const secret: Record<string, string> = {};
  const properties: Record<string, string> = redactedTokens(context);
  for (const { key, item, mounted } of credentials) {
    const entry = readEntry(context, `${prefix}${key}`);
    const content = entry && contentOf(key, entry.value, context);
    if (entry && content === undefined) {
      findings.push(problems.missingCredentialFile(`${prefix}${key}`, entry.value, entry.origin));
    }
    if (content !== undefined) secret[item] = content;
    const mountedKey = `${prefix}mounted.${mounted}`;
    const place = readEntry(context, mountedKey)?.value;
    if (place !== undefined) properties[mountedKey] = place;
    else if (content !== undefined) properties[mountedKey] = `${mountPath}/${item}`;
  }
  const checked = addProperties(addFindings(spec, findings), properties);
  return Object.keys(secret).length === 0
    ? nameServiceAccount(checked, context)
    : mountSecret(checked, context, secret);
}

function contentOf(key: string, value: string, context: DriverContext): string | undefined {
  const { files, workingDirectory } = context.submissionEnvironment;
  return key === "oauthToken"
    ? textToBase64(value)
    : files.base64(absolutePath(value, workingDirectory));
}

function redactedTokens({ application }: DriverContext): Record<string, string> {
  const keys = [...application.conf.keys()].filter((key) => key.endsWith("oauthToken"));
  return Object.fromEntries(keys.map((key) => [key, redacted]));
}

function nameServiceAccount(spec: DriverSpec, context: DriverContext): DriverSpec {
  const account = readEntry(context, `${prefix}serviceAccountName`)?.value;
  if (account === undefined) return spec;
  const pod = editObject(spec.pod, "spec", (own) => ({
    ...own,
    serviceAccount: account,
    serviceAccountName: account,
  }));
  return { ...spec, pod };
}

function mountSecret(
  spec: DriverSpec,
  context: DriverContext,
  secret: Readonly<Record<string, string>>,
): DriverSpec {
  const name = `${context.identity.prefix}-kubernetes-credentials`;
  const mounted = mountVolume(
    spec,
    { name: "kubernetes-credentials", secret: { secretName: name } },
    { mountPath },
  );
  const account = context.application.conf.get(`${prefix}serviceAccountName`);
  const warned = account
    ? addFindings(mounted, [problems.serviceAccountIgnored(account.origin)])
    : mounted;
  return addResource(warned, {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name },
    immutable: true,
    data: secret,
  });
}
