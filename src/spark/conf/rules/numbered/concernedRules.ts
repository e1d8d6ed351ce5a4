import type { ApplicationFacts } from "../../catalogue/applicationFacts.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { SparkVersion } from "../../catalogue/sparkVersions.ts";
import { DocumentConf, type Situation } from "./conf.ts";
import type { ConfRule } from "./confRule.ts";
import type { DocumentSettings, Settings } from "./settings.ts";

/** Returns the rules that a document's settings can violate, in the order of the rule list. */
type ConcernedRules = (settings: DocumentSettings, situation: Situation) => readonly ConfRule[];

// Pseudo-keys for rules that read all wrapped values or all secrets.
const wrappedSettings = "";
const secretSettings = " ";

/** Rule indexes by the key or group prefix that the rule reads. */
type Readers = ReadonlyMap<string, readonly number[]>;

/**
 * Returns a function that selects the rules that read at least one setting of a document. Skipping the other rules is
 * safe, because a rule depends only on the settings that it reads, and an empty document violates no rule. It saves
 * time for programs with thousands of documents that have few settings each.
 */
export function concernedRules(
  rules: readonly ConfRule[],
  catalogue: Catalogue,
  version: SparkVersion,
): ConcernedRules {
  const known = new WeakMap<ApplicationFacts, Map<string, Readers>>();
  const readersIn = (situation: Situation): Readers => {
    const { application, cluster, mode } = situation;
    const ofApplication = known.get(application) ?? new Map<string, Readers>();
    known.set(application, ofApplication);
    const name = `${cluster} ${mode}`;
    const readers = ofApplication.get(name) ?? readersOf(rules, situation, catalogue, version);
    ofApplication.set(name, readers);
    return readers;
  };
  return (settings, situation) => {
    const { mainResource, place } = situation.application;
    // Returns all rules: a main resource or a place belongs to one document, so an index for it would be used only
    // once.
    if (mainResource !== undefined || place !== undefined) return rules;
    const readers = readersIn(situation);
    const concerned = new Set<number>();
    const add = (name: string): void => {
      const indexes = readers.get(name);
      if (indexes !== undefined) for (const index of indexes) concerned.add(index);
    };
    if (settings.own.size < readers.size) settings.forEachName(add);
    else for (const name of readers.keys()) if (settings.hasName(name)) add(name);
    if (settings.wrapped.length > 0) add(wrappedSettings);
    if (settings.secrets.length > 0) add(secretSettings);
    if (concerned.size === 0) return [];
    return [...concerned].sort((a, b) => a - b).flatMap((index) => rules[index] ?? []);
  };
}

function readersOf(
  rules: readonly ConfRule[],
  situation: Situation,
  catalogue: Catalogue,
  version: SparkVersion,
): Readers {
  const readers = new Map<string, number[]>();
  rules.forEach((rule, index) => {
    for (const name of namesReadBy(rule, situation, catalogue, version)) {
      const others = readers.get(name);
      if (others === undefined) readers.set(name, [index]);
      else others.push(index);
    }
  });
  return readers;
}

/** Returns the names that the rule reads from an empty document. Throws if the rule finds anything in it. */
function namesReadBy(
  rule: ConfRule,
  situation: Situation,
  catalogue: Catalogue,
  version: SparkVersion,
): ReadonlySet<string> {
  const names = new Set<string>();
  const empty: Settings = {
    entry: (key) => {
      names.add(key);
      return undefined;
    },
    group: (prefix) => {
      names.add(prefix);
      return [];
    },
    get wrapped() {
      names.add(wrappedSettings);
      return [];
    },
    get secrets() {
      names.add(secretSettings);
      return [];
    },
    isUnknown: () => false,
    isElsewhere: () => false,
  };
  const violations = [...rule.check(new DocumentConf(empty, situation, catalogue, version))];
  if (violations.length > 0) throw new Error(`${rule.code} finds something in an empty document`);
  return names;
}
