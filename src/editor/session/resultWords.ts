import { msg, type Message, type ShowMessage } from "../../base/message.ts";
import { defaultSecretRule } from "../../spark/redact.ts";
import { redactLine } from "../../spark/redactLine.ts";
import type { ResultTable, SelectionAnswer } from "../../spark/submit/session/selectionAnswer.ts";
import type { ResultPage } from "../ui/resultPanel.ts";

const labels = (show: ShowMessage): ResultPage["labels"] => ({
  tools: show(msg("Result")),
  copy: show(msg("Copy Table")),
  copyMarkdown: show(msg("Copy Markdown")),
  save: show(msg("Export CSV…")),
  table: show(msg("Result table")),
});

const emptyPage = (show: ShowMessage): ResultPage => ({
  isRunning: false,
  summary: "",
  notes: [],
  error: undefined,
  output: "",
  text: undefined,
  table: undefined,
  labels: labels(show),
});

export const runningPage = (session: string, show: ShowMessage): ResultPage => ({
  ...emptyPage(show),
  isRunning: true,
  summary: show(msg("Running…")),
  notes: [session],
});

/**
 * Returns the result page of a finished selection. Redacts all text as in logs, except tables, which are the user's
 * data.
 */
export function answerPage(
  answer: Exclude<SelectionAnswer, { readonly kind: "missing" }>,
  session: string,
  elapsedMs: number,
  show: ShowMessage,
): ResultPage {
  const output = redacted(answer.output);
  const notes = [show(msg`${(elapsedMs / 1000).toFixed(1)} s`), session];
  switch (answer.kind) {
    case "failed":
      return {
        ...emptyPage(show),
        summary: show(msg("Failed")),
        notes,
        output,
        error: redacted(answer.text),
      };
    case "interrupted":
      return { ...emptyPage(show), summary: show(msg("Canceled")), notes, output };
    case "done": {
      const { table, text } = answer;
      return {
        ...emptyPage(show),
        summary: show(table === undefined ? msg("Done") : rowWords(table)),
        notes: [
          ...(table === undefined ? [] : hiddenWords(table).map((words) => show(words))),
          ...notes,
        ],
        output,
        text: text === undefined ? undefined : redacted(text),
        table,
      };
    }
  }
}

function rowWords({ rows, more }: ResultTable): Message {
  if (more) return msg`First ${rows.length} rows`;
  return rows.length === 1 ? msg("1 row") : msg`${rows.length} rows`;
}

const hiddenWords = ({ hiddenColumns }: ResultTable): readonly Message[] =>
  hiddenColumns === 0 ? [] : [msg`${hiddenColumns} more columns are not shown`];

const redacted = (text: string): string =>
  text
    .split("\n")
    .map((line) => redactLine(line, defaultSecretRule))
    .join("\n");
