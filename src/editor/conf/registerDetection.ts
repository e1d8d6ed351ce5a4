import { workspace, type Memento, type TextDocument } from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import { languages } from "../ui/languages.ts";
import { ConfDetection, plainLanguages } from "./confDetection.ts";
import { confLanguage } from "./confIds.ts";

const declinedKey = "conf.otherLanguage";
const headLines = 100;
const headLineLength = 2000;

/**
 * Sets the language of conf files on each opened file that contains Spark properties but is not named like a conf file.
 */
export function registerDetection(
  memory: Memento,
  canEdit: (document: TextDocument) => boolean,
  fail: (error: unknown) => void,
): Disposable {
  const owned = new DisposableStore();
  const detection = new ConfDetection(
    memory.get<readonly string[]>(declinedKey, []),
    (declined) => {
      memory.update(declinedKey, declined).then(undefined, fail);
    },
  );
  const check = (document: TextDocument): void => {
    const isConf = detection.opened({
      uri: document.uri.toString(),
      languageId: document.languageId,
      head: () => headOf(document),
    });
    if (isConf && canEdit(document) && !isAssociated(document)) {
      languages.setTextDocumentLanguage(document, confLanguage).then(undefined, fail);
    }
  };
  owned.add(workspace.onDidOpenTextDocument(check));
  owned.add(
    workspace.onDidCloseTextDocument(({ uri, languageId }) => {
      detection.closed({ uri: uri.toString(), languageId });
    }),
  );
  workspace.textDocuments.forEach(check);
  return owned;
}

function headOf(document: TextDocument): string {
  const lines: string[] = [];
  for (let line = 0; line < Math.min(headLines, document.lineCount); line += 1) {
    lines.push(document.lineAt(line).text.slice(0, headLineLength));
  }
  return lines.join("\n");
}

/** True if `files.associations` assigns a plain language to the file; detection must not override this choice. */
function isAssociated(document: TextDocument): boolean {
  const associations = workspace
    .getConfiguration("files", document)
    .get<Readonly<Record<string, string>>>("associations", {});
  return Object.entries(associations).some(
    ([glob, language]) =>
      plainLanguages.has(language) &&
      languages.match({ pattern: glob.includes("/") ? glob : `**/${glob}` }, document) > 0,
  );
}
