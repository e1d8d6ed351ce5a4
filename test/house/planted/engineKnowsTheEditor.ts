// at src/engine/planted.ts
// caught by linter, matrix
export type { CancellationToken } from "vscode";
