// at src/cluster/planted.ts
// caught by linter, matrix
import { window } from "vscode";

export const say = (text: string): void => void window.showErrorMessage(text);
