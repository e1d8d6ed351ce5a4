import { ownCopy } from "../../base/ownCopy.ts";
import type { ApplicationFacts } from "./applicationFacts.ts";
import type { Catalogue } from "./catalogue.ts";
import {
  stretchesOf,
  type ConfEntry,
  type EntryStretch,
  type ReadDocument,
} from "./confDocument.ts";
import type { Finding } from "./finding.ts";
import { knowledgeOf } from "./knowledge.ts";
import { keyFinder, type KeyFinder } from "./nearest/keys.ts";
import { agedKey } from "./rules/agedKey.ts";
import { duplicateKeys } from "./rules/duplicateKeys.ts";
import { foreignKey } from "./rules/foreignKey.ts";
import { numberedRules } from "./rules/numbered/numberedRules.ts";
import { concernedRules } from "./rules/numbered/concernedRules.ts";
import { confOf, type Conf } from "./rules/numbered/conf.ts";
import type { ConfRule } from "./rules/numbered/confRule.ts";
import { groupOf } from "./rules/numbered/groups.ts";
import { judgeRules, rulesFor } from "./rules/numbered/judgeRules.ts";
import { keptIndexes } from "./rules/numbered/keyIndex.ts";
import { knownStretch, type KnownStretch } from "./rules/numbered/knownStretch.ts";
import { isSecretKey } from "./rules/numbered/secretKeys.ts";
import { settingsOf, type PlacedStretch } from "./rules/numbered/settings.ts";
import { situationOf } from "./rules/numbered/situation.ts";
import type { KnownEntry, Rule } from "./rules/rule.ts";
import { unknownFinder, type UnknownFinder } from "./rules/unknownKey.ts";
import { wrongValue } from "./rules/wrongValue.ts";
import type { SparkVersion } from "./sparkVersions.ts";

const rules: readonly Rule[] = [foreignKey, agedKey, wrongValue];

/** Judges documents as one version of Spark would take them. What was found in a stretch is kept for the next time. */
export interface Linter {
  readonly find: (document: ReadDocument) => readonly FoundTogether[];
  /** What takes long the first time, a little of it at each step. */
  readonly steps: (document: ReadDocument) => Iterable<void>;
}

/** Findings whose places are counted from one of the document; the very same array where nothing has changed. */
export interface FoundTogether {
  readonly at: number;
  readonly findings: readonly Finding[];
}

const noFacts: ApplicationFacts = {};

export function linterFor(catalogue: Catalogue, version: SparkVersion): Linter {
  const knowledge = knowledgeOf(catalogue, version);
  const knows = remembered((key: string) => {
    const known = knowledge(key);
    return { knowledge: known, group: groupOf(key), isSecret: isSecretKey(key, known) };
  }, mostKeys);
  const toKnown = (entry: ConfEntry): KnownEntry => ({ entry, ...knows(entry.key) });
  const isUnknown = (key: string): boolean => knows(key).knowledge.kind === "unknown";
  const keys = lazyKeyFinder(catalogue, version);
  const stretches = new WeakMap<readonly ConfEntry[], JudgedStretch>();
  const judged = (entries: readonly ConfEntry[]): JudgedStretch => {
    const before = stretches.get(entries);
    if (before !== undefined) return before;
    const known = entries.map(toKnown);
    const single = known.filter(mayBeWrongAlone);
    const context = { catalogue, version, keys };
    const found = {
      known: knownStretch(known),
      findings: inOrder(rules.flatMap((rule) => rule(single, context))),
      unknown: unknownFinder(single, context),
    };
    stretches.set(entries, found);
    return found;
  };
  const indexOf = keptIndexes();
  const numbered = rulesFor(numberedRules, version);
  const concerned = concernedRules(numbered, catalogue, version);
  // What rules ask for the first time takes a moment of its own.
  let isReady = false;

  /** What rules look at, unless it is a template: there only a part of the lines counts in the end. */
  const crossed = (
    placed: readonly PlacedStretch[],
    { application = noFacts, elsewhere = [] }: ReadDocument,
  ): Crossed | undefined => {
    const others = knownStretch(elsewhere.map(toKnown));
    if (others.isTemplate || placed.some(({ known }) => known.isTemplate)) return undefined;
    const index = indexOf(placed.map(({ known }) => known));
    const settings = settingsOf(placed, index, others, isUnknown);
    const situation = situationOf(settings, application);
    return {
      repeated: index.repeated,
      mayBreak: () => concerned(settings, situation),
      conf: confOf(settings, situation, catalogue, version),
    };
  };
  return {
    find: (document) => {
      const all = eachOnce(stretchesOf(document)).map(({ at, entries }) => ({
        at,
        judged: judged(entries),
      }));
      const placed = all.map(({ at, judged: { known } }) => ({ at, known }));
      const searched = new Set<string>();
      const single = all.flatMap(({ at, judged: { findings, unknown } }) => [
        { at, findings },
        { at, findings: unknown.find(searched) },
      ]);
      const found = [{ at: 0, findings: document.findings }, ...single];
      const across = crossed(placed, document);
      if (across !== undefined) {
        found.push({ at: 0, findings: duplicateKeys(placed, across.repeated) });
        found.push({ at: 0, findings: judgeRules(across.mayBreak(), across.conf) });
      }
      return found.filter(({ findings }) => findings.length > 0);
    },
    *steps(document) {
      const searched = new Set<string>();
      const placed: PlacedStretch[] = [];
      for (const { at, entries } of eachOnce(stretchesOf(document))) {
        const { known, unknown } = judged(entries);
        placed.push({ at, known });
        if (placed.length % fewStretches === 0) indexOf(placed.map((one) => one.known));
        yield;
        for (const key of unknown.keysToSearch(searched)) {
          keys.nearest(key);
          yield;
        }
      }
      if (isReady) return;
      for (const rule of numbered) {
        // Since the last step the index may have come to be another document's.
        const across = crossed(placed, document);
        if (across !== undefined) judgeRules([rule], across.conf);
        yield;
      }
      crossed(placed, document)?.mayBreak();
      isReady = true;
      yield;
    },
  };
}

/** Of lines that are repeated, each stretch has settings of its own. */
function eachOnce(stretches: readonly EntryStretch[]): readonly EntryStretch[] {
  const seen = new Map<readonly ConfEntry[], number>();
  return stretches.map(({ at, entries }) => {
    const before = seen.get(entries) ?? 0;
    seen.set(entries, before + 1);
    return { at, entries: before === 0 ? entries : copyOf(entries, before) };
  });
}

const copies = new WeakMap<readonly ConfEntry[], (readonly ConfEntry[])[]>();

function copyOf(entries: readonly ConfEntry[], number: number): readonly ConfEntry[] {
  const known = copies.get(entries) ?? [];
  copies.set(entries, known);
  return (known[number] ??= entries.map((entry) => ({ ...entry })));
}

/** As many as are looked through in a moment. */
const fewStretches = 32;

interface Crossed {
  readonly repeated: ReadonlySet<string>;
  readonly mayBreak: () => readonly ConfRule[];
  readonly conf: Conf;
}

interface JudgedStretch {
  readonly known: KnownStretch;
  readonly findings: readonly Finding[];
  readonly unknown: UnknownFinder;
}

const inOrder = (findings: readonly Finding[]): readonly Finding[] =>
  findings.toSorted((a, b) => a.span.start - b.span.start);
// Of a large document most are members of families, and those take any value.
const mayBeWrongAlone = ({ knowledge }: KnownEntry): boolean =>
  knowledge.kind !== "family" || knowledge.family.isBoolean !== undefined;

/** Keys of a large document are asked for again at each change. */
const mostKeys = 50_000;
const mostNeighbors = 500;

function remembered<T>(find: (key: string) => T, most: number): (key: string) => T {
  const found = new Map<string, T>();
  return (key) => {
    const before = found.get(key);
    if (before !== undefined) return before;
    if (found.size >= most) found.clear();
    const own = ownCopy(key);
    const value = find(own);
    found.set(own, value);
    return value;
  };
}

// Most documents have no unknown key; then the list of all keys need not be made ready.
function lazyKeyFinder(catalogue: Catalogue, version: SparkVersion): KeyFinder {
  let finder: KeyFinder | undefined;
  const ready = (): KeyFinder => (finder ??= keyFinder(catalogue, version));
  return {
    nearest: remembered((key) => ready().nearest(key), mostNeighbors),
    isOwnPlace: (key) => ready().isOwnPlace(key),
  };
}
