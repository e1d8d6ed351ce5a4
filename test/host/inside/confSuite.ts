import * as vscode from "vscode";
import { surfaceWorkspace } from "../confWorkspace.ts";
import { until, type Suite } from "./runSuite.ts";

/** Tests for every extension host, including that of a browser. */
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
  ...Object.fromEntries(
    Object.keys(surfaceWorkspace).map((name) => [
      `a wrong value in ${name} is seen, explained and mended, and its key completed`,
      () => checkHelpIn(name),
    ]),
  ),
};

const key = "spark.executor.memory";

async function checkHelpIn(name: string): Promise<void> {
  const document = await open(name);
  const found = await until("a diagnostic", () =>
    vscode.languages
      .getDiagnostics(document.uri)
      .find(({ range }) => document.getText(range) === "1.5g"),
  );
  const start = document.getText().indexOf(key);
  const [inKey, atKey] = [document.positionAt(start + 1), document.positionAt(start + key.length)];
  const ask = <T>(command: string, ...rest: readonly unknown[]): Thenable<T> =>
    vscode.commands.executeCommand<T>(command, document.uri, ...rest);
  const hovers = await ask<vscode.Hover[]>("vscode.executeHoverProvider", inKey);
  const words = hovers.flatMap(({ contents }) => contents.map((one) => wordsOf(one)));
  if (!words.some((one) => one.includes(key))) throw new Error(`it says ${words.join("\n")}`);
  const list = await ask<vscode.CompletionList>("vscode.executeCompletionItemProvider", atKey);
  const labels = list.items.map(({ label }) => (typeof label === "string" ? label : label.label));
  if (!labels.includes(`${key}Overhead`)) throw new Error(`it proposes ${labels.join()}`);
  const actions = await ask<vscode.CodeAction[]>("vscode.executeCodeActionProvider", found.range);
  const fix = actions.find(({ title }) => title.includes("1536m"));
  if (fix?.edit === undefined)
    throw new Error(`it offers ${actions.map(({ title }) => title).join()}`);
  await vscode.workspace.applyEdit(fix.edit);
  await until("an end of the diagnostic", () =>
    vscode.languages.getDiagnostics(document.uri).some(({ range }) => range.isEqual(found.range))
      ? undefined
      : true,
  );
  await vscode.commands.executeCommand("undo");
}

// VS Code returns instances of its internal classes, so check for `value` instead of using `instanceof`.
const wordsOf = (content: unknown): string =>
  typeof content === "object" && content !== null && "value" in content
    ? String(content.value)
    : String(content);

const openConf = (): Promise<vscode.TextDocument> => open("conf/spark-defaults.conf");

async function open(name: string): Promise<vscode.TextDocument> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (folder === undefined) throw new Error("no folder is open");
  const file = vscode.Uri.joinPath(folder.uri, name);
  const document = await vscode.workspace.openTextDocument(file);
  await vscode.window.showTextDocument(document);
  return document;
}
