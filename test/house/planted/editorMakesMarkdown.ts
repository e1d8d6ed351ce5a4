// at src/editor/apps/a.ts
// caught by linter
import { MarkdownString } from "vscode";
export const tooltip = new MarkdownString("[a](command:b)");
