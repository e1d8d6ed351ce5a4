export { compareRows } from "./compareRows.ts";
export { showConf, showEffectiveConf } from "./showConf.ts";
export { showEventLog } from "./showEventLog.ts";
export { showEvents } from "./showEvents.ts";
export { showExecutors } from "./showExecutors.ts";
export { showPods } from "./showPods.ts";
