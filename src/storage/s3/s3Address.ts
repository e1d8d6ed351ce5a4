import { err, ok, type Result } from "../../base/result.ts";

interface S3Address {
  readonly bucket: string;
  readonly key: string;
}

/**
 * Parses an `s3:` or `s3a:` URI as Hadoop does: without percent-decoding, with duplicate slashes, `.` and `..`
 * resolved.
 */
export function parseS3Address(address: string): Result<S3Address, string> {
  const [head, bucket = ""] = /^s3a?:\/\/([^/]*)/.exec(address) ?? [];
  const path = head === undefined ? "" : address.slice(head.length);
  if (bucket.includes("@")) {
    return err(
      "the address of a bucket must not contain credentials: set " +
        '"spark.hadoop.fs.s3a.access.key" and "spark.hadoop.fs.s3a.secret.key", or the environment variables',
    );
  }
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(bucket))
    return err(`"${address}" has no valid bucket name`);
  const segments: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  // Keys are UTF-8, which cannot encode a lone surrogate.
  if (/[\uD800-\uDFFF]/u.test(path)) return err(`"${address}" is not valid Unicode text`);
  if (segments.length === 0) return err(`"${address}" has no object key`);
  return ok({ bucket, key: segments.join("/") });
}
