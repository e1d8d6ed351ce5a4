export { isInside } from "./documentTrust.ts";
export { fileUploads } from "./fileUploads.ts";
export { keptLogs } from "./logs/keptLogs.ts";
export { localDisk } from "./localDisk.ts";
export { writeFileAtomically } from "../io/replaceFile.ts";
export { sparkDefaults } from "./sparkDefaults.ts";
export { fetchTexts } from "./fetchTexts.ts";
export { uploadsFor } from "./uploadsFor.ts";
export type { UploadProgress } from "./uploadProgress.ts";
