export { fileUploads } from "./fileUploads.ts";
export { keptLogs } from "./logs/keptLogs.ts";
export { saveText } from "./logs/saveText.ts";
export { localDisk } from "./localDisk.ts";
export { sparkDefaults } from "./sparkDefaults.ts";
export { fetchTexts } from "./fetchTexts.ts";
export { uploadsFor, type UploadOptions } from "./uploadsFor.ts";
export type { UploadProgress } from "./uploadProgress.ts";
