// at src/extension.ts
// caught by linter
import { window } from "vscode";
void window.showInformationMessage("[a](command:b)");
