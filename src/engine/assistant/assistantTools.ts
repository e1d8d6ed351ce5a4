import type { AssistantTool } from "./assistantTool.ts";
import { killTool, stopTool } from "./changeTools.ts";
import { confTool } from "./confTool.ts";
import { explainTool } from "./explainTool.ts";
import { lintTool } from "./lintTool.ts";
import { listTool } from "./listTool.ts";
import { logTool } from "./logTool.ts";
import { previewTool } from "./previewTool.ts";

/** All tools for assistants. package.json declares the same tools for VS Code; a test compares them. */
export const assistantTools: readonly AssistantTool[] = [
  listTool,
  explainTool,
  logTool,
  confTool,
  lintTool,
  previewTool,
  stopTool,
  killTool,
];
