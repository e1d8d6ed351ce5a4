export { SparkDebugAdapter } from "./sparkDebugAdapter.ts";
