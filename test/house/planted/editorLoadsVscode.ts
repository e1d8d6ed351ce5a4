// at src/editor/a.ts
// caught by linter
export const load = () => import("vscode");
