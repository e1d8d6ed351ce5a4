import { AwsV4Signer } from "aws4fetch";
import type { S3Identity } from "./s3Identity.ts";

interface Unsigned {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** SHA-256 of the body, in hex. */
  readonly sha256: string;
}

/** Adds an AWS Signature Version 4 to the headers; returns them unchanged for anonymous access. `now`: epoch ms. */
export async function signedHeaders(
  { method, url, headers, sha256 }: Unsigned,
  identity: S3Identity,
  region: string,
  now: number,
): Promise<Readonly<Record<string, string>>> {
  if (identity.kind === "anonymous") return headers;
  const { accessKeyId, secretAccessKey, sessionToken } = identity;
  const signer = new AwsV4Signer({
    method,
    url: url.href,
    headers: { ...headers, "x-amz-content-sha256": sha256 },
    accessKeyId,
    secretAccessKey,
    ...(sessionToken !== undefined && { sessionToken }),
    service: "s3",
    region,
    datetime: new Date(now).toISOString().replace(/[:-]|\.\d{3}/g, ""),
  });
  const signed = await signer.sign();
  return Object.fromEntries(signed.headers);
}
