// at src/editor/a.ts
// caught by linter
export { window } from "vscode";
