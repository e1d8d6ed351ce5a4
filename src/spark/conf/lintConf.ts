import type { Catalogue } from "./catalogue.ts";
import type { ConfDocument } from "./confDocument.ts";
import type { Finding } from "./finding.ts";
import { knowledgeOf } from "./knowledge.ts";
import { keyFinder, type KeyFinder } from "./nearest/keys.ts";
import { agedKey } from "./rules/agedKey.ts";
import { duplicateKey } from "./rules/duplicateKey.ts";
import { foreignKey } from "./rules/foreignKey.ts";
import type { Rule } from "./rules/rule.ts";
import { unknownKey } from "./rules/unknownKey.ts";
import { wrongValue } from "./rules/wrongValue.ts";
import type { SparkVersion } from "./sparkVersions.ts";

const rules: readonly Rule[] = [foreignKey, unknownKey, agedKey, wrongValue, duplicateKey];

/** Judges documents as one version of Spark would take them. */
export type Linter = (document: ConfDocument) => readonly Finding[];

/** Findings in the order of the text. */
export function linterFor(catalogue: Catalogue, version: SparkVersion): Linter {
  const knows = knowledgeOf(catalogue, version);
  const keys = lazyKeyFinder(catalogue, version);
  return ({ entries, findings }) => {
    const known = entries.map((entry) => ({ entry, knowledge: knows(entry.key) }));
    const found = rules.flatMap((rule) => rule(known, { catalogue, version, keys }));
    return [...findings, ...found].sort((a, b) => a.span.start - b.span.start);
  };
}

/** Names whose neighbors are kept in mind: those of a document are asked for again at each change. */
const mostRemembered = 500;

// Most documents have no unknown key; then the list of all keys need not be made ready.
function lazyKeyFinder(catalogue: Catalogue, version: SparkVersion): KeyFinder {
  let finder: KeyFinder | undefined;
  const ready = (): KeyFinder => (finder ??= keyFinder(catalogue, version));
  const remembered = new Map<string, readonly string[]>();
  return {
    nearest: (key) => {
      const near = remembered.get(key) ?? ready().nearest(key);
      if (remembered.size >= mostRemembered) remembered.clear();
      remembered.set(key, near);
      return near;
    },
    isOwnPlace: (key) => ready().isOwnPlace(key),
  };
}
