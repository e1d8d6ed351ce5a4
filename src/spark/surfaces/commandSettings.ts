// The surface of command lines, wherever they stand: scripts, Makefiles, Dockerfiles, Markdown, YAML, programs.
import { withoutEnd } from "../../base/withoutEnd.ts";
import type { Span } from "../../base/span.ts";
import {
  moveEntry,
  type ConfDocument,
  type ConfEntry,
  type PlacedDocument,
} from "../conf/confDocument.ts";
import {
  keptStretches,
  lineStretches,
  stretchReader,
  type SteppedReader,
} from "../conf/stretches.ts";
import { unknownValue } from "../conf/values/placeholders.ts";
import { readArgument, type Argument } from "./commandArgument.ts";
import { LineReader } from "./lineReader.ts";
import { movedWhole, wholeReader, type PlacedWhole, type WholeCommand } from "./wholeOfCommand.ts";
import { commandOptions } from "../submit/options.ts";

export interface CommandReader extends SteppedReader<readonly PlacedDocument[]> {
  /** The commands that can be read whole. */
  readonly wholes: (text: string) => readonly PlacedWhole[];
}

/**
 * The settings that `--conf` and other options of spark-submit give, one document for each command. It
 * knows no shell: what stands around an option shows how its argument is quoted. Takes any text, and keeps
 * what it read of a stretch for the next time.
 */
export function commandReader(): CommandReader {
  const stretches = stretchReader(partedLines, readOptions);
  const wholeCommands = wholeReader();
  const kept = keptStretches<ReadCommand>();
  const documentFor = (
    source: string,
    whole: WholeCommand | undefined,
    make: () => ConfDocument,
  ): ConfDocument => {
    const found = kept(source, () => ({ whole, document: make() }));
    // What stands behind a command may keep it from being read whole.
    return found.whole === whole ? found.document : make();
  };
  const read = (text: string): readonly PlacedDocument[] => {
    const groups: PlacedOption[][] = [];
    let end = 0;
    let isOver = false;
    for (const { at, found } of anyOption.test(text) ? stretches.read(text) : []) {
      for (const option of found) {
        const { from, to, gap } = option;
        // Within a stretch it is known; what stands between two of them is looked at here.
        const before = gap ?? gapBefore(text, end, at + from);
        end = at + to;
        isOver = before.isEnd || (isOver && !before.isNew);
        if (isOver) continue;
        if (groups.length === 0 || before.isNew) groups.push([]);
        groups.at(-1)?.push({ at, option });
      }
    }
    const wholes = wholeCommands.read(text);
    // A whole command says something by its other options alone, too.
    const lonely = new Set(wholes.filter(({ whole }) => whole.entries.length > 0));
    const documents = groups.map((options) => {
      const place = placeOf(options);
      const placed = wholeAt(wholes, place.start);
      if (placed !== undefined) lonely.delete(placed);
      const begin = text.lastIndexOf("\n", place.start - 1) + 1;
      const at = Math.min(begin, placed?.at ?? begin);
      const last = Math.max(
        place.end,
        placed === undefined ? 0 : placed.at + placed.whole.span.end,
      );
      const make = (): ConfDocument => {
        const entries = options.map(({ at: by, option }) => moveEntry(option.entry, by - at));
        return documentOf(entries, placed && movedWhole(placed.whole, placed.at - at));
      };
      // Of the options of a command that is read whole, those behind an empty line are a document of their own.
      const source = `${place.start - at} ${text.slice(at, last)}`;
      return { at, document: documentFor(source, placed?.whole, make) };
    });
    for (const { at, whole } of lonely) {
      const source = text.slice(at, at + whole.span.end);
      documents.push({ at, document: documentFor(source, whole, () => documentOf([], whole)) });
    }
    return lonely.size === 0 ? documents : documents.sort((a, b) => a.at - b.at);
  };
  const steps = function* (text: string): Generator<void, void> {
    yield* stretches.steps(text);
    yield* wholeCommands.steps(text);
  };
  return { read, steps, wholes: wholeCommands.read };
}

interface PlacedOption {
  readonly at: number;
  readonly option: Option;
}

/** What a command came to, and as part of what. */
interface ReadCommand {
  readonly whole: WholeCommand | undefined;
  readonly document: ConfDocument;
}

function placeOf(options: readonly PlacedOption[]): Span {
  const [first] = options;
  const last = options.at(-1);
  return {
    start: first === undefined ? 0 : first.at + first.option.from,
    end: last === undefined ? 0 : last.at + last.option.to,
  };
}

// No argument begins with the dashes of an option, so that what goes before it is over.
const partedLines = lineStretches((text, _, end) => {
  let next = end + 1;
  while (text.charCodeAt(next) === 0x20 || text.charCodeAt(next) === 0x09) next++;
  return text.startsWith("--", next);
});

interface Option {
  readonly entry: ConfEntry;
  /** From its name to the end of its argument. */
  readonly from: number;
  readonly to: number;
  /** What stands between it and the option before it; undefined for the first. */
  readonly gap: Gap | undefined;
}

interface Gap {
  /** Whether another command begins there. */
  readonly isNew: boolean;
  /** Whether the application's own arguments do. */
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
    if (entry === undefined) continue;
    const gap = options.length === 0 ? undefined : gapBefore(text, end, from);
    end = argument.span.end;
    options.push({ entry, from, to: end, gap });
  }
  return options;
}

/** With what the command tells besides, if all of it can be read. */
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
    // An option counts more than the same key behind `--conf`, and what counts comes last.
    entries: [...inOrder.filter((entry) => !isStrong(entry)), ...inOrder.filter(isStrong)],
    findings: [],
    application: whole.application,
    propertiesFiles: whole.propertiesFiles,
  };
}

// They come in the order of the text, and there may be as many as there are documents.
function wholeAt(wholes: readonly PlacedWhole[], place: number): PlacedWhole | undefined {
  let low = 0;
  let high = wholes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((wholes[middle]?.at ?? 0) <= place) low = middle + 1;
    else high = middle;
  }
  const found = wholes[low - 1];
  return found !== undefined && place < found.at + found.whole.span.end ? found : undefined;
}

// Of the options that set a key, those whose names are spark-submit's alone.
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

/** `MEM`, `N`, `Xg`, `...`: what manuals write where a value belongs. */
const isStandIn = (text: string): boolean =>
  /^(?:[A-Z]{3,}(?:_[A-Z]+)*|(?:N+|X+)(?:[kmgt]b?|[KMGT]B?)?|\.{3}|…)$/.test(text);

/** Where some of an argument's characters stand; what is empty stands behind what is before it. */
function partOf({ starts, ends, span }: Argument, from: number, to: number): Span {
  if (starts === undefined || ends === undefined) {
    return { start: span.start + from, end: span.start + Math.max(from, to) };
  }
  const before = from === 0 ? span.start : (ends[from - 1] ?? span.end);
  if (from >= to) return { start: before, end: before };
  return { start: starts[from] ?? before, end: ends[to - 1] ?? before };
}

/** Whether another command begins between two options: an empty line, or the name of a program of Spark. */
const isNewCommand = (text: string, from: number, to: number): boolean =>
  /\n[ \t]*\r?\n|spark-(?:submit|shell|sql|class)|pyspark|sparkR|[`;&|]/.test(text.slice(from, to));

/** No two options are further apart. */
const longestGap = 2_000;

/** Whether the application's own arguments begin between two options: behind its main resource. */
function isBehindResource(text: string, from: number, to: number): boolean {
  const words = text.slice(Math.max(from, to - longestGap), to).match(/[^\s"'[\]\\]+/g) ?? [];
  let isValue = false;
  return words.some((word) => {
    // The signs of lists; the items of one stay together.
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
