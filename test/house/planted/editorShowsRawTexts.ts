// at src/editor/a.ts
// caught by linter
import { window } from "vscode";
void window.showInformationMessage("[a](command:b)");
