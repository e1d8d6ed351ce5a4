import { translated } from "../ui/translated.ts";
import {
  CodeAction,
  CodeActionKind,
  ConfigurationTarget,
  l10n,
  TextEdit,
  WorkspaceEdit,
  workspace,
  type Diagnostic,
  type DocumentSelector,
  type TextDocument,
} from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import type { TextEdit as ConfEdit } from "../../base/textEdit.ts";
import type { CommentSign } from "../../spark/surfaces/fixes/silence.ts";
import type { CommandHandler } from "../commandArguments.ts";
import { commands, settingsSection } from "../ids.ts";
import { namedFiles, rangeOf, readConfDocument, type ConfContext } from "./confContext.ts";
import { rulesSetting } from "./confIds.ts";
import type { ConfHelp, FixRequest } from "./door.ts";
import { severityChoices } from "./severityChoices.ts";
import { languages, type PlainDiagnostics } from "../ui/languages.ts";

const fixAllKind = CodeActionKind.SourceFixAll.append("sparkK8s");

/**
 * Registers quick fixes for single findings, a fix for all findings, and actions that silence rules. `shown`: the
 * diagnostics of the documents.
 */
export function registerFixes(
  context: ConfContext,
  documents: DocumentSelector,
  shown: PlainDiagnostics,
): Disposable {
  const owned = new DisposableStore();
  const request = async (
    document: TextDocument,
  ): Promise<{ readonly help: ConfHelp; readonly request: FixRequest } | undefined> => {
    const read = await readConfDocument(context, document);
    if (read === undefined) return undefined;
    const { help, text, surface, version } = read;
    const setting = workspace.getConfiguration(settingsSection, document).get(rulesSetting);
    const choices = severityChoices(setting);
    const files = await namedFiles(read, document);
    const comment = commentSigns.get(document.languageId) ?? "#";
    const own = document.languageId === "bat" ? undefined : comment;
    return { help, request: { text, surface, version, comment: own, choices, files } };
  };
  owned.add(
    languages.registerCodeActionsProvider(
      documents,
      {
        provideCodeActions: async (document, range, { diagnostics, only }, token) => {
          // Fix only diagnostics of this feature: other features report diagnostics in the same documents, with their
          // own fixes.
          const known = shown.get(document.uri) ?? [];
          const own = diagnostics.filter((one) =>
            known.some((each) => each.range.isEqual(one.range) && codeOf(each) === codeOf(one)),
          );
          const wantsAll = only?.contains(fixAllKind) === true;
          const wantsFixes = only === undefined || only.contains(CodeActionKind.QuickFix);
          if (!wantsAll && (own.length === 0 || !wantsFixes)) return [];
          const asked = await request(document);
          if (asked === undefined || token.isCancellationRequested) return [];
          const { help } = asked;
          const edits = help.fixAll(asked.request);
          if (!wantsFixes) return actionForAll(document, edits, fixAllKind);
          const all =
            edits.length > 1 ? actionForAll(document, edits, CodeActionKind.QuickFix) : [];
          const span = {
            start: document.offsetAt(range.start),
            end: document.offsetAt(range.end),
          };
          const fixes = help.fixes(asked.request, span);
          const actions = fixes.map(({ title, code, span: place, edits, isCertain, isSilence }) => {
            const action = new CodeAction(translated(title), CodeActionKind.QuickFix);
            const about = rangeOf(document, place);
            action.diagnostics = own.filter(
              (one) => codeOf(one) === code && one.range.isEqual(about),
            );
            action.edit = editOf(document, edits);
            action.isPreferred = isCertain && !isSilence;
            return action;
          });
          return [...actions, ...all, ...silences(document, own)];
        },
      },
      { providedCodeActionKinds: [CodeActionKind.QuickFix, fixAllKind] },
    ),
  );
  return owned;
}

/** Turns a rule off in the workspace settings. */
export const silenceRule: CommandHandler<"silenceRule"> = async (rule) => {
  if (rule === undefined) return;
  const settings = workspace.getConfiguration(settingsSection, rule.uri);
  const before = settings.inspect<Readonly<Record<string, string>>>(rulesSetting);
  await settings.update(
    rulesSetting,
    { ...before?.workspaceValue, [rule.code]: "off" },
    ConfigurationTarget.Workspace,
  );
};

const commentSigns: ReadonlyMap<string, CommentSign> = new Map<string, CommentSign>([
  ["scala", "//"],
  ["java", "//"],
  ["jsonc", "//"],
  ["markdown", "<!--"],
]);

function actionForAll(
  document: TextDocument,
  edits: readonly ConfEdit[],
  kind: CodeActionKind,
): CodeAction[] {
  if (edits.length === 0) return [];
  const action = new CodeAction(l10n.t("Apply all safe fixes in this file"), kind);
  action.edit = editOf(document, edits);
  return [action];
}

function silences(document: TextDocument, diagnostics: readonly Diagnostic[]): CodeAction[] {
  if (workspace.workspaceFolders === undefined) return [];
  const codes = new Set(diagnostics.map((one) => codeOf(one)));
  return [...codes].map((code) => {
    const name = /^R\d+(?=-)/.exec(code)?.[0] ?? code;
    const title = l10n.t("Disable {0} in this workspace", name);
    const action = new CodeAction(title, CodeActionKind.QuickFix);
    action.command = { title, command: commands.silenceRule, arguments: [name, document.uri] };
    action.diagnostics = diagnostics.filter((one) => codeOf(one) === code);
    return action;
  });
}

function codeOf({ code }: Diagnostic): string {
  return typeof code === "object" ? `${code.value}` : `${code ?? ""}`;
}

function editOf(document: TextDocument, edits: readonly ConfEdit[]): WorkspaceEdit {
  const whole = new WorkspaceEdit();
  whole.set(
    document.uri,
    edits.map(({ span, text }) => new TextEdit(rangeOf(document, span), text)),
  );
  return whole;
}
