import { msg, sentences, verbatim, type Message } from "../../base/message.ts";
import { assertNever } from "../../base/assertNever.ts";
import { describeBytes } from "../binarySize.ts";
import type { Confidence, Diagnosis } from "../diagnosis/diagnosis.ts";
import type { PodEventRecord } from "../diagnosis/podEventRecord.ts";
import { describeExit, type PodExit } from "../pods/podExit.ts";
import { defaultSecretRule } from "../redact.ts";
import { redactLine } from "../redactLine.ts";
import { mebibytesOf, memoryParts, totalOf, type PodRole, type RunConf } from "./memorySizing.ts";
import type { Remedy, DefinitionEdit } from "./remedy.ts";
import type { RemedyFacts } from "./remedies.ts";

/** The content of a document about a failed pod. */
export interface Failure {
  /** The name of the failed pod for the title, such as `etl driver`. */
  readonly subject: string;
  readonly diagnosis: Diagnosis;
  readonly others: readonly Diagnosis[];
  readonly remedies: readonly Remedy[];
  readonly facts: RemedyFacts;
  /** The exit of Spark's container. Undefined if the container has not ended. */
  readonly exit: PodExit | undefined;
  /** The memory limit of Spark's container. Undefined without a limit. */
  readonly limitBytes: number | undefined;
  /** The peak heap usage that the driver's REST API reports. Undefined if there is none. */
  readonly peakHeapBytes: number | undefined;
  readonly events: readonly PodEventRecord[];
  /** Formats the time of an event, given in epoch milliseconds. */
  readonly localTime: (at: number) => string;
}

/** A line of a document with fixes. `remedy`: the index of the fix that begins on this line. */
export interface DocumentLine {
  readonly text: Message;
  readonly remedy?: number;
}

/** A fix and the line of a document where it begins. */
export interface LineFix {
  readonly line: number;
  readonly fix: Remedy;
}

export const fixesOfLines = (
  lines: readonly DocumentLine[],
  remedies: readonly Remedy[],
): readonly LineFix[] =>
  lines.flatMap(({ remedy }, line) => {
    const fix = remedy === undefined ? undefined : remedies[remedy];
    return fix === undefined ? [] : [{ line, fix }];
  });

/** Returns the lines of a document about a failure: cause, evidence, fixes. Redacts text from the cluster. */
export function failureLines(failure: Failure): readonly DocumentLine[] {
  const { subject, diagnosis, others, remedies } = failure;
  const sum = memoryLines(failure);
  return [
    line(msg`${subject}: ${diagnosis.fact}`),
    ...section(msg("Cause"), [
      diagnosis.what,
      msg`Confidence: ${confidenceWords(diagnosis.confidence ?? "possible")}`,
    ]),
    ...(sum.length === 0 ? [] : section(msg("Memory"), sum)),
    ...section(msg("Evidence"), evidenceOf(failure)),
    ...section(msg("How to fix"), [
      ...(diagnosis.change === undefined ? [] : [diagnosis.change]),
      ...(diagnosis.keys.length === 0 ? [] : [msg`Conf: ${diagnosis.keys.join(", ")}`]),
    ]),
    ...remedies.flatMap((remedy, index) => remedyLines(remedy, index, failure.facts)),
    ...(others.length === 0
      ? []
      : section(
          msg("Also"),
          others.map(({ fact }) => fact),
        )),
  ];
}

const line = (text: Message): DocumentLine => ({ text });
const empty = line(verbatim(""));
const indented = (text: Message): DocumentLine => line(msg`  ${text}`);

const section = (title: Message, lines: readonly Message[]): readonly DocumentLine[] => [
  empty,
  line(title),
  ...lines.map(indented),
];

function confidenceWords(confidence: Confidence): Message {
  switch (confidence) {
    case "certain":
      return msg("certain. Kubernetes or the log names the cause.");
    case "likely":
      return msg("likely. The container's exit is known, but its cause is inferred.");
    case "possible":
      return msg("possible. No evidence names the cause. This is the most common one.");
    default:
      return assertNever(confidence);
  }
}

const redacted = (text: string): Message => verbatim(redactLine(text, defaultSecretRule));

const maxEvents = 5;
const maxToldLines = 20;

function evidenceOf({ diagnosis, exit, events, localTime }: Failure): readonly Message[] {
  const { told, logKind } = diagnosis;
  const ended = exit && describeExit(exit);
  const source = logKind === undefined ? msg("Kubernetes message:") : msg("Log line:");
  const lines = [
    ...(ended === undefined ? [] : [msg`Container exit: ${ended}`]),
    ...(told === undefined || told === ""
      ? []
      : [
          source,
          ...told.split("\n", maxToldLines).map((each) => msg`  ${redacted(withoutStatus(each))}`),
        ]),
    ...events.slice(0, maxEvents).map((each) => eventWords(each, localTime)),
  ];
  return lines.length === 0
    ? [msg("Only the state of the pod. There is no message, event or log line.")]
    : lines;
}

/**
 * Removes the `Status` of a rejected request from a log line of the Kubernetes client, because it only repeats the
 * message.
 */
function withoutStatus(text: string): string {
  const message = text.search(/Message: /);
  const length = message < 0 ? -1 : text.slice(message).search(/ Received status: Status\(/);
  return length < 0 ? text : text.slice(0, message + length);
}

function eventWords(
  { reason, message, count, lastAt }: PodEventRecord,
  localTime: Failure["localTime"],
): Message {
  const time = Date.parse(lastAt);
  const at = Number.isNaN(time) ? lastAt : localTime(time);
  return count === 1
    ? msg`Event ${reason} (${at}): ${redacted(message)}`
    : msg`Event ${reason} (${count} times, last ${at}): ${redacted(message)}`;
}

const ofMemory: readonly string[] = ["D01", "D02", "D03", "D08", "D39"];

/** Kinds of errors that occur in tasks on executors. The driver's log contains them, too. */
const ofTasks: readonly Diagnosis["logKind"][] = ["taskHeap", "pythonWorker"];

function memoryLines({ diagnosis, facts, ...pod }: Failure): readonly Message[] {
  const { conf, minor, node } = facts;
  const { id, logKind } = diagnosis;
  const isOfTask = ofTasks.includes(logKind);
  const isAboutMemory = ofMemory.includes(id) || logKind === "heap" || isOfTask;
  if (!isAboutMemory || conf === undefined) return [];
  const role = isOfTask ? "executor" : facts.role;
  // The memory values of the driver's pod say nothing about an executor.
  const { limitBytes, peakHeapBytes } =
    role === facts.role ? pod : { limitBytes: undefined, peakHeapBytes: undefined };
  const parts = memoryParts(conf, role, minor);
  const total = totalOf(parts);
  const { heap, overhead, offHeap, python } = parts;
  const sum = [
    msg`heap ${mebibytes(heap)}`,
    msg`overhead ${mebibytes(overhead)}`,
    ...(offHeap > 0 ? [msg`off-heap ${mebibytes(offHeap)}`] : []),
    ...(python > 0 ? [msg`PySpark ${mebibytes(python)}`] : []),
  ].reduce((left, right) => msg`${left} + ${right}`);
  const isOther = limitBytes !== undefined && Math.round(limitBytes / 2 ** 20) !== total;
  return [
    msg`From the conf: ${sum} = ${mebibytes(total)}`,
    ...(isOther ? [msg`Container limit: ${describeBytes(limitBytes)}`] : []),
    ...(peakHeapBytes === undefined || peakHeapBytes === 0
      ? []
      : [msg`Reported peak heap usage: ${describeBytes(peakHeapBytes)}`]),
    ...overflowOf(id, logKind, heap, total - heap),
    ...(id === "D02" ? [directMemory(conf, role, heap)] : []),
    ...(node === undefined ? [] : [msg`Largest node: ${describeBytes(node.memoryBytes)}`]),
  ];
}

const mebibytes = (amount: number): string => describeBytes(amount * 2 ** 20);

/**
 * Describes the JVM's limit for direct memory (buffers outside the heap). The limit may exceed the free memory in the
 * container.
 */
function directMemory(conf: RunConf, role: PodRole, heap: number): Message {
  const options = conf.get(`spark.${role}.extraJavaOptions`) ?? "";
  const [, option, size = ""] =
    /(-XX:MaxDirectMemorySize=(\d{1,12}[kmgtKMGT]?))(?:\s|$)/.exec(options) ?? [];
  const limit = mebibytesOf(size);
  return option === undefined || limit === undefined
    ? msg`The JVM may use as much direct memory as heap memory: ${mebibytes(heap)}.`
    : msg`The JVM may use up to ${mebibytes(limit)} of direct memory because of ${option}.`;
}

/**
 * Names the memory area that was exhausted. The JVM enforces the limit of the heap, and the kernel enforces the limit
 * of the container.
 */
function overflowOf(
  id: string,
  logKind: Diagnosis["logKind"],
  heap: number,
  rest: number,
): readonly Message[] {
  if (id === "D08" || logKind === "heap" || logKind === "taskHeap") {
    return [msg`The heap reached its limit of ${mebibytes(heap)}.`];
  }
  if (id === "D39") return [];
  if (logKind === "pythonWorker") {
    return [
      sentences([
        msg`The JVM keeps the heap below ${mebibytes(heap)}.`,
        msg`Python and the rest of the JVM share the remaining ${mebibytes(rest)}.`,
      ]),
    ];
  }
  return [
    sentences([
      msg`The JVM keeps the heap below ${mebibytes(heap)}.`,
      msg`Therefore, memory outside the heap exceeded the remaining ${mebibytes(rest)}.`,
    ]),
  ];
}

/** Returns the lines for a fix and its changes to the conf. `index`: the position of the fix, from 0. */
export function remedyLines(
  remedy: Remedy,
  index: number,
  { conf }: Pick<RemedyFacts, "conf">,
): readonly DocumentLine[] {
  const title: DocumentLine = { text: msg`  ${index + 1}. ${remedy.title}`, remedy: index };
  switch (remedy.kind) {
    case "edit":
      return [title, ...remedy.edits.map((edit) => line(msg`     ${editWords(edit, conf)}`))];
    case "open":
      return [title];
    case "text":
      return [title, ...remedy.text.split("\n").map((each) => line(msg`     ${verbatim(each)}`))];
    default:
      return assertNever(remedy);
  }
}

function editWords(edit: DefinitionEdit, conf: RemedyFacts["conf"]): Message {
  if (edit.kind === "member") return msg`"${edit.name}": "${edit.value}" in the run profile`;
  const { key } = edit;
  const present = conf?.get(key);
  const before = present === undefined ? msg("not set") : redacted(present);
  return edit.kind === "set"
    ? msg`${key}: ${before} → ${edit.value}`
    : msg`${key}: ${before} → ${msg("not set")}`;
}
