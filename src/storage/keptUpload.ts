// Names the copy of an upload that is kept under its content hash, beside the folders of the submissions.

/** Minimum size of a kept upload, in bytes. Sending a smaller file is as fast as looking for an earlier upload. */
export const smallestKept = 1024 * 1024;

export const keptName = (sha256: string): string => `spark-upload-sha256-${sha256}`;

export const changedDuringUpload = "it changed during the upload";
