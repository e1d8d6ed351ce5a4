export { openApps } from "./openApps.ts";
