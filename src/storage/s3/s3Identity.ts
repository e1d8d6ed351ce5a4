import { err, ok, type Result } from "../../base/result.ts";
import type { ValuePlace } from "../documentTrust.ts";
import type { AwsProfile } from "./awsProfile.ts";
import type { S3Conf } from "./s3Conf.ts";

/** The credentials for requests to the storage, or anonymous access. */
export type S3Identity = { readonly kind: "anonymous" } | S3Keys;

interface S3Keys {
  readonly kind: "keys";
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
  /** The sources of the keys. */
  readonly places: readonly ValuePlace[];
}

interface IdentitySources {
  readonly conf: S3Conf;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly profile: AwsProfile;
}

/**
 * Returns the identity of the first credential provider that has one. Tries the providers that the conf names, or s3a's
 * default ones, in order. Returns an error text if no provider has an identity, or if its keys have invalid characters.
 */
export function findIdentity(sources: IdentitySources): Result<S3Identity, string> {
  const named = sources
    .conf("aws.credentials.provider")
    ?.split(/[\s,]+/)
    .filter(Boolean);
  const names = named?.map((name) => name.slice(name.lastIndexOf(".") + 1)) ?? defaultProviders;
  const unusable: string[] = [];
  for (const name of names) {
    const provider = providers.find(({ pattern }) => pattern.test(name));
    const found = provider?.find(sources);
    if (found !== undefined) return isSendable(found) ? ok(found) : err(unsendable);
    if (provider === undefined) unusable.push(name);
  }
  return err(describeLack(sources, unusable));
}

// Check the characters before use: Node's error about an invalid header would show the key.
const isSendable = (identity: S3Identity): boolean =>
  identity.kind === "anonymous" ||
  [identity.accessKeyId, identity.secretAccessKey, identity.sessionToken ?? "key"].every((text) =>
    /^[\x21-\x7e]+$/.test(text),
  );

const unsendable =
  "the access key, the secret key or the session token contains spaces, line breaks or invalid characters";

const defaultProviders = [
  "TemporaryAWSCredentialsProvider",
  "SimpleAWSCredentialsProvider",
  "EnvironmentVariableCredentialsProvider",
  "ProfileCredentialsProvider",
];

interface Provider {
  readonly pattern: RegExp;
  readonly find: (sources: IdentitySources) => S3Identity | undefined;
}

const fromEnvironment = ({ environment }: IdentitySources): S3Identity | undefined =>
  keys(
    environment["AWS_ACCESS_KEY_ID"],
    environment["AWS_SECRET_ACCESS_KEY"],
    environment["AWS_SESSION_TOKEN"],
    [{ kind: "environment", name: "AWS_ACCESS_KEY_ID" }],
  );

const fromProfile = ({ profile: { name, values } }: IdentitySources): S3Identity | undefined =>
  keys(
    values.get("aws_access_key_id"),
    values.get("aws_secret_access_key"),
    values.get("aws_session_token"),
    [{ kind: "awsProfile", name }],
  );

const fromConf = (conf: S3Conf, sessionToken: string | undefined): S3Identity | undefined => {
  const pair = ["access.key", "secret.key"] as const;
  const names = sessionToken === undefined ? pair : ([...pair, tokenName] as const);
  const places = names.map((name) => conf.placeOf(name)).filter((place) => place !== undefined);
  return keys(conf("access.key"), conf("secret.key"), sessionToken, places);
};

const tokenName = "session.token";

// Credential providers of Hadoop and of both AWS SDK versions, by simple class name.
const providers: readonly Provider[] = [
  {
    pattern: /^TemporaryAWSCredentialsProvider$/,
    find: ({ conf }) => {
      const token = conf(tokenName);
      return token === undefined ? undefined : fromConf(conf, token);
    },
  },
  {
    pattern: /^SimpleAWSCredentialsProvider$/,
    find: ({ conf }) => fromConf(conf, undefined),
  },
  { pattern: /^EnvironmentVariableCredentialsProvider$/, find: fromEnvironment },
  { pattern: /^Profile(?:AWS)?CredentialsProvider$/, find: fromProfile },
  {
    pattern: /^Default(?:AWS)?CredentialsProvider(?:Chain)?$/,
    find: (sources) => fromEnvironment(sources) ?? fromProfile(sources),
  },
  { pattern: /^Anonymous(?:AWS)?CredentialsProvider$/, find: () => ({ kind: "anonymous" }) },
];

function keys(
  accessKeyId: string | undefined,
  secretAccessKey: string | undefined,
  sessionToken: string | undefined,
  places: readonly ValuePlace[],
): S3Keys | undefined {
  const [id = "", secret = "", token = ""] = [accessKeyId, secretAccessKey, sessionToken].map(
    (text) => text?.trim(),
  );
  if (id === "" || secret === "") return undefined;
  return {
    kind: "keys",
    accessKeyId: id,
    secretAccessKey: secret,
    sessionToken: token === "" ? undefined : token,
    places,
  };
}

const programsOfProfile = ["sso_session", "sso_start_url", "credential_process", "role_arn"];

function describeLack(
  { conf, profile: { name, values } }: IdentitySources,
  unusable: readonly string[],
): string {
  if (programsOfProfile.some((key) => values.has(key))) {
    return (
      `the AWS profile "${name}" gets its credentials from a sign-in or a program, which is not supported: ` +
      `set the variables that "aws configure export-credentials --profile ${name} --format env" prints`
    );
  }
  if (conf("security.credential.provider.path") !== undefined) {
    return (
      "the credentials are in a Hadoop credential store, which cannot be read without Java: " +
      "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY for the upload"
    );
  }
  const left = unusable.length === 0 ? "" : ` (not supported: ${unusable.join(", ")})`;
  return (
    `no credentials for the storage were found${left}: set "spark.hadoop.fs.s3a.access.key" and ` +
    `"spark.hadoop.fs.s3a.secret.key", AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile in ` +
    `~/.aws/credentials`
  );
}
