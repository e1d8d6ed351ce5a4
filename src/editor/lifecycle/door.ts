export { cleanUp } from "./cleanUp.ts";
export { decommissionExecutors } from "./decommissionExecutors.ts";
export { deleteRows } from "./deleteApplications.ts";
export { killExecutors } from "./killExecutors.ts";
export { openTerminals } from "./openTerminals.ts";
export { resumeApplications, suspendApplications } from "./operated.ts";
export { restartApplications } from "./restartApplications.ts";
export { scaleApplications } from "./scaleApplications.ts";
export { stopApplications } from "./stopApplications.ts";
