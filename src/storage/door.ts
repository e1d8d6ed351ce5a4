export { fileUploads } from "./fileUploads.ts";
export { localDisk } from "./localDisk.ts";
export { uploadsFor, type UploadOptions } from "./uploadsFor.ts";
export type { UploadProgress } from "./uploadProgress.ts";
