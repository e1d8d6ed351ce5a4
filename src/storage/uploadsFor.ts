import type { Clock, Random, UploadTarget } from "../engine/ports.ts";
import type { ResolvedConf } from "../spark/submit/conf.ts";
import { err } from "../base/result.ts";
import { uploadsToFiles } from "./fileUploads.ts";
import { uploadsToS3 } from "./s3/uploadsToS3.ts";
import { refuseScheme, schemeOf } from "./schemes.ts";
import type { OnUploadProgress } from "./uploadProgress.ts";

export interface UploadOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where `.aws` is. */
  readonly homeDirectory: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly progress?: OnUploadProgress;
  /** Told once, in a sentence, what else must be right for the driver to find the files. */
  readonly warn?: (sentence: string) => void;
}

/**
 * Uploads for one submission, with the settings and credentials of its conf: `file:` and plain paths are
 * copied to, `s3a:` and `s3:` are sent to; any other kind is refused with what can be done instead. A copy
 * is there whole or not at all. It rejects only with an AbortError, or for a mistake of ours.
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
  'Files are copied to a folder of this machine, as "spark.kubernetes.file.upload.path" says: the driver ' +
  "finds them only if its pod has the same folder at the same path, as by a shared volume.";
