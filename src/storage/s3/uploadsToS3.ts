import { err } from "../../base/result.ts";
import type { Clock, Random } from "../../engine/ports/clock.ts";
import type { UploadTarget } from "../../engine/ports/files.ts";
import type { ResolvedEntry, ResolvedConf } from "../../spark/submit/conf/conf.ts";
import { abortError, throwIfAborted } from "../../io/abort.ts";
import type { DocumentTrust } from "../documentTrust.ts";
import { systemCode } from "../../io/systemCode.ts";
import { reportStage, type OnUploadProgress } from "../uploadProgress.ts";
import { parseS3Address } from "./s3Address.ts";
import { S3Bucket } from "./s3Bucket.ts";
import { refuseOpenToken, s3Question, uploadQuestion } from "./s3Question.ts";
import { readS3Settings, type S3Settings, type SettingsSources } from "./s3Settings.ts";
import { sendFile } from "./sendFile.ts";
import { SourceFile } from "./sourceFile.ts";

interface S3UploadOptions extends SettingsSources {
  readonly clock: Clock;
  readonly random: Random;
  readonly progress?: OnUploadProgress;
}

const uploadPathKey = "spark.kubernetes.file.upload.path";

/** Returns an upload target for `s3a:` and `s3:` URIs. Uses the conf's s3a properties for each bucket. */
export function uploadsToS3(conf: ResolvedConf, options: S3UploadOptions): UploadTarget {
  const { clock, random, progress, document } = options;
  return {
    copy: async (upload, signal) => {
      throwIfAborted(signal);
      try {
        const address = parseS3Address(upload.target);
        if (!address.ok) return err({ upload, detail: address.error });
        const settings = await readS3Settings(conf, address.value.bucket, options);
        if (!settings.ok) return err({ upload, detail: settings.error });
        const uploadPath = conf.get(uploadPathKey);
        const source = { path: upload.path, uploadPath };
        const refusal = await refusalOf(source, settings.value, document, signal);
        if (refusal !== undefined) return err({ upload, detail: refusal });
        const file = await SourceFile.open(upload.path);
        const bucket = new S3Bucket(settings.value, clock, random);
        try {
          const report = (stage: "reading" | "sending" | "copying") =>
            reportStage(progress, { upload, stage, totalBytes: file.size });
          const sent = await sendFile(file, address.value.key, bucket, report, signal);
          return sent.ok ? sent : err({ upload, detail: sent.error });
        } finally {
          bucket.dispose();
          await file.close();
        }
      } catch (error) {
        if (signal.aborted) throw abortError();
        if (systemCode(error) === undefined || !(error instanceof Error)) throw error;
        return err({ upload, detail: error.message });
      }
    },
  };
}

/** Prompts the user if needed. Returns the reason why the upload is refused; undefined if it is allowed. */
async function refusalOf(
  { path, uploadPath }: { readonly path: string; readonly uploadPath: ResolvedEntry | undefined },
  settings: S3Settings,
  document: DocumentTrust,
  signal: AbortSignal,
): Promise<string | undefined> {
  const open = refuseOpenToken(settings);
  if (open !== undefined) return open;
  const keys = await s3Question(settings, document);
  if (keys !== undefined && !(await document.agree(keys, signal))) {
    throwIfAborted(signal);
    return `you did not agree to send your keys to ${keys.server}`;
  }
  const upload = await uploadQuestion(path, uploadPath, settings, document);
  const isAgreed = upload === undefined || (await document.agree(upload, signal));
  throwIfAborted(signal);
  return isAgreed ? undefined : `you did not agree to upload the file to ${upload.server}`;
}
