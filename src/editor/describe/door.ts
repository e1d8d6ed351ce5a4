export { compareRows } from "./compareRows.ts";
export { showConf, showEffectiveConf } from "./showConf.ts";
export { showEvents } from "./showEvents.ts";
export { showPods } from "./showPods.ts";
