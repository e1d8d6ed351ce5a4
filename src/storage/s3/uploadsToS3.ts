import { err } from "../../base/result.ts";
import type { Clock, Random, UploadTarget } from "../../engine/ports.ts";
import type { ResolvedConf } from "../../spark/submit/conf.ts";
import { abortError, throwIfAborted } from "../abort.ts";
import { systemCode } from "../systemCode.ts";
import { reportStage, type OnUploadProgress } from "../uploadProgress.ts";
import { parseS3Address } from "./s3Address.ts";
import { S3Bucket } from "./s3Bucket.ts";
import { readS3Settings, type SettingsSources } from "./s3Settings.ts";
import { sendFile } from "./sendFile.ts";
import { SourceFile } from "./sourceFile.ts";

export interface S3UploadOptions extends SettingsSources {
  readonly clock: Clock;
  readonly random: Random;
  readonly progress?: OnUploadProgress;
}

/** Sends files to the bucket of an `s3a:` address, with the settings that the conf has for that bucket. */
export function uploadsToS3(conf: ResolvedConf, options: S3UploadOptions): UploadTarget {
  const { clock, random, progress } = options;
  return {
    copy: async (upload, signal) => {
      throwIfAborted(signal);
      try {
        const address = parseS3Address(upload.target);
        if (!address.ok) return err({ upload, detail: address.error });
        const settings = await readS3Settings(conf, address.value.bucket, options);
        if (!settings.ok) return err({ upload, detail: settings.error });
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
