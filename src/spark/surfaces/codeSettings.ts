// The surface of programs: settings that Python, Scala and Java code passes to Spark as literals.
import type { Span } from "../../base/span.ts";
import type { ApplicationFacts } from "../conf/catalogue/applicationFacts.ts";
import type { ConfDocument, ConfEntry } from "../conf/parse/confDocument.ts";
import { unknownValue } from "../conf/values/placeholders.ts";
import { brackets, type Brackets } from "./codeBrackets.ts";
import { statementEnd } from "./codeStatements.ts";
import type { CodeLanguage } from "./codeLanguage.ts";
import { tokenize, type CodeToken, type StringToken } from "./codeTokens.ts";
import { codeFacts, mayUse, usesIn, type CodeUse } from "./codeUses.ts";

/** Reads the settings of spark-submit command lines in a program's string. */
type ReadCommandSettings = (text: string) => readonly ConfDocument[];

/**
 * Returns one document for each chain of calls, each map and each list that has settings, and for each command in a
 * string. Settings in different places get separate documents, because they may not belong together. Accepts any text.
 */
export function readCode(
  text: string,
  language: CodeLanguage,
  readCommandSettings: ReadCommandSettings,
): readonly ConfDocument[] {
  const settings: (readonly ConfEntry[])[] = [];
  const commands: ConfDocument[] = [];
  const uses = new Set<CodeUse>();
  for (let start = 0; start < text.length;) {
    const end = statementEnd(text, start, language);
    if (mayHaveSettings(text.slice(start, end))) {
      const tokens = tokenize(text, language, { start, end });
      for (const entries of settingsIn(text, tokens)) settings.push(entries);
      for (const token of tokens)
        if (isCommand(token)) commands.push(...commandsIn(token, readCommandSettings));
      for (const use of usesIn(tokens)) uses.add(use);
    }
    start = end;
  }
  const application: ApplicationFacts = codeFacts(language === "python" ? "python" : "java", uses);
  return [
    ...settings.map((entries): ConfDocument => ({ entries, findings: [], application })),
    ...commands,
  ];
}

const mayHaveSettings = (text: string): boolean =>
  text.includes("spark") || text.includes("--") || mayUse(text);

/** Returns the settings of a statement, one list for each chain of calls, map and list. */
function settingsIn(text: string, tokens: readonly CodeToken[]): Iterable<readonly ConfEntry[]> {
  const matching = brackets(tokens);
  const chainStart = chainStarts(tokens, matching.openOf);
  const code = { text, tokens, brackets: matching, chainStart };
  const groups = new Map<number, ConfEntry[]>();
  tokens.forEach((token, index) => {
    if (token.kind !== "string" || !isKey(token)) return;
    const found = settingAt(code, token, index);
    if (found === undefined) return;
    const group = groups.get(found.group);
    if (group === undefined) groups.set(found.group, [found.entry]);
    else group.push(found.entry);
  });
  return groups.values();
}

const isKey = ({ value }: StringToken): boolean => value.startsWith("spark.");

const isCommand = (token: CodeToken): token is StringToken =>
  token.kind === "string" && !isKey(token) && !token.isInterpolated && token.value.includes("--");

interface Code {
  readonly text: string;
  readonly tokens: readonly CodeToken[];
  readonly brackets: Brackets;
  readonly chainStart: (name: number) => number;
}

/** Names of methods whose first argument is a key and whose second is its value. */
const setters: ReadonlySet<string> = new Set(["config", "set", "setIfMissing", "setConf"]);

function settingAt(
  code: Code,
  key: StringToken,
  index: number,
): { readonly entry: ConfEntry; readonly group: number } | undefined {
  const place = placeOf(code, index);
  if (place === undefined || key.isInterpolated) return undefined;
  const { valueAt, group } = place;
  const { value, valueSpan } = valueFrom(code, valueAt, key);
  return { entry: { key: key.value, value, keySpan: key.content, valueSpan }, group };
}

/**
 * Returns the index of the token at which the key's value begins, and the number of the key's group. Undefined if the
 * string is not in the place of a key.
 */
function placeOf(
  code: Code,
  index: number,
): { readonly valueAt: number; readonly group: number } | undefined {
  const { tokens } = code;
  const { openOf } = code.brackets;
  const before = markAt(tokens, index - 1);
  const after = markAt(tokens, index + 1);
  const open = openOf(index) ?? index;
  // {"key": value}
  if (after === ":" && markAt(tokens, open) === "{") {
    return isOfConf(code, open) ? { valueAt: index + 2, group: open } : undefined;
  }
  // Map("key" -> value)
  if (after === "-" && markAt(tokens, index + 2) === ">") {
    return isOfConf(code, open) ? { valueAt: index + 3, group: open } : undefined;
  }
  const isFirst = before === "(";
  // config(key="key", value=value)
  const isNamed = before === "=" && wordAt(tokens, index - 2) === "key";
  if (!isFirst && !isNamed) return undefined;
  const caller = wordAt(tokens, open - 1);
  if (caller !== undefined) {
    const isWhole = after === "," || after === ")" || tokens[index + 1] === undefined;
    if (!setters.has(caller) || !isWhole) return undefined;
    const valueAt = after === "," ? index + 2 : index + 1;
    return { valueAt, group: code.chainStart(open - 1) };
  }
  // [("key", value)]
  const list = openOf(open);
  const isTuple = isFirst && after === "," && /^[([,]$/.test(markAt(tokens, open - 1) ?? "");
  if (!isTuple || list === undefined || !isOfConf(code, list)) return undefined;
  return { valueAt: index + 2, group: list };
}

/** Maximum number of words before a bracket that may state its purpose. */
const maxWordsBefore = 12;

/**
 * True if the text before the bracket names settings, as in `spark_conf = {`. Other maps have
 * Spark keys too, such as descriptions and option names.
 */
function isOfConf({ text, tokens }: Code, open: number): boolean {
  let next = tokens[open];
  for (let at = open - 1; at >= Math.max(0, open - maxWordsBefore); at--) {
    const token = tokens[at];
    if (token === undefined || next === undefined) return false;
    const isOpen = token.kind === "mark" && "([{,=:".includes(token.text);
    if (!isOpen && text.slice(token.span.end, next.span.start).includes("\n")) return false;
    const name = token.kind === "word" ? token.text : token.kind === "string" ? token.value : "";
    if (/conf|spark/i.test(name)) return true;
    next = token;
  }
  return false;
}

/** Returns a function that finds the beginning of the chain `a.b(…).c(…)` for one of its calls. */
function chainStarts(
  tokens: readonly CodeToken[],
  openOf: Brackets["openOf"],
): (name: number) => number {
  // The walks from the calls of a chain to its start overlap, so the start is memoized for each visited call.
  const known = new Map<number, number>();
  return (name) => {
    const way: number[] = [];
    let at = name;
    while (markAt(tokens, at - 1) === "." && !known.has(at)) {
      way.push(at);
      let target = at - 2;
      while (/^[)\]]$/.test(markAt(tokens, target) ?? "")) target = (openOf(target) ?? 0) - 1;
      if (target < 0 || wordAt(tokens, target) === undefined) break;
      at = target;
    }
    const start = known.get(at) ?? at;
    for (const call of way) known.set(call, start);
    return start;
  };
}

/** Returns the value that begins with the token and ends with its argument or element. */
function valueFrom(
  { tokens, brackets: { endOfPart } }: Code,
  start: number,
  key: StringToken,
): Pick<ConfEntry, "value" | "valueSpan"> {
  const isNamed = wordAt(tokens, start) === "value" && markAt(tokens, start + 1) === "=";
  const first = isNamed ? start + 2 : start;
  const parts = tokens.slice(first, endOfPart(first));
  const [begin, end] = [parts[0], parts.at(-1)];
  const behind = { start: key.span.end, end: key.span.end };
  if (begin === undefined || end === undefined) return { value: unknownValue, valueSpan: behind };
  const whole = { start: begin.span.start, end: end.span.end };
  return literal(parts) ?? { value: unknownValue, valueSpan: whole };
}

function literal(
  parts: readonly CodeToken[],
): { readonly value: string; readonly valueSpan: Span } | undefined {
  const [first, second] = parts;
  if (first?.kind === "string") {
    // Python concatenates adjacent string literals.
    const plain: StringToken[] = [];
    for (const part of parts) {
      if (part.kind !== "string" || part.isInterpolated) return undefined;
      plain.push(part);
    }
    const last = plain.at(-1) ?? first;
    const valueSpan = { start: first.content.start, end: last.content.end };
    return { value: plain.map(({ value }) => value).join(""), valueSpan };
  }
  if (parts.length === 1 && first?.kind === "word" && /^(?:true|false)$/i.test(first.text)) {
    return { value: first.text.toLowerCase(), valueSpan: first.span };
  }
  const isNegative = markText(first) === "-";
  const number = isNegative ? second : first;
  if (number?.kind !== "number" || parts.length !== (isNegative ? 2 : 1)) return undefined;
  const digits = number.text.replaceAll("_", "").replace(/L$/i, "");
  // Other formats, such as hexadecimal, are not read: the program converts the number before Spark gets it as text.
  if (!/^\d+(?:\.\d+)?$/.test(digits) || /^0\d/.test(digits)) return undefined;
  const start = first?.span.start ?? number.span.start;
  const valueSpan = { start, end: number.span.end };
  return { value: isNegative ? `-${digits}` : digits, valueSpan };
}

const markText = (token: CodeToken | undefined): string | undefined =>
  token?.kind === "mark" ? token.text : undefined;

const markAt = (tokens: readonly CodeToken[], index: number): string | undefined =>
  markText(tokens[index]);

function wordAt(tokens: readonly CodeToken[], index: number): string | undefined {
  const token = tokens[index];
  return token?.kind === "word" ? token.text : undefined;
}

// Returns only the settings of a command string. The command may be a fragment, so its `application` is ignored.
function commandsIn(
  token: StringToken,
  readCommandSettings: ReadCommandSettings,
): readonly ConfDocument[] {
  const { content, offsets } = token;
  const place = (offset: number): number =>
    offsets === undefined ? content.start + offset : (offsets[offset] ?? content.end);
  const moved = ({ start, end }: Span): Span => ({ start: place(start), end: place(end) });
  return readCommandSettings(token.value).map(({ entries }) => ({
    entries: entries.map((entry) => ({
      ...entry,
      keySpan: moved(entry.keySpan),
      valueSpan: moved(entry.valueSpan),
    })),
    findings: [],
  }));
}
