// Texts and their redacted form, grouped by redaction function. `***` stands for the mask.

export interface Row {
  readonly input: string;
  readonly expected: string;
}

const row = (input: string, expected: string): Row => ({ input, expected });
const same = (input: string): Row => ({ input, expected: input });

// Split into parts, so that secret scanners do not report them.
const joined = (...parts: readonly string[]): string => parts.join("");
const accountKey = `${"Zm9vYmFyYmF6".repeat(7)}Zm==`;
const webToken = joined("eyJ", "hbGciOiJSUzI1NiJ9.eyJ", "zdWIiOiJzeXN0ZW0ifQ.c2ln-bmF0_dXJl");
const accessKey = joined("AKIA", "IOSFODNN7EXAMPLE");
const sessionKey = joined("ASIA", "IOSFODNN7EXAMPLE");
const secretKey = joined("wJalrXUtnFEMI/K7MDENG/", "bPxRfiCYEXAMPLEKEY");
const gitHubToken = `ghp_${"a1B2".repeat(9)}`;
const gitHubPat = `github_pat_${"11ABCDEFG0".repeat(4)}`;
const gitLabToken = joined("glpat-", "aB3dE6gH9jK2mN5pQ8sT");
const slackToken = joined("xoxb-", "123456789012-abcdefABCDEF");
const npmToken = `npm_${"a1B2".repeat(9)}`;
const googleKey = joined("AIza", "SyA1234567890abcdefghijklmnopqrstuv");
const sasSignature = "aB3%2FdE6gH9jK2mN5pQ8sTuV0wX4yZ7%2BcF1iL%3D";
const keyBody = `MIIEvQIBADAN${"BgkqhkiG9w0".repeat(4)}`;
const hash = "da39a3ee5e6b4b0d3255bfef95601890afd80709";
const digest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** Lines of a log, an error or a command. */
export const lines: readonly Row[] = [
  // Passwords in URLs.
  row("jdbc:postgresql://u:hunter2@h:5432/db", "jdbc:postgresql://u:***@h:5432/db"),
  row("--dsn=postgres://u:hunter2@h/db", "--dsn=postgres://u:***@h/db"),
  row("--dsn=postgres://u:hun/ter2@h/db", "--dsn=postgres://u:***@h/db"),
  row("redis://:hunter2@cache:6379/0", "redis://:***@cache:6379/0"),
  row("mongodb://u:hunter2@h1:1,h2:2/db", "mongodb://u:***@h1:1,h2:2/db"),
  row("mongodb+srv://u:hun@ter2@h/db", "mongodb+srv://u:***@h/db"),
  row("pip install -i https://u:hunter2@pypi.host/s", "pip install -i https://u:***@pypi.host/s"),
  row("jdbc:oracle:thin:scott/hunter2@h:1521:X", "jdbc:oracle:thin:scott/***@h:1521:X"),
  row("jdbc:oracle:thin:scott/hunter2@//h:1521/X", "jdbc:oracle:thin:scott/***@//h:1521/X"),
  row("u:hunter2@tcp(h:3306)/db failed", "u:***@tcp(h:3306)/db failed"),
  row("GET /x?to=pg%3A%2F%2Fu%3Ahunter2%40h HTTP/1.1", "GET /x?to=pg%3A%2F%2Fu%3A***%40h HTTP/1.1"),
  same("GET /x?to=pg%3A%2F%2Fu%3A%40h HTTP/1.1"),
  row("jdbc:mysql://h/d?password=hunter2&user=u", "jdbc:mysql://h/d?password=***&user=u"),
  row("jdbc:mysql://h/d?user=u&password=hunter2", "jdbc:mysql://h/d?user=u&password=***"),
  row(
    "jdbc:sqlserver://h:1;user=a@b;password=hunter2;x=1",
    "jdbc:sqlserver://h:1;user=a@b;password=***;x=1",
  ),
  row("Server=h;Uid=sa;Pwd=hunter2;Encrypt=yes", "Server=h;Uid=sa;Pwd=***;Encrypt=yes"),
  same("https://10.0.0.1:443/api and mail@host"),
  same("<//:#@"),
  row("redis://u:#!?@cache:6379/0", "redis://u:***@cache:6379/0"),
  same("abfss://container@account.dfs.core.windows.net/path"),
  same("spark://CoarseGrainedScheduler@10.0.0.2:7078"),
  same("git@github.com:org/repo.git"),
  same("k8s://https://10.0.0.1:6443"),
  same("jdbc:oracle:thin:@//h:1521/X"),
  same("http://[::1]:8080/a@b"),
  same("kafka://h1:9092,h2:9092/topic@1"),
  // Storage account keys.
  row(
    `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${accountKey};EndpointSuffix=x`,
    "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=***;EndpointSuffix=x",
  ),
  row(
    `fs.azure.account.key.a.dfs.core.windows.net=${accountKey}`,
    "fs.azure.account.key.a.dfs.core.windows.net=***",
  ),
  row(
    `https://a.blob.core.windows.net/c?sv=2022&se=2026&sig=${sasSignature}`,
    "https://a.blob.core.windows.net/c?sv=2022&se=2026&sig=***",
  ),
  row(
    `https://a.blob.core.windows.net/c?sig=${sasSignature}&sv=2022 failed`,
    "https://a.blob.core.windows.net/c?sig=***&sv=2022 failed",
  ),
  row(`SharedAccessSignature=sv=2022&sig=${sasSignature}`, "SharedAccessSignature=sv=2022&sig=***"),
  row(
    `Endpoint=sb://x/;SharedAccessKeyName=n;SharedAccessKey=${accountKey}`,
    "Endpoint=sb://x/;SharedAccessKeyName=***;SharedAccessKey=***",
  ),
  row(
    "https://b.s3/k?X-Amz-Credential=AK%2F2026&X-Amz-Signature=0a1b2c&x=1",
    "https://b.s3/k?X-Amz-Credential=***&X-Amz-Signature=***&x=1",
  ),
  row(
    "https://b.s3/k?X-Amz-Security-Token=IQoJ%2F%2F&x=1",
    "https://b.s3/k?X-Amz-Security-Token=***&x=1",
  ),
  row("https://g/k?X-Goog-Signature=0a1b2c&x=1", "https://g/k?X-Goog-Signature=***&x=1"),
  row(`got ${accessKey} here`, "got *** here"),
  row(`got ${sessionKey}, ok`, "got ***, ok"),
  row(`aws ${accessKey} ${secretKey} eu`, "aws *** *** eu"),
  row(
    `AWS_ACCESS_KEY_ID=minio AWS_SECRET_ACCESS_KEY=${secretKey}`,
    "AWS_ACCESS_KEY_ID=*** AWS_SECRET_ACCESS_KEY=***",
  ),
  // Tokens.
  row(`using ${webToken}.`, "using ***."),
  row(`cookie: t=${webToken}; x=1`, "cookie: t=***; x=1"),
  row(`remote: ${gitHubToken} denied`, "remote: *** denied"),
  row(`https://${gitHubToken}@github.com/o/r`, "https://***@github.com/o/r"),
  row(`x=${gitHubPat}`, "x=***"),
  row(`x=${gitLabToken} y`, "x=*** y"),
  row(`hook ${slackToken}`, "hook ***"),
  row(`//registry/:_auth=${npmToken}`, "//registry/:_auth=***"),
  row(`${npmToken}!`, "***!"),
  row(`?key=${googleKey}&q=1`, "?key=***&q=1"),
  row(
    "curl -H 'Authorization: Bearer abcdefghijkl' https://x",
    "curl -H 'Authorization: Bearer ***' https://x",
  ),
  row("Authorization: Basic dXNlcjpodW50ZXIy", "Authorization: Basic ***"),
  row("sent Basic dXNlcjpodW50ZXIy once", "sent Basic *** once"),
  row('{"auths":{"r":{"auth":"dXNlcjpodW50ZXIy"}}}', '{"auths":{"r":{"auth":"***"}}}'),
  same("basic statistics of x"),
  same("auth: kerberos"),
  same("npm_config_registry=https://registry"),
  same("eyJust a word.with a dot"),
  // Keys.
  row(
    `-----BEGIN PRIVATE KEY-----\\n${keyBody}\\n-----END PRIVATE KEY-----\\n`,
    "-----BEGIN PRIVATE KEY-----\\n***\\n-----END PRIVATE KEY-----\\n",
  ),
  row(
    `{"type":"service_account","private_key_id":"7","private_key":"-----BEGIN PRIVATE KEY-----\\n${keyBody}\\n-----END PRIVATE KEY-----\\n","client_email":"a@b"}`,
    '{"type":"service_account","private_key_id":"7","private_key":"***","client_email":"a@b"}',
  ),
  row(`-----BEGIN RSA PRIVATE KEY-----${keyBody}`, "-----BEGIN RSA PRIVATE KEY-----***"),
  same("-----BEGIN CERTIFICATE-----MIIB-----END CERTIFICATE-----"),
  // User-defined names.
  row("DB_PASS=hunter2 and on", "DB_PASS=*** and on"),
  row("dbPass: hunter2", "dbPass: ***"),
  row("MYSQL_PWD=hunter2", "MYSQL_PWD=***"),
  row("PGPASSWORD=hunter2 psql", "PGPASSWORD=*** psql"),
  row("export REDIS_PASSWD='hunter2'", "export REDIS_PASSWD='***'"),
  row("api_key=hunter2", "api_key=***"),
  row("x-api-key: hunter2", "x-api-key: ***"),
  row('{"apiKey":"hunter2"}', '{"apiKey":"***"}'),
  row("AZURE_SAS=hunter2", "AZURE_SAS=***"),
  row("ssh.passphrase=hunter2", "ssh.passphrase=***"),
  row("tool --pass hunter2 --verbose", "tool --pass *** --verbose"),
  row("-Ddb.pass=hunter2 -Dx=1", "-Ddb.pass=*** -Dx=1"),
  row("signing_key=hunter2", "signing_key=***"),
  same("bypass=on compass=north"),
  same("spark.sql.hive.passthrough=x"),
  same("PWD=/opt/spark/work-dir OLDPWD=/"),
  same("PASS: test_orders"),
  same("pass=1 loss=0.3"),
  same("spark.io.encryption.keySizeBits=128"),
  same("passed 5 of 7 checks"),
  same("the sort key: day"),
  // Harmless texts that look like secrets.
  same(`image apache/spark@sha256:${digest}`),
  same(`commit ${hash} of main`),
  same(`revision=${hash}`),
  same("resourceVersion: 123456789"),
  same("uid: 0b9c0a52-6ac6-4b3a-8f6e-9d7f2f6b1c11"),
  same("md5 XrY7u+Ae7tCTyyK7j1rNww=="),
  same("sha256=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="),
  same("spark.kubernetes.authenticate.driver.serviceAccountName=spark"),
  same("mountPath: /var/run/secrets/kubernetes.io/serviceaccount"),
  same("reading /var/run/secrets/kubernetes.io/serviceaccount/token"),
  same(
    "26/01/02 03:04:05 INFO Executor: Finished task 0.0 in stage 1.0 (TID 1). 1234 bytes result",
  ),
];

/** A key and a value: a conf entry, an environment variable, an annotation. */
export const values: readonly (Row & { readonly key: string })[] = [
  {
    key: "spark.jars.repositories",
    ...row("https://u:hunter2@repo/a,https://b", "https://u:***@repo/a,https://b"),
  },
  {
    key: "spark.kubernetes.driverEnv.DATABASE_URL",
    ...row("postgres://u:hunter2@h/db", "postgres://u:***@h/db"),
  },
  { key: "spark.kubernetes.driverEnv.DB_PASS", ...row("hunter2", "***") },
  {
    key: "spark.my.url",
    ...row(
      "jdbc:postgresql://h/db?user=u&password=hunter2",
      "jdbc:postgresql://h/db?user=u&password=***",
    ),
  },
  { key: "spark.my.url", ...row("jdbc:postgresql://u:hunter2@h/my-secret", "***") },
  { key: "spark.my.text", ...row("a password of one", "***") },
  { key: "spark.hadoop.fs.azure.account.key.a.dfs.core.windows.net", ...row(accountKey, "***") },
  {
    key: "spark.hadoop.fs.azure.sas.c.a.blob.core.windows.net",
    ...row(`?sv=1&sig=${sasSignature}`, "***"),
  },
  {
    key: "spark.executor.extraJavaOptions",
    ...row("-Ddb.pass=hunter2 -Xmx1g", "-Ddb.pass=*** -Xmx1g"),
  },
  {
    key: "KEY_FILE_TEXT",
    ...row(
      `-----BEGIN EC PRIVATE KEY-----\n${keyBody}\nabc=\n-----END EC PRIVATE KEY-----\n`,
      "-----BEGIN EC PRIVATE KEY-----\n***\n-----END EC PRIVATE KEY-----\n",
    ),
  },
  { key: "CONF", ...row("a: 1\ndb:\n  pass: hunter2\n", "a: 1\ndb:\n  pass: ***\n") },
  { key: "DB_PASSWORD", ...same("${env:DB_PASSWORD}") },
  { key: "DB_PASSWORD", ...same("$(DB_PASSWORD)") },
  { key: "PWD", ...same("/opt/spark") },
  { key: "spark.app.name", ...same("orders") },
  { key: "spark.kubernetes.authenticate.driver.serviceAccountName", ...same("spark") },
  { key: "spark.kubernetes.container.image", ...same(`apache/spark@sha256:${digest}`) },
  { key: "spark.sql.x.passthrough", ...same("yes or no") },
];

/** Program arguments. */
export const argumentRows: readonly {
  readonly input: readonly string[];
  readonly expected: readonly string[];
}[] = [
  { input: ["--password", "hunter2", "--n", "5"], expected: ["--password", "***", "--n", "5"] },
  { input: ["--pass", "hunter2"], expected: ["--pass", "***"] },
  { input: ["--dsn=postgres://u:hunter2@h"], expected: ["--dsn=postgres://u:***@h"] },
  { input: ["--dsn", "postgres://u:hunter2@h"], expected: ["--dsn", "postgres://u:***@h"] },
  { input: ["--db-pass=hunter2"], expected: ["--db-pass=***"] },
  {
    input: ["--url=jdbc:mysql://h/d?user=u&password=hunter2"],
    expected: ["--url=jdbc:mysql://h/d?user=u&password=***"],
  },
  { input: ["--conf", "spark.x.password=hunter2"], expected: ["--conf", "spark.x.password=***"] },
  { input: ["sh", "-c", "DB_PASS=hunter2 run.sh"], expected: ["sh", "-c", "DB_PASS=***"] },
  { input: ["my-secret"], expected: ["***"] },
  { input: ["--password", "$(DB_PASSWORD)"], expected: ["--password", "$(DB_PASSWORD)"] },
  {
    input: ["--bypass", "x", "driver", "--class", "A"],
    expected: ["--bypass", "x", "driver", "--class", "A"],
  },
];

/** File contents, as in ConfigMaps. */
export const files: readonly Row[] = [
  row("url=jdbc:x://h/d?user=u&password=hunter2\nn=1", "url=jdbc:x://h/d?user=u&password=***\nn=1"),
  row("db.password hunter2\nx=1", "db.password ***\nx=1"),
  row("db:\n  password: |\n    hun\n    ter2\nn: 1", "db:\n  password: |\n    ***\n    ***\nn: 1"),
  row("- name: DB_PASS\n  value: hunter2\n", "- name: DB_PASS\n  value: ***\n"),
  row(
    "<name>x.password</name>\n<value>hunter2</value>",
    "<name>x.password</name>\n<value>***</value>",
  ),
  row("<password>hunter2</password>", "<password>***</password>"),
  row(
    `key: |\n  -----BEGIN PRIVATE KEY-----\n  ${keyBody}\n  abc=\n  -----END PRIVATE KEY-----\n`,
    "key: |\n  -----BEGIN PRIVATE KEY-----\n  ***\n  -----END PRIVATE KEY-----\n",
  ),
  same("*.sink.class=plain\nlog4j.rootLogger=INFO, console\n"),
  same("apiVersion: v1\nkind: Pod\nmetadata:\n  name: driver\n"),
];
