import { l10n } from "vscode";
import { defaultSecretRule } from "../../spark/redact.ts";
import { redactLine } from "../../spark/redactLine.ts";
import type { ResultTable, SelectionAnswer } from "../../spark/submit/session/selectionAnswer.ts";
import type { ResultPage } from "../ui/resultPanel.ts";

const labels = (): ResultPage["labels"] => ({
  tools: l10n.t("Result"),
  copy: l10n.t("Copy Table"),
  copyMarkdown: l10n.t("Copy Markdown"),
  save: l10n.t("Export CSV…"),
  table: l10n.t("Result table"),
});

const emptyPage = (): ResultPage => ({
  isRunning: false,
  summary: "",
  notes: [],
  error: undefined,
  output: "",
  text: undefined,
  table: undefined,
  labels: labels(),
});

export const runningPage = (session: string): ResultPage => ({
  ...emptyPage(),
  isRunning: true,
  summary: l10n.t("Running…"),
  notes: [session],
});

/** The page of an answer. Texts that a program printed are redacted like a log; results are the user's data. */
export function answerPage(
  answer: Exclude<SelectionAnswer, { readonly kind: "missing" }>,
  session: string,
  elapsedMs: number,
): ResultPage {
  const output = redacted(answer.output);
  const notes = [l10n.t("{0} s", (elapsedMs / 1000).toFixed(1)), session];
  switch (answer.kind) {
    case "failed":
      return {
        ...emptyPage(),
        summary: l10n.t("Failed"),
        notes,
        output,
        error: redacted(answer.text),
      };
    case "interrupted":
      return { ...emptyPage(), summary: l10n.t("Canceled"), notes, output };
    case "done": {
      const { table, text } = answer;
      return {
        ...emptyPage(),
        summary: table === undefined ? l10n.t("Done") : rowWords(table),
        notes: [...(table === undefined ? [] : hiddenWords(table)), ...notes],
        output,
        text: text === undefined ? undefined : redacted(text),
        table,
      };
    }
  }
}

function rowWords({ rows, more }: ResultTable): string {
  if (more) return l10n.t("First {0} rows", rows.length);
  return rows.length === 1 ? l10n.t("1 row") : l10n.t("{0} rows", rows.length);
}

const hiddenWords = ({ hiddenColumns }: ResultTable): readonly string[] =>
  hiddenColumns === 0 ? [] : [l10n.t("{0} more columns are not shown", hiddenColumns)];

const redacted = (text: string): string =>
  text
    .split("\n")
    .map((line) => redactLine(line, defaultSecretRule))
    .join("\n");
