import { err, ok, type Result } from "../../base/result.ts";
import { throwIfAborted } from "../../io/abort.ts";
import type { ReportBytes } from "../uploadProgress.ts";
import type { S3Bucket } from "./s3Bucket.ts";
import type { PartReader } from "./sourceFile.ts";
import { elementsOf, xmlTextOf } from "./xmlText.ts";

interface MultipartUpload {
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly parts: PartReader;
  readonly partBytes: number;
  /** Called after the last part. If it returns a reason, the upload is not completed. */
  readonly check: () => Promise<string | undefined>;
  /** Called if the response to the completion request may be lost. Resolves to true if the object exists. */
  readonly isDone: (signal: AbortSignal) => Promise<boolean>;
}

// Number of concurrent part uploads (lanes). Each lane has one part buffer, so memory use does not depend on file size.
const lanes = 4;
const cleanUpMs = 10_000;

/**
 * Sends a file as a multipart upload with concurrent parts. The object appears only when the upload completes. On
 * failure or abort, aborts the multipart upload so that the storage deletes the parts, with a separate timeout of 10 s.
 */
export async function sendInParts(
  bucket: S3Bucket,
  upload: MultipartUpload,
  report: ReportBytes,
  signal: AbortSignal,
): Promise<Result<void, string>> {
  const { key, headers } = upload;
  let id: string | undefined;
  let isWhole = false;
  try {
    const begun = await bucket.request(
      { method: "POST", key, query: { uploads: "" }, headers },
      signal,
    );
    if (!begun.ok) return err(begun.error.detail);
    id = xmlTextOf(begun.value.text, "UploadId");
    if (id === undefined) return err("the storage returned no upload ID");
    const tags = await sendParts(bucket, upload, id, report, signal);
    if (!tags.ok) return tags;
    const objection = await upload.check();
    if (objection !== undefined) return err(objection);
    const completed = await complete(bucket, upload, id, tags.value, signal);
    isWhole = completed.ok;
    return completed;
  } finally {
    if (!isWhole) await cleanUp(bucket, key, id);
  }
}

async function sendParts(
  bucket: S3Bucket,
  { key, parts, partBytes }: MultipartUpload,
  uploadId: string,
  report: ReportBytes,
  signal: AbortSignal,
): Promise<Result<readonly string[], string>> {
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const tags: string[] = [];
  const underWay = new Map<number, number>();
  let whole = 0;
  let failure: string | undefined;
  const tell = (): void => {
    report([...underWay.values()].reduce((sum, bytes) => sum + bytes, whole));
  };
  const lane = async (): Promise<void> => {
    const buffer = Buffer.allocUnsafeSlow(partBytes);
    for (;;) {
      const part = await parts.take(buffer);
      if (part === undefined) return;
      const { number, bytes } = part;
      const sent = await bucket.request(
        {
          method: "PUT",
          key,
          query: { partNumber: String(number), uploadId },
          body: bytes,
          onSent: (count) => {
            underWay.set(number, count);
            tell();
          },
        },
        either,
      );
      if (!sent.ok) {
        failure ??= sent.error.detail;
        stop.abort();
        return;
      }
      tags[number - 1] = sent.value.headers.etag ?? "";
      underWay.delete(number);
      whole += bytes.length;
      tell();
    }
  };
  // In order of time: the first error aborts the other lanes, which then throw AbortErrors.
  const thrown: unknown[] = [];
  const ends = Array.from({ length: lanes }, () =>
    lane().catch((error: unknown) => {
      thrown.push(error);
      stop.abort();
    }),
  );
  // Wait for all lanes before cleanup: a part that arrives after it would stay in the storage.
  await Promise.all(ends);
  throwIfAborted(signal);
  if (failure !== undefined) return err(failure);
  if (thrown.length > 0) throw thrown[0];
  return ok(tags);
}

async function complete(
  bucket: S3Bucket,
  { key, isDone }: MultipartUpload,
  uploadId: string,
  tags: readonly string[],
  signal: AbortSignal,
): Promise<Result<void, string>> {
  const parts = tags.map(
    (tag, index) =>
      `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeXml(tag)}</ETag></Part>`,
  );
  const body = Buffer.from(
    `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${parts.join("")}</CompleteMultipartUpload>`,
  );
  const headers = { "content-type": "application/xml" };
  const completed = await bucket.request(
    { method: "POST", key, query: { uploadId }, headers, body, work: "long" },
    signal,
  );
  if (completed.ok) return ok(undefined);
  // A 404 may follow a lost response to an earlier attempt: the upload is then complete and its id is unknown.
  if (completed.error.status === 404 && (await isDone(signal))) return ok(undefined);
  return err(completed.error.detail);
}

/** Aborts the upload. Without an id, aborts all uploads of this key, which only this upload uses. */
async function cleanUp(bucket: S3Bucket, key: string, id: string | undefined): Promise<void> {
  const signal = AbortSignal.timeout(cleanUpMs);
  try {
    const ids = id === undefined ? await unfinished(bucket, key, signal) : [id];
    for (const uploadId of ids) {
      await bucket.request({ method: "DELETE", key, query: { uploadId } }, signal);
    }
  } catch (error) {
    // Time limit exceeded: the bucket's lifecycle rules must remove the parts.
    if (!signal.aborted) throw error;
  }
}

async function unfinished(
  bucket: S3Bucket,
  key: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const query = { uploads: "", prefix: key };
  const listed = await bucket.request({ method: "GET", key: "", query, tries: "once" }, signal);
  if (!listed.ok) return [];
  return elementsOf(listed.value.text, "Upload").flatMap((upload) => {
    const id = xmlTextOf(upload, "UploadId");
    return id !== undefined && xmlTextOf(upload, "Key") === key ? [id] : [];
  });
}

const escapeXml = (text: string): string =>
  text.replace(/[<>&"]/g, (char) => `&#${char.charCodeAt(0)};`);
