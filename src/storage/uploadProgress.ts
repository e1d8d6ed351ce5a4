import type { Upload } from "../spark/submit/driverSpec.ts";

export interface UploadProgress {
  readonly upload: Upload;
  /**
   * `reading`: finding out whether the storage has the file already; `sending`: it has not; `copying`: the
   * storage copies it within itself, from an earlier submission or for later ones.
   */
  readonly stage: "reading" | "sending" | "copying";
  readonly doneBytes: number;
  readonly totalBytes: number;
}

/** Within a stage `doneBytes` never falls, and the last report of it has all bytes. */
export type OnUploadProgress = (progress: UploadProgress) => void;

/** Where one stage of an upload tells how far it is. */
export type ReportBytes = (doneBytes: number) => void;

// More often than this nobody can see.
const reportsPerFile = 200;
const smallestStep = 64 * 1024;

/** Reports for one stage of one upload: not each chunk, and never backwards, as a part is sent again after a failure. */
export function reportStage(
  onProgress: OnUploadProgress | undefined,
  stage: Omit<UploadProgress, "doneBytes">,
): ReportBytes {
  if (onProgress === undefined) return () => undefined;
  const step = Math.max(smallestStep, stage.totalBytes / reportsPerFile);
  let reported = -Infinity;
  return (doneBytes) => {
    const isDue = doneBytes >= reported + step || doneBytes === stage.totalBytes;
    if (!isDue || doneBytes <= reported) return;
    reported = doneBytes;
    onProgress({ ...stage, doneBytes });
  };
}
