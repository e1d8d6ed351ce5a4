import { err, ok, type Result } from "../../base/result.ts";
import { changedDuringUpload, keptName, smallestKept } from "../keptUpload.ts";
import type { UploadProgress } from "../../engine/ports/files.ts";
import type { ReportBytes } from "../uploadProgress.ts";
import { sendInParts } from "./multipart.ts";
import { encodeKey } from "./objectUrl.ts";
import type { S3Bucket } from "./s3Bucket.ts";
import type { SourceFile } from "./sourceFile.ts";

type ReportStage = (stage: UploadProgress["stage"]) => ReportBytes;

// S3's size limit for one CopyObject call.
const largestCopied = 5 * 2 ** 30;
const smallestPart = 8 * 1024 * 1024;
const maxParts = 10_000;

const hashHeader = "x-amz-meta-spark-k8s-sha256";

/**
 * Uploads a file to `key`. As in Spark, each submission has its own folder. A copy of a file of 1 MiB to 5 GiB is kept
 * under its content hash, beside these folders. An unchanged file is then copied within the storage instead of being
 * uploaded again.
 */
export async function sendFile(
  file: SourceFile,
  key: string,
  bucket: S3Bucket,
  report: ReportStage,
  signal: AbortSignal,
): Promise<Result<void, string>> {
  if (file.size < smallestKept || file.size > largestCopied) {
    return send(file, { key, sha256: undefined }, bucket, report("sending"), signal);
  }
  const sha256 = await file.hash(report("reading"), signal);
  const kept = keptKey(key, sha256);
  const copy = async (from: string, to: string, tries: "once" | "usual"): Promise<boolean> => {
    const reportCopy = report("copying");
    reportCopy(0);
    const isCopied = await copyWithin(bucket, from, to, tries, signal);
    reportCopy(file.size);
    return isCopied;
  };
  if (await isThere(bucket, kept, file.size, sha256, signal)) {
    if (await copy(kept, key, "usual")) return ok(undefined);
  }
  const sent = await send(file, { key, sha256 }, bucket, report("sending"), signal);
  // Optional: without the kept copy, the next submission only uploads the file again.
  if (sent.ok) await copy(key, kept, "once");
  return sent;
}

/** Returns `<upload path>/spark-upload-sha256-<hash>`, beside the submission folders. */
function keptKey(key: string, sha256: string): string {
  const folder = key.split("/").slice(0, -2);
  return [...folder, keptName(sha256)].join("/");
}

async function send(
  file: SourceFile,
  { key, sha256 }: { readonly key: string; readonly sha256: string | undefined },
  bucket: S3Bucket,
  report: ReportBytes,
  signal: AbortSignal,
): Promise<Result<void, string>> {
  const headers = {
    "content-type": "application/octet-stream",
    ...bucket.settings.encryption,
    ...(sha256 !== undefined && { [hashHeader]: sha256 }),
  };
  const partBytes = partBytesOf(file.size);
  const parts = file.parts(partBytes);
  const check = async (): Promise<string | undefined> =>
    (sha256 !== undefined && parts.digest() !== sha256) || (await file.hasOtherSize())
      ? changedDuringUpload
      : undefined;
  report(0);
  if (file.size > partBytes) {
    const isDone = (when: AbortSignal): Promise<boolean> =>
      isThere(bucket, key, file.size, sha256, when);
    const upload = { key, headers, parts, partBytes, check, isDone };
    return sendInParts(bucket, upload, report, signal);
  }
  const part = await parts.take(Buffer.allocUnsafeSlow(file.size));
  const objection = await check();
  if (objection !== undefined) return err(objection);
  const body = part?.bytes ?? Buffer.alloc(0);
  const put = await bucket.request({ method: "PUT", key, headers, body, onSent: report }, signal);
  return put.ok ? ok(undefined) : err(put.error.detail);
}

// S3 allows at most 10,000 parts, and parts of at least 5 MiB except the last.
function partBytesOf(size: number): number {
  const mebibyte = 1024 * 1024;
  return Math.max(smallestPart, Math.ceil(size / maxParts / mebibyte) * mebibyte);
}

/**
 * True if the object exists with this size and hash. Returns false after a failed request, so that the file is
 * uploaded.
 */
async function isThere(
  bucket: S3Bucket,
  key: string,
  size: number,
  sha256: string | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  const found = await bucket.request({ method: "HEAD", key }, signal);
  if (!found.ok) return false;
  const { headers } = found.value;
  const isSame = sha256 === undefined || headers[hashHeader] === sha256;
  return isSame && headers["content-length"] === String(size);
}

/** Copies an object on the server side. Returns false if that fails. */
async function copyWithin(
  bucket: S3Bucket,
  from: string,
  to: string,
  tries: "once" | "usual",
  signal: AbortSignal,
): Promise<boolean> {
  const { bucket: name, encryption } = bucket.settings;
  const headers = { ...encryption, "x-amz-copy-source": `/${name}/${encodeKey(from)}` };
  const copied = await bucket.request(
    { method: "PUT", key: to, headers, work: "long", tries },
    signal,
  );
  return copied.ok;
}
