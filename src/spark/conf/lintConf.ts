import type { Catalogue } from "./catalogue.ts";
import type { ConfDocument } from "./confDocument.ts";
import type { Finding } from "./finding.ts";
import { knowledgeOf } from "./knowledge.ts";
import { keyFinder, type KeyFinder } from "./nearest/keys.ts";
import { agedKey } from "./rules/agedKey.ts";
import { duplicateKey } from "./rules/duplicateKey.ts";
import { foreignKey } from "./rules/foreignKey.ts";
import { numberedRules } from "./rules/numbered/numberedRules.ts";
import { confOf } from "./rules/numbered/conf.ts";
import { judgeRules, rulesFor } from "./rules/numbered/judgeRules.ts";
import type { Rule } from "./rules/rule.ts";
import { unknownKey } from "./rules/unknownKey.ts";
import { wrongValue } from "./rules/wrongValue.ts";
import type { SparkVersion } from "./sparkVersions.ts";

const rules: readonly Rule[] = [foreignKey, unknownKey, agedKey, wrongValue, duplicateKey];

/** Judges documents as one version of Spark would take them. */
export type Linter = (document: ConfDocument) => readonly Finding[];

/** Findings in the order of the text. */
export function linterFor(catalogue: Catalogue, version: SparkVersion): Linter {
  const knows = remembered(knowledgeOf(catalogue, version), mostKeys);
  const keys = lazyKeyFinder(catalogue, version);
  const numbered = rulesFor(numberedRules, version);
  return ({ entries, findings, application = {}, elsewhere = [] }) => {
    const known = entries.map((entry) => ({ entry, knowledge: knows(entry.key) }));
    const found = rules.flatMap((rule) => rule(known, { catalogue, version, keys }));
    const others = elsewhere.map((entry) => ({ entry, knowledge: knows(entry.key) }));
    const conf = confOf({ entries: known, elsewhere: others, application, catalogue, version });
    const broken = conf === undefined ? [] : judgeRules(numbered, conf);
    return [...findings, ...found, ...broken].sort((a, b) => a.span.start - b.span.start);
  };
}

/** Keys of a large document are asked for again at each change. */
const mostKeys = 50_000;
const mostNeighbors = 500;

function remembered<T>(find: (key: string) => T, most: number): (key: string) => T {
  const found = new Map<string, T>();
  return (key) => {
    const before = found.get(key);
    if (before !== undefined) return before;
    if (found.size >= most) found.clear();
    const value = find(key);
    found.set(key, value);
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
