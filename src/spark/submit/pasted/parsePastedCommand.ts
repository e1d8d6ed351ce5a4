import { msg } from "../../../base/message.ts";
import type { Span } from "../../../base/span.ts";
import { fileName } from "../../fileName.ts";
import { lastUse, parseCommandLine } from "../arguments/commandLine.ts";
import { newestMinor } from "../conf/sparkVersion.ts";
import { versionTraits } from "../conf/versionTraits.ts";
import { dialectOf } from "./dialect.ts";
import { pastedProblems, type PastedFinding, type PastedFix } from "./pastedFinding.ts";
import { readCommands, type ShellCommand } from "./readCommands.ts";
import { isPlain, textOfWord, type ShellWord, type VariablePart } from "./shellWord.ts";

/** A pasted spark-submit command. */
export interface PastedCommand {
  /** The words after spark-submit. */
  readonly tokens: readonly ShellWord[];
  /** The assignments `NAME=value` before the command, for the environment of the submission. */
  readonly environment: readonly PastedAssignment[];
  /** The distinct variables in the tokens, in the order of their first use. */
  readonly variables: readonly PastedVariable[];
  readonly findings: readonly PastedFinding[];
  /**
   * From the name spark-submit, or from the first option of a command without the name, to the last word. Undefined if
   * the text has neither.
   */
  readonly span: Span | undefined;
}

interface PastedAssignment {
  readonly name: string;
  readonly value: ShellWord;
}

export interface PastedVariable {
  /** `NAME`, or a placeholder with its brackets: `<host>`. */
  readonly name: string;
  /** A value from the text itself: an assignment or a default. */
  readonly suggestion: string | undefined;
  readonly uses: readonly Span[];
}

/**
 * Parses a spark-submit command from a wiki, a script or a terminal. Never throws, and runs nothing. Keeps variables
 * unresolved; suggests the values that the text itself assigns to them.
 */
export function parsePastedCommand(text: string): PastedCommand {
  const dialect = dialectOf(text);
  const { commands, findings: read } = readCommands(text, dialect);
  const findings = [...read];
  const submissions = commands.flatMap((command) => findSubmission(command) ?? []);
  const [chosen, ...others] = submissions;
  if (chosen === undefined) {
    const bare = commands.find(([first]) => first && textOfWord(first).startsWith("--"));
    if (bare) return describe(bare, [], new Map(), undefined, findings);
    const whole = { start: 0, end: text.length };
    const nested = commands.flat().find((word) => /\bspark-submit\s/.test(textOfWord(word)));
    findings.push(nested ? pastedProblems.nested(nested.span) : pastedProblems.noSubmission(whole));
    return { tokens: [], environment: [], variables: [], findings, span: undefined };
  }
  const { command, at, name } = chosen;
  const [next] = others;
  if (next) findings.push(pastedProblems.otherSubmissions(others.length, next.name.span));
  const before = command.slice(0, at);
  const { environment, rest } = splitAssignments(before);
  const [wrapper] = rest;
  const last = rest.at(-1);
  if (last && textOfWord(last) === "--entrypoint") {
    findings.push(pastedProblems.entryPoint(last.span));
  } else if (wrapper && last) {
    const span = { start: wrapper.span.start, end: last.span.end };
    findings.push(pastedProblems.leftOut(text.slice(span.start, span.end), span));
  }
  const known = knownValues(commands.slice(0, commands.indexOf(command)));
  return describe(command.slice(at + 1), environment, known, name.span, findings);
}

function describe(
  tokens: readonly ShellWord[],
  environment: readonly PastedAssignment[],
  known: ReadonlyMap<string, string>,
  name: Span | undefined,
  findings: readonly PastedFinding[],
): PastedCommand {
  const start = name?.start ?? tokens[0]?.span.start ?? 0;
  const end = tokens.at(-1)?.span.end ?? name?.end ?? start;
  return {
    tokens,
    environment,
    variables: variablesOf([...environment.map(({ value }) => value), ...tokens], known),
    findings: [
      ...findings,
      ...environment.flatMap(checkAssignment),
      ...checkDeployMode(tokens, name),
    ].sort((a, b) => a.span.start - b.span.start),
    span: { start, end },
  };
}

interface Submission {
  readonly command: ShellCommand;
  readonly at: number;
  readonly name: ShellWord;
}

// Finds spark-submit as the command itself, or as an argument of `docker run …`, `kubectl exec … --`, `nohup` or
// `sudo`.
function findSubmission(command: ShellCommand): Submission | undefined {
  const at = command.findIndex((word) => isSparkSubmit(textOfWord(word)));
  const name = command[at];
  return name && { command, at, name };
}

function isSparkSubmit(word: string): boolean {
  if (word.startsWith("-")) return false;
  const last = fileName(word);
  return /^spark[23]?[-\u2010-\u2015]submit(?:2?\.cmd|\.sh)?$/i.test(last);
}

function splitAssignments(words: readonly ShellWord[]): {
  readonly environment: readonly PastedAssignment[];
  readonly rest: readonly ShellWord[];
} {
  const environment: PastedAssignment[] = [];
  const rest: ShellWord[] = [];
  for (const word of words) {
    const assignment = readAssignment(word);
    const isOwn = rest.every((each) => /^(?:env|time|exec|nohup|sudo)$/.test(textOfWord(each)));
    if (assignment && isOwn) environment.push(assignment);
    else rest.push(word);
  }
  return { environment, rest };
}

function readAssignment({ parts, span }: ShellWord): PastedAssignment | undefined {
  const [first, ...more] = parts;
  if (first?.kind !== "text") return undefined;
  const [whole, name] = /^(?:\$env:)?([A-Za-z_]\w*)=/.exec(first.text) ?? [];
  if (whole === undefined || name === undefined) return undefined;
  const text = first.text.slice(whole.length);
  const rest = text === "" ? more : [{ kind: "text" as const, text }, ...more];
  return { name, value: { parts: rest, span } };
}

// Returns the values of assignments on separate lines, with or without `export`. Each assignment may use earlier ones.
function knownValues(commands: readonly ShellCommand[]): ReadonlyMap<string, string> {
  const known = new Map<string, string>();
  for (const command of commands) {
    const words = command.filter(
      (word, index) => index > 0 || !/^(?:export|set|declare|local)$/i.test(textOfWord(word)),
    );
    const assignments = words.map(readAssignment);
    if (assignments.some((assignment) => assignment === undefined)) continue;
    for (const assignment of assignments) {
      const value = assignment && valueOf(assignment.value, known);
      if (assignment && value !== undefined) known.set(assignment.name, value);
    }
  }
  return known;
}

// Maximum length of a value, in characters. Without it, values that double with each assignment would exhaust the
// memory.
const maxValueLength = 10_000;

function valueOf(word: ShellWord, known: ReadonlyMap<string, string>): string | undefined {
  let value = "";
  for (const part of word.parts) {
    const text = part.kind === "variable" ? (known.get(part.name) ?? part.fallback) : part.text;
    if (text === undefined || part.kind === "refused") return undefined;
    value += text;
    if (value.length > maxValueLength) return undefined;
  }
  return value;
}

function variablesOf(
  words: readonly ShellWord[],
  known: ReadonlyMap<string, string>,
): readonly PastedVariable[] {
  const variables = new Map<string, { suggestion: string | undefined; readonly uses: Span[] }>();
  const parts = words
    .flatMap((word) => word.parts)
    .filter((part): part is VariablePart => part.kind === "variable");
  for (const { name, fallback, span } of parts) {
    const variable = variables.get(name) ?? { suggestion: known.get(name), uses: [] };
    variable.suggestion ??= fallback;
    variable.uses.push(span);
    variables.set(name, variable);
  }
  return [...variables].map(([name, rest]) => ({ name, ...rest }));
}

// Pasted text must not choose the credential plugin or the server of a connection.
const connectionVariables =
  /^(?:PATH|(?:HTTPS?|ALL|NO)_PROXY|(?:LD|DYLD|AWS|AZURE|GOOGLE|CLOUDSDK)_\w+|KUBERNETES_SERVICE_\w+|KUBERNETES_EXEC_INFO)$/i;

function checkAssignment({ name, value }: PastedAssignment): readonly PastedFinding[] {
  if (name === "KUBECONFIG") return [pastedProblems.kubeconfig(value.span)];
  return connectionVariables.test(name) ? [pastedProblems.withoutEffect(name, value.span)] : [];
}

// Reports client mode, the default of spark-submit, because it is not supported.
function checkDeployMode(
  tokens: readonly ShellWord[],
  name: Span | undefined,
): readonly PastedFinding[] {
  const texts = tokens.map(textOfWord);
  const commandLine = parseCommandLine(texts, versionTraits[newestMinor]);
  if (commandLine.findings.some(({ code }) => code === "E-03")) return [];
  const isAction = commandLine.options.some(({ name: option }) =>
    ["--kill", "--status", "--version", "--help"].includes(option),
  );
  if (isAction) return [];
  const key = "spark.submit.deployMode";
  const byOption = lastUse(commandLine, "--deploy-mode");
  const byConf = commandLine.options.findLast(
    (use) => use.name === "--conf" && use.value.startsWith(`${key}=`),
  );
  const use = byOption ?? byConf;
  const toCluster = (span: Span, text: string): PastedFix => ({
    title: msg("Submit in cluster mode"),
    edits: [{ span, text }],
  });
  if (use === undefined) {
    const first = tokens[0]?.span.start ?? 0;
    const place = name?.end ?? first;
    const text = name ? " --deploy-mode cluster" : "--deploy-mode cluster ";
    const at = { start: place, end: place };
    return [pastedProblems.noDeployMode(name ?? at, toCluster(at, text))];
  }
  const mode = byOption ? byOption.value : use.value.slice(key.length + 1);
  const inline = tokens[use.token];
  const isInline = texts[use.token]?.includes("=") === true;
  const word = isInline ? inline : tokens[use.token + 1];
  if (mode !== "client" || word === undefined || !isPlain(word)) return [];
  const prefix = byOption ? "--deploy-mode=" : isInline ? `--conf=${key}=` : `${key}=`;
  const text = byOption && !isInline ? "cluster" : `${prefix}cluster`;
  return [pastedProblems.clientMode(word.span, toCluster(word.span, text))];
}
