import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { objectUrl } from "../../../src/storage/s3/objectUrl.ts";
import { readS3Settings, type S3Settings } from "../../../src/storage/s3/s3Settings.ts";
import { confOf, strangeDocument } from "./confOf.ts";
import { temporaryFolder } from "./temporaryFolder.ts";

type Values = Readonly<Record<string, string>>;

interface Place {
  readonly conf?: Values;
  readonly environment?: Values;
  /** File contents by path relative to the home directory. */
  readonly files?: Values;
  readonly bucket?: string;
}

async function read(t: TestContext, place: Place): ReturnType<typeof readS3Settings> {
  const home = temporaryFolder(t);
  for (const [path, text] of Object.entries(place.files ?? {})) {
    mkdirSync(join(home, path, ".."), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  const environment = Object.fromEntries(
    Object.entries(place.environment ?? {}).map(([name, value]) => [
      name,
      value.replace("$HOME", home),
    ]),
  );
  const written = Object.values(place.conf ?? {}).join("\n");
  const document = { ...strangeDocument, written };
  const sources = { environment, homeDirectory: home, document };
  return readS3Settings(confOf(place.conf ?? {}), place.bucket ?? "b-1", sources);
}

async function settingsOf(t: TestContext, place: Place): Promise<S3Settings> {
  const settings = await read(t, place);
  assert.ok(settings.ok, settings.ok ? "" : settings.error);
  return settings.value;
}

async function identityOf(t: TestContext, place: Place): Promise<string> {
  const { identity } = await settingsOf(t, place);
  if (identity.kind === "anonymous") return identity.kind;
  const { accessKeyId, secretAccessKey, sessionToken } = identity;
  return [accessKeyId, secretAccessKey, sessionToken ?? "-"].join(" ");
}

async function problemOf(t: TestContext, place: Place): Promise<string> {
  const settings = await read(t, place);
  assert.ok(!settings.ok, "a problem was expected");
  return settings.error;
}

const keys: Values = { "s3a.access.key": "id", "s3a.secret.key": "key" };
const awsKeys: Values = { AWS_ACCESS_KEY_ID: "env-id", AWS_SECRET_ACCESS_KEY: "env-key" };
const credentials = "[default]\naws_access_key_id = file-id\naws_secret_access_key=file-key\n";

test("reads credentials from the first source in s3a's order", async (t) => {
  const files = { ".aws/credentials": credentials };
  const rows: readonly (readonly [Place, string])[] = [
    [{ conf: keys, environment: awsKeys, files }, "id key -"],
    [{ conf: { ...keys, "s3a.session.token": "tok" } }, "id key tok"],
    [{ environment: awsKeys, files }, "env-id env-key -"],
    [{ environment: { ...awsKeys, AWS_SESSION_TOKEN: "env-tok" } }, "env-id env-key env-tok"],
    // Spark ignores the access key of the environment without the secret key.
    [{ environment: { AWS_ACCESS_KEY_ID: "env-id" }, files }, "file-id file-key -"],
    [
      { conf: { ...keys, "s3a.bucket.b-1.access.key": "own", "s3a.bucket.c.access.key": "c" } },
      "own key -",
    ],
    [{ conf: { "s3a.access.key": "  id ", "s3a.secret.key": "key\n" } }, "id key -"],
  ];
  for (const [place, expected] of rows) assert.equal(await identityOf(t, place), expected);
});

test("names the sources of the credentials", async (t) => {
  const files = { ".aws/credentials": credentials.replace("default", "team") };
  const token = { "s3a.session.token": "tok" };
  const rows: readonly (readonly [Place, readonly string[]])[] = [
    [{ conf: keys }, ["conf id", "conf key"]],
    [{ conf: { ...keys, ...token } }, ["conf id", "conf key", "conf tok"]],
    [
      { environment: awsKeys },
      ["environment AWS_ACCESS_KEY_ID", "environment AWS_SECRET_ACCESS_KEY"],
    ],
    [
      {
        conf: { "s3a.aws.credentials.provider": "EnvironmentVariableCredentialsProvider" },
        environment: awsKeys,
      },
      ["environment AWS_ACCESS_KEY_ID"],
    ],
    [{ files, environment: { AWS_PROFILE: "team" } }, ["awsProfile team"]],
  ];
  for (const [place, expected] of rows) {
    const { identity } = await settingsOf(t, place);
    assert.ok(identity.kind === "keys");
    assert.deepEqual(
      identity.places.map((one) =>
        one.kind === "conf"
          ? `conf ${one.entry.value}`
          : `${one.kind} ${one.kind === "file" ? one.path : one.name}`,
      ),
      expected,
    );
  }
});

test("reads a profile from both AWS CLI files", async (t) => {
  const files = {
    ".aws/credentials": `# mine\n${credentials}[other]\naws_access_key_id=o\naws_secret_access_key=p\naws_session_token=q==\n`,
    ".aws/config":
      "[default]\nregion = eu-north-1\n[profile  third]\nregion=sa-east-1\naws_access_key_id=t\n" +
      "s3 =\n  aws_access_key_id = nested\naws_secret_access_key=u#v ; mine\n",
    elsewhere: "[default]\naws_access_key_id=e\naws_secret_access_key=f\n",
  };
  const rows = [
    [{}, "file-id file-key -", "eu-north-1"],
    [{ AWS_PROFILE: "other" }, "o p q==", "us-east-1"],
    [{ AWS_PROFILE: "third" }, "t u#v -", "sa-east-1"],
    [{ AWS_SHARED_CREDENTIALS_FILE: "$HOME/elsewhere" }, "e f -", "eu-north-1"],
  ] as const;
  for (const [environment, identity, region] of rows) {
    assert.equal(await identityOf(t, { files, environment }), identity);
    assert.equal((await settingsOf(t, { files, environment })).region, region);
  }
});

test("uses only the credential providers of the conf, in order", async (t) => {
  const files = { ".aws/credentials": credentials };
  const everything = { conf: { ...keys, "s3a.session.token": "tok" }, environment: awsKeys, files };
  const rows = [
    ["org.apache.hadoop.fs.s3a.SimpleAWSCredentialsProvider", "id key -"],
    ["org.apache.hadoop.fs.s3a.TemporaryAWSCredentialsProvider", "id key tok"],
    ["com.amazonaws.auth.EnvironmentVariableCredentialsProvider", "env-id env-key -"],
    ["com.amazonaws.auth.profile.ProfileCredentialsProvider", "file-id file-key -"],
    ["software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider", "env-id env-key -"],
    ["org.apache.hadoop.fs.s3a.AnonymousAWSCredentialsProvider", "anonymous"],
    [
      "org.apache.hadoop.fs.s3a.auth.IAMInstanceCredentialsProvider,\n  x.ProfileCredentialsProvider",
      "file-id file-key -",
    ],
  ] as const;
  for (const [provider, expected] of rows) {
    const conf = { ...everything.conf, "s3a.aws.credentials.provider": provider };
    assert.equal(await identityOf(t, { ...everything, conf }), expected, provider);
  }
});

test("lists the possible sources when there are no credentials", async (t) => {
  const sso = { ".aws/config": "[profile dev]\nsso_session = corp\n" };
  const rows: readonly (readonly [Place, RegExp])[] = [
    [
      {},
      /no credentials .* were found: set "spark\.hadoop\.fs\.s3a\.access\.key".*~\/\.aws\/credentials$/,
    ],
    [
      {
        conf: {
          ...keys,
          "s3a.aws.credentials.provider": "a.b.WebIdentityTokenCredentialsProvider",
        },
      },
      /\(not supported: WebIdentityTokenCredentialsProvider\)/,
    ],
    [
      { environment: { AWS_PROFILE: "dev" }, files: sso },
      /profile "dev" .* "aws configure export-credentials --profile dev --format env"/,
    ],
    [
      { conf: { "s3a.security.credential.provider.path": "jceks://file/x" } },
      /a Hadoop credential store, which cannot be read without Java/,
    ],
  ];
  for (const [place, expected] of rows) assert.match(await problemOf(t, place), expected);
});

test("applies the Hadoop configuration layers in Spark's order", async (t) => {
  const coreSite = `<?xml version="1.0"?>
<configuration>
  <!-- <property><name>fs.s3a.endpoint.region</name><value>commented</value></property> -->
  <property><name>fs.s3a.endpoint</name><value>http://file:1</value></property>
  <property>
    <name> fs.s3a.path.style.access </name>
    <value>true</value>
    <final>true</final>
  </property>
  <property><name>fs.s3a.access.key</name><value>a&amp;b&#x21;</value></property>
  <property><name>fs.s3a.secret.key</name><value><![CDATA[<c>]]></value></property>
  <property><name>fs.s3a.bucket.b-1.endpoint.region</name><value>own-1</value></property>
</configuration>`;
  const files = { "hadoop/core-site.xml": coreSite };
  const environment = { HADOOP_CONF_DIR: "$HOME/hadoop" };
  const fromFile = await settingsOf(t, { files, environment });
  assert.equal(fromFile.endpoint?.href, "http://file:1/");
  assert.equal(fromFile.addressing, "path");
  assert.equal(await identityOf(t, { files, environment }), "a&b! <c> -");
  assert.equal(fromFile.region, "own-1");

  const aws = { ...environment, ...awsKeys, AWS_ENDPOINT_URL: "https://env:2" };
  assert.equal((await settingsOf(t, { files, environment: aws })).endpoint?.href, "https://env:2/");
  const conf = { "s3a.endpoint": "conf:3", "s3a.endpoint.region": "conf-1" };
  const all = await settingsOf(t, { files, environment: aws, conf });
  assert.equal(all.endpoint?.href, "https://conf:3/");
  // A setting for the bucket overrides general settings, even those of a layer with a higher priority.
  assert.equal(all.region, "own-1");
  assert.equal((await settingsOf(t, { files, environment, conf, bucket: "b-2" })).region, "conf-1");
});

test("resolves references in values like Hadoop", async (t) => {
  const environment = { MY_KEY: "from-env", EMPTY: "" };
  const rows = [
    ["${env.MY_KEY}", "from-env"],
    ["${env.NONE:-x}${env.EMPTY:-y}${env.EMPTY-z}", "xy"],
    ["${my.key}/${unknown}", "deep/from-env/${unknown}"],
    ["${env.NONE}", "${env.NONE}"],
    ["${loop}", "${loop}"],
  ] as const;
  for (const [value, expected] of rows) {
    const conf = {
      "s3a.access.key": value,
      "s3a.secret.key": "k",
      "spark.hadoop.my.key": "deep/${env.MY_KEY}",
      "spark.hadoop.loop": "${loop}",
    };
    assert.equal(await identityOf(t, { conf, environment }), `${expected} k -`);
  }
});

test("builds the object URL from endpoint, region, bucket and addressing style", async (t) => {
  const rows: readonly (readonly [Values, string, Values?, string?])[] = [
    [{}, "https://b-1.s3.us-east-1.amazonaws.com/u/k"],
    [{ "s3a.endpoint.region": "cn-north-1" }, "https://b-1.s3.cn-north-1.amazonaws.com.cn/u/k"],
    [{}, "https://b-1.s3.eu-west-2.amazonaws.com/u/k", { AWS_REGION: "eu-west-2" }],
    [{}, "https://b-1.s3.eu-west-2.amazonaws.com/u/k", { AWS_DEFAULT_REGION: "eu-west-2" }],
    [
      { "s3a.endpoint": "s3.amazonaws.com" },
      "https://b-1.s3.eu-west-2.amazonaws.com/u/k",
      { AWS_REGION: "eu-west-2" },
    ],
    [{ "s3a.endpoint": "minio:9000" }, "https://b-1.minio:9000/u/k"],
    [
      { "s3a.endpoint": "minio:9000", "s3a.connection.ssl.enabled": "false" },
      "http://b-1.minio:9000/u/k",
    ],
    // The endpoint's scheme overrides the TLS setting.
    [
      { "s3a.endpoint": "http://minio:9000", "s3a.path.style.access": "TRUE" },
      "http://minio:9000/b-1/u/k",
    ],
    [{ "s3a.endpoint": "http://127.0.0.1:9000" }, "http://127.0.0.1:9000/b-1/u/k"],
    [{ "s3a.endpoint": "http://[::1]:9000" }, "http://[::1]:9000/b-1/u/k"],
    [{ "s3a.endpoint": "https://gate/s3/" }, "https://b-1.gate/s3/u/k"],
    [{}, "https://s3.us-east-1.amazonaws.com/b.with.dots/u/k", {}, "b.with.dots"],
    [{}, "https://s3.us-east-1.amazonaws.com/Upper_Case/u/k", {}, "Upper_Case"],
  ];
  for (const [conf, expected, environment = {}, bucket = "b-1"] of rows) {
    const settings = await settingsOf(t, { conf: { ...keys, ...conf }, environment, bucket });
    assert.equal(objectUrl(settings, settings.region, "u/k", {}).href, expected);
  }
});

test("reads the region from the endpoint when the conf does not set it", async (t) => {
  const rows = [
    ["s3.eu-central-1.amazonaws.com", "eu-central-1"],
    ["https://s3-us-west-2.amazonaws.com", "us-west-2"],
    ["s3.dualstack.ap-south-1.amazonaws.com", "ap-south-1"],
    ["bucket.vpce-1a2b-3c4d.s3.us-gov-west-1.vpce.amazonaws.com", "us-gov-west-1"],
    ["s3.cn-north-1.amazonaws.com.cn", "cn-north-1"],
    ["minio.example:9000", "us-east-1"],
  ] as const;
  for (const [endpoint, region] of rows) {
    const settings = await settingsOf(t, { conf: { ...keys, "s3a.endpoint": endpoint } });
    assert.equal(settings.region, region, endpoint);
  }
});

test("requests the encryption of the conf and rejects unsupported algorithms", async (t) => {
  const rows = [
    [{}, {}],
    [{ "s3a.encryption.algorithm": "AES256" }, { "x-amz-server-side-encryption": "AES256" }],
    [
      { "s3a.server-side-encryption-algorithm": "SSE-KMS", "s3a.server-side-encryption.key": "k" },
      {
        "x-amz-server-side-encryption": "aws:kms",
        "x-amz-server-side-encryption-aws-kms-key-id": "k",
      },
    ],
    [
      { "s3a.encryption.algorithm": "DSSE-KMS" },
      { "x-amz-server-side-encryption": "aws:kms:dsse" },
    ],
  ] as const;
  for (const [conf, expected] of rows) {
    const { encryption } = await settingsOf(t, { conf: { ...keys, ...conf } });
    assert.deepEqual(encryption, expected);
  }
  for (const algorithm of ["SSE-C", "CSE-KMS"]) {
    const conf = { ...keys, "s3a.encryption.algorithm": algorithm };
    assert.match(await problemOf(t, { conf }), /encryption.* is not supported for uploads/);
  }
});

test("rejects a value that is invalid in a header or host name without showing it", async (t) => {
  const rows: readonly (readonly [Values, RegExp])[] = [
    [{ ...keys, "s3a.access.key": "hunter\n22" }, /the access key, the secret key or the session/],
    [{ ...keys, "s3a.session.token": "hünter22" }, /the access key, the secret key or the session/],
    [{ ...keys, "s3a.endpoint.region": "hunter 22" }, /is not a region name$/],
    [
      { ...keys, "s3a.encryption.algorithm": "SSE-KMS", "s3a.encryption.key": "hunter\r\n22" },
      /is not a KMS key$/,
    ],
  ];
  for (const [conf, expected] of rows) {
    const problem = await problemOf(t, { conf });
    assert.match(problem, expected);
    assert.doesNotMatch(problem, /h.nter/);
  }
  const environment = { AWS_ACCESS_KEY_ID: "id\r", AWS_SECRET_ACCESS_KEY: " key\n" };
  assert.equal(await identityOf(t, { environment }), "id key -");
});

test("rejects an invalid endpoint without showing it", async (t) => {
  for (const endpoint of ["ftp://host", "https://user:hunter22@host", "ht tp", "http://"]) {
    const problem = await problemOf(t, { conf: { ...keys, "s3a.endpoint": endpoint } });
    assert.match(problem, /is not a valid server address$/);
    assert.doesNotMatch(problem, /hunter22|ftp/);
  }
});
