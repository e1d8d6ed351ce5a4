import type { Clock, Random } from "../engine/ports/clock.ts";
import type { UploadTarget } from "../engine/ports/files.ts";
import type { ResolvedConf } from "../spark/submit/conf/conf.ts";
import { err } from "../base/result.ts";
import type { DocumentTrust } from "./documentTrust.ts";
import { uploadsToFiles } from "./fileUploads.ts";
import { uploadsToS3 } from "./s3/uploadsToS3.ts";
import { refuseScheme, schemeOf } from "./schemes.ts";
import type { OnUploadProgress } from "./uploadProgress.ts";

interface UploadOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Contains the `.aws` folder. */
  readonly homeDirectory: string;
  /** Decides whether the user's keys may sign requests to the endpoint that the conf names. */
  readonly document: DocumentTrust;
  readonly clock: Clock;
  readonly random: Random;
  readonly progress?: OnUploadProgress;
  /**
   * Called at most once, before files are copied to a local path, with a sentence about the shared volume that the
   * driver needs.
   */
  readonly warn?: (sentence: string) => void;
}

/**
 * Returns the upload target of one submission, which uses the properties and credentials of its conf. Supports `file:`,
 * plain paths, `s3a:` and `s3:`; other schemes return an error with the alternatives. Uploads are atomic. Rejects only
 * with an AbortError or on a bug.
 */
export function uploadsFor(conf: ResolvedConf, options: UploadOptions): UploadTarget {
  let isWarned = false;
  const files = uploadsToFiles(options.progress);
  const objects = uploadsToS3(conf, options);
  return {
    copy: (upload, signal) => {
      switch (schemeOf(upload.target)) {
        case undefined:
        case "file":
          if (!isWarned) options.warn?.(folderWarning);
          isWarned = true;
          return files.copy(upload, signal);
        case "s3a":
        case "s3":
          return objects.copy(upload, signal);
        default: {
          const detail = refuseScheme(upload.target, ["s3a", "s3", "file"]);
          return Promise.resolve(err({ upload, detail }));
        }
      }
    },
  };
}

const folderWarning =
  '"spark.kubernetes.file.upload.path" is a folder on this machine. The driver finds the uploaded files only if ' +
  "its pod has the same folder at the same path, for example on a shared volume.";
