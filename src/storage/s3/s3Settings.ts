import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { err, ok, type Result } from "../../base/result.ts";
import type { ResolvedConf } from "../../spark/submit/conf/conf.ts";
import type { DocumentTrust, ValuePlace } from "../documentTrust.ts";
import { readAwsProfile } from "./awsProfile.ts";
import { readS3Conf, type S3Conf, type S3Setting } from "./s3Conf.ts";
import { findIdentity, type S3Identity } from "./s3Identity.ts";

/** Connection settings for a bucket. */
export interface S3Settings {
  readonly bucket: string;
  /** Undefined for Amazon's endpoint of the region. */
  readonly endpoint: URL | undefined;
  readonly isSecure: boolean;
  /** The sources of the values that set the endpoint and disable TLS. */
  readonly places: readonly ValuePlace[];
  readonly region: string;
  readonly addressing: "path" | "virtualHost";
  readonly identity: S3Identity;
  /** Server-side encryption headers for every new object. */
  readonly encryption: Readonly<Record<string, string>>;
  /** CA certificates in PEM; undefined for Node's default CAs. */
  readonly authorities: string | undefined;
}

export interface SettingsSources {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly homeDirectory: string;
  readonly document: DocumentTrust;
}

/**
 * Returns the settings that s3a would use for the bucket, or an error text. Throws a system error if a file cannot be
 * read.
 */
export async function readS3Settings(
  sparkConf: ResolvedConf,
  bucket: string,
  { environment, homeDirectory, document }: SettingsSources,
): Promise<Result<S3Settings, string>> {
  const [read, profile] = await Promise.all([
    readS3Conf(sparkConf, environment, bucket, document),
    readAwsProfile(environment, homeDirectory),
  ]);
  if (!read.ok) return read;
  const conf = read.value;
  const identity = findIdentity({ conf, environment, profile });
  if (!identity.ok) return identity;
  const encryption = encryptionHeaders(conf);
  if (!encryption.ok) return encryption;
  const isSecure = conf("connection.ssl.enabled")?.toLowerCase() !== "false";
  const endpoint = readEndpoint(conf("endpoint"), isSecure);
  if (!endpoint.ok) return endpoint;
  const region =
    conf("endpoint.region") ??
    regionOf(endpoint.value) ??
    environment["AWS_REGION"] ??
    environment["AWS_DEFAULT_REGION"] ??
    profile.values.get("region") ??
    "us-east-1";
  if (!/^[A-Za-z0-9-]+$/.test(region)) {
    return err('"spark.hadoop.fs.s3a.endpoint.region" (or AWS_REGION) is not a region name');
  }
  const authoritiesFile = environment["AWS_CA_BUNDLE"] ?? profile.values.get("ca_bundle");
  return ok({
    bucket,
    endpoint: endpoint.value,
    isSecure,
    places: [
      ...(endpoint.value === undefined ? [] : placesOf(conf, "endpoint")),
      ...(isSecure ? [] : placesOf(conf, "connection.ssl.enabled")),
    ],
    region,
    addressing: readAddressing(conf, bucket, endpoint.value),
    identity: identity.value,
    encryption: encryption.value,
    authorities:
      authoritiesFile === undefined ? undefined : await readFile(authoritiesFile, "utf8"),
  });
}

const placesOf = (conf: S3Conf, name: S3Setting): readonly ValuePlace[] => {
  const place = conf.placeOf(name);
  return place === undefined ? [] : [place];
};

// S3's global endpoint. The endpoint of the bucket's region is used instead.
const centralHost = "s3.amazonaws.com";

function readEndpoint(
  text: string | undefined,
  isSecure: boolean,
): Result<URL | undefined, string> {
  if (text === undefined) return ok(undefined);
  const whole = text.includes("://") ? text : `${isSecure ? "https" : "http"}://${text}`;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  // Do not show the text: it may contain a password.
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username + url.password !== "") {
    return err(
      '"spark.hadoop.fs.s3a.endpoint" (or AWS_ENDPOINT_URL) is not a valid server address',
    );
  }
  return ok(url.hostname === centralHost ? undefined : url);
}

function regionOf(endpoint: URL | undefined): string | undefined {
  const host = endpoint?.hostname ?? "";
  const [, region] =
    /(?:^|\.)s3(?:-fips)?[.-](?:dualstack\.)?([a-z]{2}-[a-z0-9-]+)(?:\.vpce)?\.amazonaws\.com(?:\.cn)?$/.exec(
      host,
    ) ?? [];
  return region;
}

// Uses virtual-host addressing unless path style is configured, the bucket name is not a valid host label, or the
// endpoint is an IP address.
function readAddressing(
  conf: S3Conf,
  bucket: string,
  endpoint: URL | undefined,
): S3Settings["addressing"] {
  const isWished = conf("path.style.access")?.toLowerCase() === "true";
  const isHostName = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/.test(bucket);
  const isNumeric = isIP((endpoint?.hostname ?? "").replace(/^\[|\]$/g, "")) !== 0;
  return isWished || !isHostName || isNumeric ? "path" : "virtualHost";
}

function encryptionHeaders(conf: S3Conf): Result<Readonly<Record<string, string>>, string> {
  const algorithm = conf("encryption.algorithm") ?? conf("server-side-encryption-algorithm");
  const key = conf("encryption.key") ?? conf("server-side-encryption.key");
  const header = "x-amz-server-side-encryption";
  const withKey = (value: string): Result<Readonly<Record<string, string>>, string> => {
    if (key === undefined) return ok({ [header]: value });
    return /^[\x21-\x7e]+$/.test(key)
      ? ok({ [header]: value, [`${header}-aws-kms-key-id`]: key })
      : err('"spark.hadoop.fs.s3a.encryption.key" is not a KMS key');
  };
  switch (algorithm?.toUpperCase()) {
    case undefined:
      return ok({});
    case "AES256":
      return ok({ [header]: "AES256" });
    case "SSE-KMS":
      return withKey("aws:kms");
    case "DSSE-KMS":
      return withKey("aws:kms:dsse");
    default:
      return err(
        'the value of "spark.hadoop.fs.s3a.encryption.algorithm" is not supported for uploads: ' +
          "upload the file with another tool, and specify its address there",
      );
  }
}
