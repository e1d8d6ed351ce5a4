import { ownCopy } from "../../base/ownCopy.ts";
import type { ApplicationFacts } from "./applicationFacts.ts";
import type { Catalogue } from "./catalogue.ts";
import type { ConfDocument, ConfEntry } from "./confDocument.ts";
import type { Finding } from "./finding.ts";
import { knowledgeOf } from "./knowledge.ts";
import { keyFinder, type KeyFinder } from "./nearest/keys.ts";
import { agedKey } from "./rules/agedKey.ts";
import { duplicateKeys } from "./rules/duplicateKeys.ts";
import { foreignKey } from "./rules/foreignKey.ts";
import { numberedRules } from "./rules/numbered/numberedRules.ts";
import { concernedRules } from "./rules/numbered/concernedRules.ts";
import { confOf } from "./rules/numbered/conf.ts";
import { groupOf } from "./rules/numbered/groups.ts";
import { judgeRules, rulesFor } from "./rules/numbered/judgeRules.ts";
import { isSecretKey } from "./rules/numbered/secretKeys.ts";
import { settingsOf } from "./rules/numbered/settings.ts";
import { situationOf } from "./rules/numbered/situation.ts";
import type { KnownEntry, Rule } from "./rules/rule.ts";
import { unknownKey } from "./rules/unknownKey.ts";
import { wrongValue } from "./rules/wrongValue.ts";
import type { SparkVersion } from "./sparkVersions.ts";

const rules: readonly Rule[] = [foreignKey, unknownKey, agedKey, wrongValue];

/** Judges documents as one version of Spark would take them. */
export type Linter = (document: ConfDocument) => readonly Finding[];

const noFacts: ApplicationFacts = {};

/** Findings in the order of the text. */
export function linterFor(catalogue: Catalogue, version: SparkVersion): Linter {
  const knowledge = knowledgeOf(catalogue, version);
  const knows = remembered((key: string) => {
    const known = knowledge(key);
    return { knowledge: known, group: groupOf(key), isSecret: isSecretKey(key, known) };
  }, mostKeys);
  const toKnown = (entry: ConfEntry): KnownEntry => {
    return { entry, ...knows(entry.key) };
  };
  const keys = lazyKeyFinder(catalogue, version);
  const numbered = rulesFor(numberedRules, version);
  const concerned = concernedRules(numbered, catalogue, version);
  return ({ entries, findings, application = noFacts, elsewhere = [] }) => {
    const known = entries.map(toKnown);
    const found = [...findings];
    const single = known.filter(mayBeWrongAlone);
    for (const rule of rules) found.push(...rule(single, { catalogue, version, keys }));
    const settings = settingsOf(known, elsewhere.map(toKnown));
    if (settings !== undefined) {
      found.push(...duplicateKeys(known, settings));
      const situation = situationOf(settings, application);
      const mayBreak = concerned(settings, situation);
      if (mayBreak.length > 0)
        found.push(...judgeRules(mayBreak, confOf(settings, situation, catalogue, version)));
    }
    return found.sort((a, b) => a.span.start - b.span.start);
  };
}

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
