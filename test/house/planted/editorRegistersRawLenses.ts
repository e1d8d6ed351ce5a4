// at src/editor/conf/a.ts
// caught by linter
import { languages } from "vscode";
export const { registerCodeLensProvider } = languages;
