import { addProperties, addResource, type DriverContext, type DriverSpec } from "../driverSpec.ts";
import { addFindings, addVariable, mountVolume } from "../podSpec.ts";
import type { JsonObject } from "../../../../base/json.ts";
import { absolutePath, lastSegment } from "../../arguments/localPath.ts";
import { problems } from "../../plan/problems.ts";
import { readEntry } from "../../conf/readConf.ts";
import type { SubmissionFinding } from "../../plan/submissionFinding.ts";
import { parseUri } from "../../arguments/uri.ts";

const keytabDirectory = "/mnt/secrets/kerberos-keytab";
const tokenDirectory = "/mnt/secrets/hadoop-credentials";
const krb5PathKey = "spark.kubernetes.kerberos.krb5.path";
const krb5MapKey = "spark.kubernetes.kerberos.krb5.configMapName";
const tokenKey = "spark.kubernetes.kerberos.tokenSecret";

/** Mounts the files for the Kerberos login: krb5.conf, and a keytab or delegation tokens. */
export function kerberosConf(spec: DriverSpec, context: DriverContext): DriverSpec {
  const findings = checkCombinations(context);
  const withKrb5 = addKrb5(addFindings(spec, findings), context);
  const keytab = readEntry(context, "spark.kerberos.keytab");
  if (keytab && parseUri(keytab.value)?.scheme !== "local") {
    return addKeytab(withKrb5, context, keytab.value);
  }
  const secret = readEntry(context, `${tokenKey}.name`);
  const item = readEntry(context, `${tokenKey}.itemKey`);
  if (secret && item) return addTokens(withKrb5, secret.value, item.value);
  return isKerberosOn(context) ? addFindings(withKrb5, [problemWithTokens(context)]) : withKrb5;
}

function checkCombinations(context: DriverContext): readonly SubmissionFinding[] {
  const entry = (key: string): ReturnType<typeof readEntry> => readEntry(context, key);
  const path = entry(krb5PathKey);
  const keytab = entry("spark.kerberos.keytab");
  const principal = entry("spark.kerberos.principal");
  const secret = entry(`${tokenKey}.name`);
  const item = entry(`${tokenKey}.itemKey`);
  const findings: SubmissionFinding[] = [];
  if (path && entry(krb5MapKey)) findings.push(problems.twoKrb5Confs(path.origin));
  if ((keytab === undefined) !== (principal === undefined)) {
    findings.push(problems.halfKerberosLogin((keytab ?? principal)?.origin));
  }
  if ((secret === undefined) !== (item === undefined)) {
    findings.push(problems.halfTokenSecret((secret ?? item)?.origin));
  }
  return findings;
}

function addKrb5(spec: DriverSpec, context: DriverContext): DriverSpec {
  const path = readEntry(context, krb5PathKey);
  const named = readEntry(context, krb5MapKey);
  if (path === undefined && named === undefined) return spec;
  if (path === undefined || named !== undefined) {
    return mountKrb5(spec, { name: named?.value ?? "" });
  }
  const { files, workingDirectory } = context.submissionEnvironment;
  const file = files.text(absolutePath(path.value, workingDirectory));
  if (file === undefined) {
    return addFindings(spec, [problems.missingFile(krb5PathKey, path.value, path.origin)]);
  }
  const mapName = `${context.identity.prefix}-krb5-file`;
  const fileName = lastSegment(path.value);
  const withMap = addResource(spec, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: mapName },
    immutable: true,
    data: { [fileName]: file.text },
  });
  return mountKrb5(withMap, { name: mapName, items: [{ key: fileName, path: fileName }] });
}

function mountKrb5(spec: DriverSpec, source: JsonObject): DriverSpec {
  return mountVolume(
    spec,
    { name: "krb5-file", configMap: source },
    { mountPath: "/etc/krb5.conf", subPath: "krb5.conf" },
  );
}

function addKeytab(spec: DriverSpec, context: DriverContext, keytab: string): DriverSpec {
  const { files, workingDirectory } = context.submissionEnvironment;
  const secretName = `${context.identity.prefix}-kerberos-keytab`;
  const fileName = lastSegment(keytab);
  const content = files.base64(absolutePath(keytab, workingDirectory)) ?? "";
  const withSecret = addResource(spec, {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: secretName },
    immutable: true,
    data: { [fileName]: content },
  });
  const mounted = mountVolume(
    withSecret,
    { name: "kerberos-keytab", secret: { secretName } },
    { mountPath: keytabDirectory },
  );
  return addProperties(mounted, { "spark.kerberos.keytab": `${keytabDirectory}/${fileName}` });
}

function addTokens(spec: DriverSpec, secretName: string, item: string): DriverSpec {
  const mounted = mountVolume(
    spec,
    { name: "hadoop-secret", secret: { secretName } },
    { mountPath: tokenDirectory },
  );
  return addVariable(mounted, "HADOOP_TOKEN_FILE_LOCATION", `${tokenDirectory}/${item}`);
}

// True if the submitter's Hadoop configuration enables Kerberos. A `spark.hadoop` key does not enable it.
function isKerberosOn({ submissionEnvironment }: DriverContext): boolean {
  const { HADOOP_CONF_DIR: directory } = submissionEnvironment.environment;
  if (directory === undefined) return false;
  const root = absolutePath(directory, submissionEnvironment.workingDirectory);
  const text = submissionEnvironment.files.text(`${root}/core-site.xml`)?.text ?? "";
  return /<name>\s*hadoop\.security\.authentication\s*<\/name>\s*<value>\s*kerberos\s*<\/value>/i.test(
    text,
  );
}

function problemWithTokens({ submissionEnvironment }: DriverContext): SubmissionFinding {
  const { KRB5_CONFIG: named } = submissionEnvironment.environment;
  const { files } = submissionEnvironment;
  return files.kind(named ?? "/etc/krb5.conf") === "file"
    ? problems.delegationTokens()
    : problems.noKerberosRealm();
}
