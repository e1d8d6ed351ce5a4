export { openLogs } from "./openLogs.ts";
