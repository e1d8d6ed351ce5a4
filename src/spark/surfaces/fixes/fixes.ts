import { inEnglish, msg, type Message } from "../../../base/message.ts";
import { assertNever } from "../../../base/assertNever.ts";
import type { Span } from "../../../base/span.ts";
import { applyEdits, withoutOverlap, type TextEdit } from "../../../base/textEdit.ts";
import type { Catalogue } from "../../conf/catalogue/catalogue.ts";
import type { ConfDocument, ConfEntry } from "../../conf/parse/confDocument.ts";
import type { Finding } from "../../conf/lint/finding.ts";
import type { ConfDiagnostic } from "../../conf/lint/diagnoseConf.ts";
import type { SparkVersion } from "../../conf/catalogue/sparkVersions.ts";
import type { Surface } from "../surfaces.ts";
import { versionOfDocument } from "../versionOfDocument.ts";
import { addEntry, changeValue, removeEntry, renameKey } from "./entryEdits.ts";
import { fixedValue } from "./fixedValue.ts";
import { partnerValues } from "./partnerValues.ts";
import { secretName, secretReferences } from "./secretReference.ts";
import { silenceInFile, silenceNext, type CommentSign } from "./silence.ts";

/** Edits that resolve or silence a finding, and cause no new errors. */
export interface ConfFix {
  readonly title: Message;
  /** The code of the finding. `span` is the place of the finding. */
  readonly code: string;
  readonly span: Span;
  readonly edits: readonly TextEdit[];
  /** True if the fix is unambiguous, so that it may be applied together with all others. */
  readonly isCertain: boolean;
  readonly isSilence: boolean;
}

interface FixInput {
  readonly text: string;
  readonly surface: Surface;
  readonly documents: readonly ConfDocument[];
  readonly catalogue: Catalogue;
  readonly version: SparkVersion;
  /** The start of a comment with a directive. Undefined if directives in comments of the language are not read. */
  readonly comment: CommentSign | undefined;
  readonly judge: (text: string) => readonly ConfDiagnostic[];
}

/**
 * Returns the fixes for findings that touch the span. Tries each fix, and keeps it only if it resolves the finding
 * without new errors. Fixes that only silence the finding come last and are not tried.
 */
export function fixesIn(input: FixInput, { start, end }: Span): readonly ConfFix[] {
  const found = input.judge(input.text);
  return found
    .filter(({ span }) => span.start <= end && start <= span.end)
    .flatMap((diagnostic) => {
      const proposed = proposalsFor(input, diagnostic);
      const working = proposed.filter(
        (fix) => !fix.isSilence && resolvesFinding(input, found, fix),
      );
      // Keeps the first value of a group that fixes the finding.
      const titles = new Set<string>();
      const kept = working.filter(({ group }) => {
        const isNew = group === undefined || !titles.has(group);
        if (group !== undefined) titles.add(group);
        return isNew;
      });
      return [...kept, ...proposed.filter(({ isSilence }) => isSilence)];
    });
}

/**
 * Returns the edits of all unambiguous fixes, without overlaps. If they cause new errors together, tries the first 100
 * of them alone, and returns the edits of those that work. Empty if these cause errors together, too. `wanted`: selects
 * the findings to fix.
 */
export function fixAll(
  input: FixInput,
  wanted: (found: readonly ConfDiagnostic[]) => readonly ConfDiagnostic[] = (found) => found,
): readonly TextEdit[] {
  const found = input.judge(input.text);
  const certain = wanted(found).flatMap((diagnostic) =>
    proposalsFor(input, diagnostic)
      .filter(({ isCertain }) => isCertain)
      .slice(0, 1),
  );
  const together = (fixes: readonly ConfFix[]): readonly TextEdit[] | undefined => {
    const edits = withoutOverlap(fixes).flatMap((fix) => fix.edits);
    return hasNewErrors(found, input.judge(applyEdits(input.text, edits))) ? undefined : edits;
  };
  const apart = (): readonly ConfFix[] =>
    certain.slice(0, maxTries).filter((fix) => resolvesFinding(input, found, fix));
  return together(certain) ?? together(apart()) ?? [];
}

/** Maximum number of fixes to try. Each one diagnoses the whole text. */
const maxTries = 100;

interface ProposedFix extends ConfFix {
  /** `fixesIn` keeps only the first working proposal of a group. Undefined for a proposal without alternatives. */
  readonly group: string | undefined;
}

function resolvesFinding(
  { text, judge }: FixInput,
  before: readonly ConfDiagnostic[],
  fix: ConfFix,
): boolean {
  const after = judge(applyEdits(text, fix.edits));
  const count = (all: readonly ConfDiagnostic[]): number =>
    all.filter(({ code }) => code === fix.code).length;
  return count(after) < count(before) && !hasNewErrors(before, after);
}

/** True if the fix causes new errors or newly overridden settings. */
function hasNewErrors(
  before: readonly ConfDiagnostic[],
  after: readonly ConfDiagnostic[],
): boolean {
  const isBad = ({ severity, finding }: ConfDiagnostic): boolean =>
    severity === "error" || finding.code === "duplicate-key";
  const known = new Map<string, number>();
  for (const { code, message } of before.filter(isBad)) {
    const name = `${code} ${inEnglish(message)}`;
    known.set(name, (known.get(name) ?? 0) + 1);
  }
  return after.filter(isBad).some(({ code, message }) => {
    const name = `${code} ${inEnglish(message)}`;
    const left = known.get(name) ?? 0;
    known.set(name, left - 1);
    return left <= 0;
  });
}

function proposalsFor(input: FixInput, diagnostic: ConfDiagnostic): readonly ProposedFix[] {
  const { span, code } = diagnostic;
  const place = entryAt(input.documents, span);
  const make = (
    title: Message,
    edits: readonly (TextEdit | undefined)[],
    more: Partial<Pick<ProposedFix, "isCertain" | "isSilence" | "group">> = {},
  ): readonly ProposedFix[] => {
    const whole = edits.filter((edit) => edit !== undefined);
    if (whole.length < edits.length || whole.length === 0) return [];
    const own = { title, code, span, edits: whole };
    return [{ ...own, isCertain: false, isSilence: false, group: undefined, ...more }];
  };
  const replacement = replacementOf(diagnostic.finding);
  const resolving =
    replacement !== undefined
      ? make(msg`Write "${replacement}"`, [{ span, text: replacement }], { isCertain: true })
      : place === undefined
        ? []
        : fixesFor(input, diagnostic, place, make);
  return [...resolving, ...silencesFor(input, code, place, make)];
}

/** Returns the text that replaces the finding's whole span. Undefined if the finding suggests none. */
function replacementOf(finding: Finding): string | undefined {
  if (finding.code === "manifest") return finding.replacement;
  return finding.code === "unknown-option" && finding.near?.startsWith("--") === true
    ? finding.near
    : undefined;
}

interface Place {
  readonly document: ConfDocument;
  readonly entry: ConfEntry;
}

function entryAt(documents: readonly ConfDocument[], span: Span): Place | undefined {
  for (const document of documents) {
    const entry = document.entries.find(
      ({ keySpan, valueSpan }) => keySpan.start <= span.start && span.end <= valueSpan.end,
    );
    if (entry !== undefined) return { document, entry };
  }
  return undefined;
}

type Make = (
  title: Message,
  edits: readonly (TextEdit | undefined)[],
  more?: Partial<Pick<ProposedFix, "isCertain" | "isSilence" | "group">>,
) => readonly ProposedFix[];

function fixesFor(
  input: FixInput,
  { finding }: ConfDiagnostic,
  { document, entry }: Place,
  make: Make,
): readonly ProposedFix[] {
  const { text, surface, catalogue } = input;
  const version = versionOfDocument(document) ?? input.version;
  const rename = (key: string, isCertain: boolean): readonly ProposedFix[] =>
    make(msg`Rename to "${key}"`, [renameKey(text, entry, key)], { isCertain });
  const remove = (isCertain: boolean): readonly ProposedFix[] =>
    make(msg`Remove "${entry.key}"`, [removeEntry(text, surface, entry)], { isCertain });
  const change = (value: string, isCertain: boolean): readonly ProposedFix[] =>
    make(msg`Write "${value}"`, [changeValue(text, entry, value)], { isCertain });
  switch (finding.code) {
    case "unknown-key":
      return finding.near.flatMap((key) => rename(key, finding.near.length === 1));
    case "deprecated-key":
    case "removed-key": {
      const { successor } = finding;
      return [...(successor === undefined ? [] : rename(successor, true)), ...remove(false)];
    }
    case "old-name":
      return rename(finding.successor, true);
    case "foreign-key":
    case "future-key":
      return remove(false);
    case "duplicate-key":
      return remove(true);
    case "bad-size":
    case "bad-time":
    case "bad-boolean":
    case "bad-choice":
    case "bad-number": {
      const value = fixedValue(finding);
      return value === undefined ? [] : change(value, true);
    }
    case "rule":
      return [
        ...(finding.rule.startsWith("R036") ? change(`${entry.value}m`, true) : []),
        ...(finding.rule.startsWith("R048") ? heapOutOfOptions(input, document, entry, make) : []),
        ...(finding.rule.startsWith("R123") ? swappedBounds(input, document, make) : []),
        ...(finding.replacement === undefined ? [] : change(finding.replacement, true)),
        ...(finding.rule.startsWith("R173") ? fromSecret(input, entry, make) : []),
        ...finding.missing.flatMap((key) =>
          partnerValues(key, catalogue, version).flatMap((value) =>
            make(msg`Add "${key}" as ${value}`, [addEntry(text, surface, entry, key, value)], {
              group: key,
            }),
          ),
        ),
        ...(document.entries.length > 1 ? remove(false) : []),
      ];
    case "bad-escape":
    case "manifest":
    case "unknown-option":
    case "empty-value":
    case "out-of-range":
    case "bad-regex":
    case "bad-form":
      return [];
    default:
      return assertNever(finding);
  }
}

/**
 * Returns a fix that removes `-Xmx` from the Java options, and sets the heap's conf key to its value unless that key is
 * set. Empty if the value is not written literally, or if `-Xmx` is the only option and the key is set.
 */
function heapOutOfOptions(
  { text, surface }: FixInput,
  document: ConfDocument,
  entry: ConfEntry,
  make: Make,
): readonly ProposedFix[] {
  const { key, value, valueSpan } = entry;
  const match = /(?<!\S)-Xmx(\d{1,9}[kmgt])(?!\S)/i.exec(value);
  const isWritten = text.slice(valueSpan.start, valueSpan.end) === value;
  if (match === null || !isWritten) return [];
  const [option, size = ""] = match;
  const heapKey = key.startsWith("spark.driver.") ? "spark.driver.memory" : "spark.executor.memory";
  const isSet = document.entries.some((one) => one.key === heapKey);
  const before = value.slice(0, match.index);
  const behind = value.slice(match.index + option.length);
  if (option === value.trim()) {
    return isSet
      ? []
      : make(msg`Set "${heapKey}" to ${size} instead`, [
          renameKey(text, entry, heapKey),
          changeValue(text, entry, size),
        ]);
  }
  // Also removes the blanks before the option, or after it if it is the first one.
  const start = valueSpan.start + before.trimEnd().length;
  const end = valueSpan.end - (before === "" ? behind.trimStart() : behind).length;
  const removal = { span: { start, end }, text: "" };
  return isSet
    ? make(msg`Remove ${option}`, [removal])
    : make(msg`Remove ${option} and set "${heapKey}" to ${size}`, [
        removal,
        addEntry(text, surface, entry, heapKey, size),
      ]);
}

/** Returns a fix that swaps the minimum and the maximum number of executors. Empty if one of them is not set. */
function swappedBounds(
  { text }: FixInput,
  { entries }: ConfDocument,
  make: Make,
): readonly ProposedFix[] {
  const last = (name: string): ConfEntry | undefined =>
    entries.findLast(({ key }) => key === `spark.dynamicAllocation.${name}`);
  const min = last("minExecutors");
  const max = last("maxExecutors");
  if (min === undefined || max === undefined) return [];
  return make(msg("Swap the minimum and maximum"), [
    changeValue(text, min, max.value),
    changeValue(text, max, min.value),
  ]);
}

/** Returns a fix that replaces the value with a reference to a Secret. Empty if the key supports no reference. */
function fromSecret(
  { text, surface }: FixInput,
  entry: ConfEntry,
  make: Make,
): readonly ProposedFix[] {
  const [first, ...others] = secretReferences(entry.key);
  if (first === undefined) return [];
  return make(msg`Read it from the Secret "${secretName}"`, [
    renameKey(text, entry, first.key),
    changeValue(text, entry, first.value),
    ...others.map(({ key, value }) => addEntry(text, surface, entry, key, value)),
  ]);
}

function silencesFor(
  { text, surface, comment }: FixInput,
  code: string,
  place: Place | undefined,
  make: Make,
): readonly ProposedFix[] {
  if (comment === undefined) return [];
  const name = /^R\d+(?=-)/.exec(code)?.[0] ?? code;
  const silence = { isSilence: true };
  return [
    ...(place === undefined
      ? []
      : make(
          msg`Disable ${name} for this property`,
          [silenceNext(text, surface, place, name, comment)],
          silence,
        )),
    ...make(msg`Disable ${name} in this file`, [silenceInFile(text, name, comment)], silence),
  ];
}
