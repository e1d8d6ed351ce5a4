export { assistantTools } from "./assistantTools.ts";
export { callTool } from "./callTool.ts";
export { filesInside } from "./filesInside.ts";
