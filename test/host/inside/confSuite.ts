import * as vscode from "vscode";
import { until, type Suite } from "./runSuite.ts";

/** What holds in every extension host, the browser's too. */
export const confSuite: Suite = {
  "a conf file has our language": async () => {
    const document = await openConf();
    if (document.languageId !== "spark-conf") throw new Error(`it has ${document.languageId}`);
  },
  "a misspelled key is found where it stands": async () => {
    const document = await openConf();
    const found = await until("a diagnostic", () =>
      vscode.languages
        .getDiagnostics(document.uri)
        .find(({ range }) => document.getText(range).includes("excutor")),
    );
    if (found.range.start.line !== 1)
      throw new Error(`it stands in line ${found.range.start.line}`);
  },
};

async function openConf(): Promise<vscode.TextDocument> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (folder === undefined) throw new Error("no folder is open");
  const file = vscode.Uri.joinPath(folder.uri, "conf/spark-defaults.conf");
  const document = await vscode.workspace.openTextDocument(file);
  await vscode.window.showTextDocument(document);
  return document;
}
