export { openAdapter } from "./sparkDebugAdapter.ts";
