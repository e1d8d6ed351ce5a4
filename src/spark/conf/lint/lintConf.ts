import type { ApplicationFacts } from "../catalogue/applicationFacts.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { knowledgeOf } from "../catalogue/knowledge.ts";
import type { SparkVersion } from "../catalogue/sparkVersions.ts";
import { lazyKeyFinder } from "../nearest/keys.ts";
import type { ConfDocument, ConfEntry } from "../parse/confDocument.ts";
import { deprecatedKey } from "../rules/deprecatedKey.ts";
import { duplicateKeys } from "../rules/duplicateKeys.ts";
import { foreignKey } from "../rules/foreignKey.ts";
import { concernedRules } from "../rules/numbered/concernedRules.ts";
import { DocumentConf } from "../rules/numbered/conf.ts";
import { groupOf } from "../rules/numbered/groups.ts";
import { judgeRules, rulesFor } from "../rules/numbered/judgeRules.ts";
import { numberedRules } from "../rules/numbered/numberedRules.ts";
import { isSecretKey } from "../rules/numbered/secretKeys.ts";
import { DocumentSettings } from "../rules/numbered/settings.ts";
import { situationOf } from "../rules/numbered/situation.ts";
import type { EntryRule, KnownEntry } from "../rules/rule.ts";
import { unknownKey } from "../rules/unknownKey.ts";
import { wrongValue } from "../rules/wrongValue.ts";
import type { Finding } from "./finding.ts";

const entryRules: readonly EntryRule[] = [foreignKey, deprecatedKey, wrongValue, unknownKey];

const noFacts: ApplicationFacts = {};

/** Returns all findings of a document, unsorted. */
export type Linter = (document: ConfDocument) => readonly Finding[];

/** Returns a linter for one Spark version. */
export function linterFor(catalogue: Catalogue, version: SparkVersion): Linter {
  const knowledge = knowledgeOf(catalogue, version);
  const toKnown = (entry: ConfEntry): KnownEntry => {
    const known = knowledge(entry.key);
    return {
      entry,
      knowledge: known,
      group: groupOf(entry.key),
      isSecret: isSecretKey(entry.key, known),
    };
  };
  const isUnknown = (key: string): boolean => knowledge(key).kind === "unknown";
  const context = { catalogue, version, keys: lazyKeyFinder(catalogue, version) };
  const concerned = concernedRules(rulesFor(numberedRules, version), catalogue, version);
  return ({ entries, findings, application = noFacts, elsewhere = [] }) => {
    const known = entries.map(toKnown);
    const others = elsewhere.map(toKnown);
    const found = [...findings];
    const single = known.filter(mayBeWrongAlone);
    if (single.length > 0)
      for (const rule of entryRules) for (const one of rule(single, context)) found.push(one);
    // A template's branches may exclude each other, so repeated keys are not duplicates.
    if (known.some(isTemplate) || others.some(isTemplate)) return found;
    const settings = new DocumentSettings(known, others, isUnknown);
    const situation = situationOf(settings, application);
    const rules = concerned(settings, situation);
    for (const one of duplicateKeys(known, settings)) found.push(one);
    if (rules.length > 0) {
      const conf = new DocumentConf(settings, situation, catalogue, version);
      for (const one of judgeRules(rules, conf)) found.push(one);
    }
    return found;
  };
}

const isTemplate = ({ knowledge }: KnownEntry): boolean => knowledge.kind === "template";

// False for a key of a family that takes any value. Most keys of a large document are such keys, so the rules skip
// them.
const mayBeWrongAlone = ({ knowledge }: KnownEntry): boolean =>
  knowledge.kind !== "family" || knowledge.family.isBoolean !== undefined;
