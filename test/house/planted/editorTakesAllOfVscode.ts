// at src/editor/a.ts
// caught by linter
import * as vscode from "vscode";
void vscode.window.showInformationMessage("[a](command:b)");
