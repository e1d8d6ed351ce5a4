export { applyFix } from "./applyFix.ts";
export { checkCluster } from "./checkCluster.ts";
export { compareRows } from "./compareRows.ts";
export { explainFailures } from "./explainFailures.ts";
export { showAdvice } from "./showAdvice.ts";
export { showConf, showEffectiveConf } from "./showConf.ts";
export { showEvents } from "./showEvents.ts";
export { showExecutors } from "./showExecutors.ts";
export { showPods } from "./showPods.ts";
