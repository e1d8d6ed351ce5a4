// The surface of command lines in scripts, Makefiles, Dockerfiles, Markdown, YAML and programs.
import { withoutEnd } from "../../base/withoutEnd.ts";
import type { Span } from "../../base/span.ts";
import type { ConfDocument, ConfEntry } from "../conf/parse/confDocument.ts";
import { unknownValue } from "../conf/values/placeholders.ts";
import { readArgument, type Argument } from "./commandArgument.ts";
import { LineReader } from "./lineReader.ts";
import { unknownOptionsIn } from "./unknownOptions.ts";
import { wholeCommandsIn, type WholeCommand } from "./wholeOfCommand.ts";
import { commandOptions } from "../submit/arguments/options.ts";

/**
 * Returns the settings from `--conf` and other options of spark-submit, one document per command, sorted by position.
 * Uses no shell parser: the characters around an option show how its argument is quoted. Accepts any text.
 */
export function readCommandSettings(text: string): readonly ConfDocument[] {
  const wholes = wholeCommandsIn(text);
  const used = new Set<WholeCommand>();
  const documents = groupsOf(text).map((options) => {
    const start = options[0]?.from ?? 0;
    const whole = wholeAt(wholes, start);
    if (whole !== undefined) used.add(whole);
    const entries = options.map(({ entry }) => entry);
    return {
      start: Math.min(start, whole?.span.start ?? start),
      document: documentOf(entries, whole),
    };
  });
  // A complete command may have only options that `readOptions` does not find, such as `--name`.
  for (const whole of wholes) {
    if (whole.entries.length > 0 && !used.has(whole))
      documents.push({ start: whole.span.start, document: documentOf([], whole) });
  }
  for (const finding of unknownOptionsIn(text))
    documents.push({ start: finding.span.start, document: { entries: [], findings: [finding] } });
  return documents.sort((a, b) => a.start - b.start).map(({ document }) => document);
}

/** Returns the options of each command, without those after its main resource. */
function groupsOf(text: string): readonly (readonly Option[])[] {
  const groups: Option[][] = [];
  let end = 0;
  let isOver = false;
  for (const option of readOptions(text)) {
    const { isNew, isEnd } = gapBefore(text, end, option.from);
    end = option.to;
    isOver = isEnd || (isOver && !isNew);
    if (isOver) continue;
    const last = isNew ? undefined : groups.at(-1);
    if (last === undefined) groups.push([option]);
    else last.push(option);
  }
  return groups;
}

interface Option {
  readonly entry: ConfEntry;
  /** The offset of the option's name; `to` is the end of its argument. */
  readonly from: number;
  readonly to: number;
}

interface Gap {
  /** True if another command begins in the gap. */
  readonly isNew: boolean;
  /** True if the application's own arguments begin in the gap. */
  readonly isEnd: boolean;
}

function gapBefore(text: string, from: number, to: number): Gap {
  const isNew = isNewCommand(text, from, to);
  const program = isNew ? text.lastIndexOf(submitProgram, to) : from;
  return { isNew, isEnd: program >= from && isBehindResource(text, program, to) };
}

const submitProgram = "spark-submit";

function readOptions(text: string): readonly Option[] {
  const options: Option[] = [];
  const lines = new LineReader(text);
  let end = 0;
  for (const match of text.matchAll(optionPattern)) {
    const from = match.index + (match[1] ?? "").length;
    const { isComment, openQuote } = lines.advanceTo(from);
    if (from < end || isComment) continue;
    const option = match[2] ?? "";
    const argument = readArgument(text, from + option.length, openQuote);
    if (argument === undefined) continue;
    const entry =
      option === "--conf" || option === "-c"
        ? confEntry(argument)
        : flagEntry(option, from, argument);
    if (entry === undefined || isProse(text, from, option, argument)) continue;
    end = argument.span.end;
    options.push({ entry, from, to: end });
  }
  return options;
}

/**
 * True if the option is part of a sentence, as in `use --driver-memory instead`. A lower-case word must follow, and
 * either another word must follow it, or no Spark program may precede on the line.
 */
function isProse(
  text: string,
  from: number,
  option: string,
  { text: value, span }: Argument,
): boolean {
  if (option === "--conf" || option === "-c" || !/^[a-z]{2,}[.,;:!?)]*$/.test(value)) return false;
  if (/^ [a-z]{2,}[ .,;:!?]/.test(text.slice(span.end, span.end + maxWordLength))) return true;
  const lineStart = text.lastIndexOf("\n", from - 1) + 1;
  const isContinued = /[\\^`]\r?\n$/.test(text.slice(Math.max(0, lineStart - 3), lineStart));
  return !isContinued && !sparkProgram.test(text.slice(Math.max(lineStart, from - maxGap), from));
}

// Maximum number of characters after an argument in which another word is searched.
const maxWordLength = 30;

/**
 * Returns the settings of a command. `whole`: the complete command, which adds its other options and its application.
 * Undefined if the command is not complete.
 */
function documentOf(entries: readonly ConfEntry[], whole: WholeCommand | undefined): ConfDocument {
  if (whole === undefined) return { entries, findings: [] };
  const found = new Set(entries.map(({ keySpan }) => keySpan.start));
  const others = whole.entries.filter(({ keySpan }) => !found.has(keySpan.start));
  const inOrder = [...entries, ...others]
    .map((entry): ConfEntry => {
      const option = whole.options.get(entry.keySpan.start);
      return option === undefined ? entry : { ...entry, option };
    })
    .sort((a, b) => a.keySpan.start - b.keySpan.start);
  const isStrong = ({ option }: ConfEntry): boolean => option !== undefined;
  return {
    // An option overrides the same key after `--conf`, and the last entry of a document wins.
    entries: [...inOrder.filter((entry) => !isStrong(entry)), ...inOrder.filter(isStrong)],
    findings: [],
    application: whole.application,
    propertiesFiles: whole.propertiesFiles,
  };
}

// Returns the complete command that contains the offset `place`. Uses binary search, because each document looks up its
// command, and a file may have as many commands as documents.
function wholeAt(wholes: readonly WholeCommand[], place: number): WholeCommand | undefined {
  let low = 0;
  let high = wholes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((wholes[middle]?.span.start ?? 0) <= place) low = middle + 1;
    else high = middle;
  }
  const found = wholes[low - 1];
  return found !== undefined && place < found.span.end ? found : undefined;
}

// Options that set a key and have unique names, so they are recognized even outside of a complete command.
const flags = new Map(
  commandOptions
    .filter(({ name, kind }) => kind === "value" && /^--(?:driver|executor|num-exec)/.test(name))
    .flatMap(({ name, key }) => (key === undefined ? [] : [[name as string, key]])),
);

const anyOption = new RegExp(
  `(^|[\\s"'\`,(\\[=])(--conf|-c|${[...flags.keys()].join("|")})(?![\\w-])`,
);
const optionPattern = new RegExp(anyOption, "g");

function confEntry(argument: Argument): ConfEntry | undefined {
  const { text } = argument;
  const separator = text.indexOf("=");
  const keyEnd = separator < 0 ? text.length : separator;
  const key = separator < 0 ? withoutEnd(text, ",.;:") : text.slice(0, keyEnd);
  if (!/^spark\.\S*$/.test(key)) return undefined;
  const keySpan = partOf(argument, 0, key.length);
  const behind = { start: keySpan.end, end: keySpan.end };
  if (separator < 0) return { key, keySpan, value: unknownValue, valueSpan: behind };
  const written = text.slice(separator + 1);
  const value = argument.isUnknown || isStandIn(written) ? unknownValue : written;
  return { key, keySpan, value, valueSpan: partOf(argument, separator + 1, text.length) };
}

function flagEntry(option: string, at: number, argument: Argument): ConfEntry | undefined {
  const key = flags.get(option);
  if (key === undefined) return undefined;
  const keySpan = { start: at, end: at + option.length };
  const { isUnknown, text } = argument;
  const value = isUnknown || isStandIn(text) ? unknownValue : text;
  return { key, keySpan, value, valueSpan: partOf(argument, 0, argument.text.length) };
}

/** True for a placeholder for a value, as in manuals: `MEM`, `N`, `Xg`, `...`. */
const isStandIn = (text: string): boolean =>
  /^(?:[A-Z]{3,}(?:_[A-Z]+)*|(?:N+|X+)(?:[kmgt]b?|[KMGT]B?)?|\.{3}|…)$/.test(text);

/**
 * Returns the span of an argument's characters between two offsets. An empty span is at the end of the character before
 * the first one.
 */
function partOf({ starts, ends, span }: Argument, from: number, to: number): Span {
  if (starts === undefined || ends === undefined) {
    return { start: span.start + from, end: span.start + Math.max(from, to) };
  }
  const before = from === 0 ? span.start : (ends[from - 1] ?? span.end);
  if (from >= to) return { start: before, end: before };
  return { start: starts[from] ?? before, end: ends[to - 1] ?? before };
}

const sparkProgram = /spark-(?:submit|shell|sql|class)|pyspark|sparkR/;
/** True if another command begins between two options: after an empty line, a shell operator or a Spark program. */
const isNewCommand = (text: string, from: number, to: number): boolean =>
  /\n[ \t]*\r?\n|spark-(?:submit|shell|sql|class)|pyspark|sparkR|[`;&|]/.test(text.slice(from, to));

/** Maximum distance between two options of one command, in characters. */
const maxGap = 2_000;

/** True if the application's own arguments begin between two options, after its main resource. */
function isBehindResource(text: string, from: number, to: number): boolean {
  const words = text.slice(Math.max(from, to - maxGap), to).match(/[^\s"'[\]\\]+/g) ?? [];
  let isValue = false;
  return words.some((word) => {
    // Skips list markers, because the items of one list belong to one command.
    if (word === "-" || word === ",") return false;
    if (word.startsWith("-")) {
      isValue = !word.includes("=") && !withoutValue.has(word);
      return false;
    }
    const isResource = !isValue && /\.(?:jar|py|R),?$/.test(word);
    isValue = false;
    return isResource;
  });
}

const withoutValue: ReadonlySet<string> = new Set([
  "-v",
  ...commandOptions.filter(({ kind }) => kind !== "value").map(({ name }) => name),
]);
