import type { UploadProgress } from "../engine/ports/files.ts";

/**
 * Within a stage, `doneBytes` never decreases. The last report of a completed stage has `doneBytes` equal to
 * `totalBytes`.
 */
export type OnUploadProgress = (progress: UploadProgress) => void;

/** Reports the progress of one upload stage. */
export type ReportBytes = (doneBytes: number) => void;

// A progress bar shows no finer steps.
const reportsPerFile = 200;
const smallestStep = 64 * 1024;

/** Throttles the reports of one upload stage. Ignores decreases, which occur when a failed part is sent again. */
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
