import type { ConfEntry, Directive } from "./confDocument.ts";
import { severities, type Severity } from "../lint/finding.ts";

/** Maps a finding's code, a rule number such as `R037`, or `all` to a severity. `off` silences the finding. */
export type SeverityChoices = ReadonlyMap<string, Severity | "off">;

/** Finds directive comments, with the comment signs of all supported languages. */
export function directivesIn(text: string): readonly Directive[] {
  if (!text.includes("spark-k8s")) return [];
  const found = text.matchAll(/^[ \t]*(?:#|!|\/\/|<!--)[ \t]*spark-k8s(-next)?:(.*)$/gm);
  return [...found].map(([line, next, choices = ""], index, all) => ({
    text: choices,
    end: (all[index]?.index ?? 0) + line.length,
    isForNext: next !== undefined,
  }));
}

/** Parses choices such as `R037=off unknown-key=warning`. Ignores other words; the last choice of a code wins. */
export function readChoices(text: string): SeverityChoices {
  const choices = new Map<string, Severity | "off">();
  for (const word of text.split(/[\s,]+/)) {
    const [code = "", level = ""] = word.split("=");
    const choice = toChoice(level);
    if (code !== "" && choice !== undefined) choices.set(code, choice);
  }
  return choices;
}

export const toChoice = (text: string): Severity | "off" | undefined =>
  text === "off" ? "off" : severities.find((severity) => severity === text);

/** Returns the severity of a finding at an offset; `own` is its severity without any choice. */
type SeverityAt = (code: string, offset: number, own: Severity) => Severity | "off";

/**
 * Returns a function that chooses severities. Precedence: a comment for the next entry, a comment for the document (the
 * last one first), the VS Code setting.
 */
export function severityIn(
  entries: readonly ConfEntry[],
  directives: readonly Directive[],
  settings: SeverityChoices,
): SeverityAt {
  const everywhere: SeverityChoices[] = [];
  const atEntry: {
    readonly start: number;
    readonly end: number;
    readonly choices: SeverityChoices;
  }[] = [];
  for (const { text, end, isForNext } of directives) {
    const choices = readChoices(text);
    if (!isForNext) everywhere.unshift(choices);
    else {
      const next = firstFrom(entries, end);
      if (next) atEntry.push({ start: next.keySpan.start, end: next.valueSpan.end, choices });
    }
  }
  return (code, offset, own) => {
    const here = atEntry.filter(({ start, end }) => start <= offset && offset <= end);
    for (const choices of [...here.map(({ choices }) => choices), ...everywhere, settings]) {
      const choice = choices.get(code) ?? choices.get(numberOf(code)) ?? choices.get("all");
      if (choice !== undefined) return choice;
    }
    return own;
  };
}

/**
 * Returns the first entry at or after a place. The entries may be unsorted: a command lists its settings in order of
 * precedence.
 */
function firstFrom(entries: readonly ConfEntry[], place: number): ConfEntry | undefined {
  let first: ConfEntry | undefined;
  for (const entry of entries) {
    const { start } = entry.keySpan;
    if (start >= place && (first === undefined || start < first.keySpan.start)) first = entry;
  }
  return first;
}

const numberOf = (code: string): string => /^R\d+(?=-)/.exec(code)?.[0] ?? code;
