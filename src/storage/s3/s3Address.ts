import { err, ok, type Result } from "../../base/result.ts";

export interface S3Address {
  readonly bucket: string;
  readonly key: string;
}

/**
 * Bucket and key as Hadoop reads the address: the text as it stands, without decoding, doubled slashes and
 * `.` and `..` resolved.
 */
export function parseS3Address(address: string): Result<S3Address, string> {
  const [, bucket = "", path = ""] = /^s3a?:\/\/([^/]*)(.*)$/s.exec(address) ?? [];
  if (bucket.includes("@")) {
    return err(
      "credentials do not belong into the address of a bucket: give them by " +
        '"spark.hadoop.fs.s3a.access.key" and "spark.hadoop.fs.s3a.secret.key" or by the environment',
    );
  }
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(bucket)) return err(`"${address}" names no bucket`);
  const segments: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  // Half of a surrogate pair has no UTF-8, and keys are UTF-8.
  if (/[\uD800-\uDFFF]/u.test(path)) return err(`"${address}" is no valid text`);
  if (segments.length === 0) return err(`"${address}" names no object in its bucket`);
  return ok({ bucket, key: segments.join("/") });
}
