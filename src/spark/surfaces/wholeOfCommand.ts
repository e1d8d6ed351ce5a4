import { moveSpan, type Span } from "../../base/span.ts";
import type { ApplicationFacts } from "../conf/catalogue/applicationFacts.ts";
import { moveEntry, type ConfEntry } from "../conf/parse/confDocument.ts";
import { unknownValue } from "../conf/values/placeholders.ts";
import { newestSparkVersion } from "../conf/catalogue/sparkVersions.ts";
import { kindOfFile } from "../submit/arguments/fileKind.ts";
import { requestOfLine } from "../operator/lineRequest.ts";
import { parseCommandLine } from "../submit/arguments/commandLine.ts";
import { commandOptions } from "../submit/arguments/options.ts";
import { parsePastedCommand } from "../submit/pasted/parsePastedCommand.ts";
import { isPlain, textOfWord, type ShellWord } from "../submit/pasted/shellWord.ts";
import { versionTraits } from "../submit/conf/versionTraits.ts";

/** A complete spark-submit command, with its application and its settings. */
export interface WholeCommand {
  readonly application: ApplicationFacts;
  readonly span: Span;
  /** The settings from options that have a conf key, in command-line order. */
  readonly entries: readonly ConfEntry[];
  /** The names of the options that override `--conf` for their keys, by their offset. */
  readonly options: ReadonlyMap<number, string>;
  readonly propertiesFiles: readonly string[];
}

/** This extension refuses client mode, but spark-submit accepts it, so such a command is checked as well. */
const inClientMode = "L-14";

/** Maximum number of commands in a text, because each command is parsed word by word. */
const maxCommands = 200;
/** Maximum length of a command, in characters. */
const maxCommandLength = 8_000;
/** Maximum indentation of a comment, in characters. */
const maxIndentation = 200;
const program = /(?<![\w.-])spark-submit(?:\.sh)?(?=[ \t\\])/g;

/**
 * Returns the commands in a text that can be parsed completely. They consist of shell words, have a valid main
 * application resource, and have no placeholder for more options. Takes linear time.
 */
export const wholeCommandsIn = (text: string): readonly WholeCommand[] =>
  commandParts(text).flatMap(({ start, end }) => {
    const whole = readWhole(text.slice(start, end));
    return whole === undefined ? [] : [moveWhole(whole, start)];
  });

const moveWhole = (whole: WholeCommand, by: number): WholeCommand => ({
  ...whole,
  span: moveSpan(whole.span, by),
  entries: whole.entries.map((entry) => moveEntry(entry, by)),
  options: new Map([...whole.options].map(([at, option]) => [at + by, option])),
});

/**
 * Returns a span for each `spark-submit` outside of comments: up to the next one, at most `maxCommandLength` long. The
 * command may end earlier.
 */
export function commandParts(text: string): readonly Span[] {
  if (!text.includes("spark-submit")) return [];
  const starts: number[] = [];
  for (const { index } of text.matchAll(program)) {
    if (starts.length > maxCommands) break;
    const lineStart = text.lastIndexOf("\n", index) + 1;
    const before = text.slice(lineStart, Math.min(index, lineStart + maxIndentation));
    if (!before.trimStart().startsWith("#")) starts.push(index);
  }
  return starts.slice(0, maxCommands).map((start, index) => ({
    start,
    end: Math.min(starts[index + 1] ?? text.length, start + maxCommandLength),
  }));
}

function readWhole(text: string): WholeCommand | undefined {
  const { tokens, span, findings } = parsePastedCommand(text);
  const isSure = findings.every(
    ({ code, severity }) => severity !== "error" || code === inClientMode,
  );
  if (span === undefined || !isSure || tokens.some((word) => !isOneWord(word))) return undefined;
  const texts = tokens.map(textOfWord);
  const line = parseCommandLine(texts, versionTraits[newestSparkVersion]);
  const resource = line.resource?.text;
  if (resource === undefined || !isResource(resource)) return undefined;
  const request = requestOfLine({
    kind: "tokens",
    tokens: texts,
    sparkVersion: newestSparkVersion,
  });
  const { mainClass, proxyUser, propertiesFile, extraPropertiesFiles, loadsDefaults } =
    request.value;
  const options = new Map<number, string>();
  const entries = line.options.flatMap(({ name, value, token }): readonly ConfEntry[] => {
    const option = commandOptions.find((one) => one.name === name);
    const word = tokens[token];
    const key = option?.key ?? keysElsewhere.get(name);
    if (option === undefined || key === undefined || word === undefined) return [];
    const at = word.span.start;
    if (option.isConf !== true) options.set(at, name);
    if (option.kind === "switch") {
      const behind = { start: word.span.end, end: word.span.end };
      return [{ key, keySpan: word.span, value: "true", valueSpan: behind }];
    }
    const valueSpan = placeOfValue(text, tokens, token, value);
    if (valueSpan === undefined) return [];
    const keySpan = { start: at, end: at + name.length };
    // A value with braces counts as unknown, because in a program's string these may be placeholders.
    const isOpen = /\{\w*\}/.test(value);
    return [{ key, keySpan, value: isOpen ? unknownValue : value, valueSpan }];
  });
  return {
    span: { start: 0, end: span.end },
    entries,
    options,
    propertiesFiles: [
      ...(propertiesFile === undefined ? [] : [propertiesFile]),
      ...extraPropertiesFiles,
    ],
    application: {
      readsDefaults: propertiesFile === undefined || loadsDefaults,
      mainResource: resource,
      language: kindOfFile(resource),
      ...(mainClass === undefined ? {} : { mainClass }),
      ...(proxyUser === undefined ? {} : { proxyUser }),
    },
  };
}

/** Keys that correspond to options without an effect on Kubernetes. */
const keysElsewhere: ReadonlyMap<string, string> = new Map([
  ["--queue", "spark.yarn.queue"],
  ["--total-executor-cores", "spark.cores.max"],
  ["--supervise", "spark.driver.supervise"],
]);

// False for a word that may expand to several words: an unquoted `$OPTIONS`, or `...` for omitted words.
const isOneWord = ({ parts }: ShellWord): boolean =>
  parts.every((part) =>
    part.kind === "variable" ? part.isQuoted || parts.length > 1 : part.kind === "text",
  ) && !parts.some((part) => part.kind === "text" && /^(?:\.{3}|…|\[.*\])$/.test(part.text));

const isResource = (text: string): boolean =>
  /\.(?:jar|py|R|r|zip|egg)$/.test(text) ||
  /^(?:spark|pyspark|sparkr)-(?:shell|internal)$/.test(text);

/** Returns the position of the value if its characters are written literally. */
function placeOfValue(
  text: string,
  tokens: readonly ShellWord[],
  token: number,
  value: string,
): Span | undefined {
  const inline = tokens[token];
  const isInline = inline !== undefined && textOfWord(inline).includes("=");
  const word = isInline ? inline : tokens[token + 1];
  if (word === undefined || !isPlain(word)) return undefined;
  const written = text.slice(word.span.start, word.span.end);
  const at = written.lastIndexOf(value);
  if (value === "" || at < 0) return undefined;
  return { start: word.span.start + at, end: word.span.start + at + value.length };
}
