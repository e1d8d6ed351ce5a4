import { msg } from "../../../../base/message.ts";
import { withoutEnd } from "../../../../base/withoutEnd.ts";
import { isCapitalsMark, isPlaceholder } from "../../values/placeholders.ts";
import { at, atKeys, atMaster, podRoles } from "./violations.ts";
import type { RuleConf } from "./conf.ts";
import type { Violation, ConfRule } from "./confRule.ts";

const auth = "spark.kubernetes.authenticate";
const credentials = [
  "caCertFile",
  "clientKeyFile",
  "clientCertFile",
  "oauthToken",
  "oauthTokenFile",
];
const below = (prefix: string): readonly string[] => credentials.map((name) => `${prefix}.${name}`);
const account = `${auth}.driver.serviceAccountName`;
const keytab = "spark.kerberos.keytab";
const principal = "spark.kerberos.principal";
const krb5 = "spark.kubernetes.kerberos.krb5.path";
const krb5Map = "spark.kubernetes.kerberos.krb5.configMapName";
const secretName = "spark.kubernetes.kerberos.tokenSecret.name";
const secretItem = "spark.kubernetes.kerberos.tokenSecret.itemKey";
const hadoopMap = "spark.kubernetes.hadoop.configMapName";
const pullSecrets = "spark.kubernetes.container.image.pullSecrets";

// True for a value that is probably no secret, such as a placeholder, a number or a boolean. AWS access key ids are
// excluded, because they consist of capitals like some placeholders.
const isPlain = (value: string): boolean =>
  isPlaceholder(value) ||
  /^(?:[Tt]rue|[Ff]alse|[0-9]*|[A-Z_]+)$/.test(value) ||
  (isCapitalsMark(value) && !/^A[KS]IA[A-Z0-9]{16}$/.test(value));

function* either(
  conf: RuleConf,
  one: string,
  other: string,
  more: Pick<Violation, "isTorn"> = {},
): Generator<Violation, void> {
  for (const [key, partner] of [
    [one, other],
    [other, one],
  ] as const) {
    if (!conf.lacks(key) && conf.lacks(partner)) {
      yield* at(conf, key, {
        part: "key",
        without: [partner],
        says: msg`"${key}" also requires "${partner}".`,
        ...more,
      });
    }
  }
}

/** Rules about service accounts, credentials and secrets. */
export const identityRules: readonly ConfRule[] = [
  {
    code: "R163-driver-account-unset",
    severity: "warning",
    where: "cluster",
    isAbout: "absence",
    says: msg(
      "No service account is set for the driver, and the default one usually cannot create pods.",
    ),
    page: msg(
      "The driver creates the executors. Set `spark.kubernetes.authenticate.driver.serviceAccountName` to a service account with a Role for pods, services, ConfigMaps and persistent volume claims.",
    ),
    hit: "spark.app.name etl",
    miss: "spark.kubernetes.authenticate.driver.serviceAccountName spark",
    *check(conf) {
      if (!conf.lacks(account)) return;
      // Lower the severity for an operator: its installation may let the default service account create pods.
      const isOperated = conf.application.place !== undefined;
      for (const violation of atMaster(conf, [account]))
        yield isOperated ? { ...violation, severity: "information" } : violation;
    },
  },
  {
    code: "R164-credentials-of-other-mode",
    severity: "warning",
    where: "kubernetes",
    says: msg("Spark does not read these credentials in this deploy mode."),
    page: msg(
      "In client mode, Spark reads `spark.kubernetes.authenticate.…`. In cluster mode, it reads `spark.kubernetes.authenticate.submission.…` for the submission and `spark.kubernetes.authenticate.driver.…` for the driver.",
    ),
    hit: "spark.submit.deployMode cluster\nspark.kubernetes.authenticate.oauthTokenFile /token",
    miss: "spark.submit.deployMode client\nspark.kubernetes.authenticate.oauthTokenFile /token",
    check: (conf) =>
      conf.mode === "client"
        ? atKeys(conf, [
            ...below(`${auth}.submission`),
            ...below(`${auth}.driver`),
            ...below(`${auth}.driver.mounted`),
          ])
        : conf.mode === "cluster"
          ? atKeys(conf, below(auth))
          : [],
  },
  {
    code: "R165-token-twice",
    severity: "error",
    says: msg("A token and a token file cannot both be set."),
    page: msg(
      "Keep only one of `oauthToken` and `oauthTokenFile`. The file keeps the token out of the conf.",
    ),
    hit: "spark.kubernetes.authenticate.submission.oauthToken abc\nspark.kubernetes.authenticate.submission.oauthTokenFile /token",
    miss: "spark.kubernetes.authenticate.submission.oauthTokenFile /token\nspark.kubernetes.authenticate.driver.oauthTokenFile /token",
    *check(conf) {
      for (const prefix of ["", ".submission", ".driver.mounted", ".driver"]) {
        if (conf.lacks(`${auth}${prefix}.oauthToken`)) continue;
        const severity = prefix === ".driver" ? "warning" : "error";
        yield* at(conf, `${auth}${prefix}.oauthTokenFile`, { part: "key", severity });
      }
    },
  },
  {
    code: "R167-keytab-and-principal",
    severity: "error",
    says: msg("A keytab and its principal must be set together."),
    page: msg("Set both `spark.kerberos.keytab` and `spark.kerberos.principal`, or neither."),
    hit: "spark.kerberos.keytab /etc/a.keytab",
    miss: "spark.kerberos.keytab /etc/a.keytab\nspark.kerberos.principal me@EXAMPLE.COM",
    check: (conf) => either(conf, keytab, principal),
  },
  {
    code: "R168-two-krb5",
    severity: "error",
    says: msg("krb5.conf cannot come from both a file and a ConfigMap."),
    page: msg(
      "Keep only one of `spark.kubernetes.kerberos.krb5.path` and `spark.kubernetes.kerberos.krb5.configMapName`.",
    ),
    hit: "spark.kubernetes.kerberos.krb5.path /etc/krb5.conf\nspark.kubernetes.kerberos.krb5.configMapName krb5",
    miss: "spark.kubernetes.kerberos.krb5.configMapName krb5",
    check: (conf) => (conf.lacks(krb5) ? [] : at(conf, krb5Map, { part: "key" })),
  },
  {
    code: "R169-token-secret-half",
    severity: "error",
    says: msg("The secret's name and the key in it must be set together."),
    page: msg(
      "Set both `spark.kubernetes.kerberos.tokenSecret.name` and `spark.kubernetes.kerberos.tokenSecret.itemKey`, or neither.",
    ),
    hit: "spark.kubernetes.kerberos.tokenSecret.name tokens",
    miss: "spark.kubernetes.kerberos.tokenSecret.name tokens\nspark.kubernetes.kerberos.tokenSecret.itemKey hadoop",
    check: (conf) => either(conf, secretName, secretItem, { isTorn: true }),
  },
  {
    code: "R170-hadoop-conf-twice",
    severity: "error",
    given: { environment: new Set(["HADOOP_CONF_DIR"]) },
    says: msg("The Hadoop conf cannot come from both HADOOP_CONF_DIR and a ConfigMap."),
    page: msg(
      "Unset the variable for spark-submit, or remove `spark.kubernetes.hadoop.configMapName`.",
    ),
    hit: "spark.kubernetes.hadoop.configMapName hadoop",
    miss: "spark.kubernetes.namespace etl",
    check: (conf) =>
      conf.application.environment?.has("HADOOP_CONF_DIR") === true
        ? at(conf, hadoopMap, { part: "key" })
        : [],
  },
  {
    code: "R171-secret-key-ref",
    severity: "error",
    says: msg("The value must be a secret's name, a colon and a key."),
    page: msg(
      "A `secretKeyRef` names one key of one Secret as `name:key`. Any other format is rejected.",
    ),
    hit: "spark.kubernetes.driver.secretKeyRef.PASSWORD database",
    miss: "spark.kubernetes.driver.secretKeyRef.PASSWORD database:password",
    *check(conf) {
      for (const role of podRoles) {
        for (const entry of conf.group(`spark.kubernetes.${role}.secretKeyRef.`)) {
          if (isPlaceholder(entry.value)) continue;
          // Java's `split` drops trailing empty parts; Kubernetes rejects an empty name.
          const [name = "", ...items] = withoutEnd(entry.value, ":").split(":");
          if (name === "" || items.length !== 1) yield { at: entry };
        }
      }
    },
  },
  {
    code: "R172-environment-name",
    severity: "warning",
    says: msg("Spark drops variables with an invalid name and logs a message."),
    page: msg(
      "Names of environment variables consist of letters, digits, `-`, `_` and `.`, and must not begin with a digit.",
    ),
    hit: "spark.executorEnv.1ST value",
    miss: "spark.executorEnv.FIRST value",
    *check(conf) {
      for (const entry of conf.group("spark.executorEnv.")) {
        const name = entry.key.slice("spark.executorEnv.".length);
        if (!/^[-._a-zA-Z][-._a-zA-Z0-9]*$/.test(name) && !/[{}$<]/.test(name))
          yield { at: entry, part: "key" };
      }
    },
  },
  {
    code: "R173-plain-secret",
    severity: "warning",
    says: msg(
      "This secret is in plain text, here and in a ConfigMap that everyone with read access to the namespace can see.",
    ),
    page: msg(
      "Read it from a Secret with `spark.kubernetes.driver.secretKeyRef.…` and `spark.kubernetes.executor.secretKeyRef.…`, or let the pods authenticate with their service account.",
    ),
    hit: "spark.hadoop.fs.s3a.secret.key wJalrXUtnFEMI",
    miss: "spark.hadoop.fs.s3a.secret.key ${env:S3_SECRET}",
    *check(conf) {
      if (conf.cluster === "other") return;
      const isMaybe = conf.cluster === "unknown";
      for (const entry of conf.secrets) {
        if (isPlain(entry.value)) continue;
        yield { at: entry, ...(isMaybe && { severity: "information" as const }) };
      }
    },
  },
  {
    code: "R174-pull-secrets",
    severity: "warning",
    says: msg("The value must be a comma-separated list of secret names."),
    page: msg(
      "`spark.kubernetes.container.image.pullSecrets` is not YAML. Do not use brackets, `name:` or spaces inside a name.",
    ),
    hit: "spark.kubernetes.container.image.pullSecrets [name: registry]",
    miss: "spark.kubernetes.container.image.pullSecrets registry, mirror",
    *check(conf) {
      if (conf.list(pullSecrets).some((name) => /[\s[\]{}:"']/.test(name)))
        yield* at(conf, pullSecrets);
    },
  },
  {
    code: "R175-proxy-user-with-keytab",
    severity: "error",
    given: { proxyUser: "etl" },
    says: msg("A proxy user and a principal cannot both be set."),
    page: msg("spark-submit accepts `--proxy-user` or `--principal`, but not both."),
    hit: "spark.kerberos.principal me@EXAMPLE.COM\nspark.kerberos.keytab /etc/a.keytab",
    miss: "spark.app.name etl",
    check: (conf) =>
      conf.application.proxyUser === undefined ? [] : at(conf, principal, { part: "key" }),
  },
];
