export { assistantTools } from "./assistantTools.ts";
export { callTool } from "./callTool.ts";
export { filesBelow } from "./filesBelow.ts";
