// Only the bundled git extension loads it.
export { copyFileSync, constants } from "node:fs";
export { copyFile, cp } from "node:fs/promises";
export const isCloneSupported = async () => false;
