import type { ApplicationFacts } from "../../applicationFacts.ts";
import type { Catalogue } from "../../catalogue.ts";
import type { SparkVersion } from "../../sparkVersions.ts";
import { confOf, type Situation } from "./conf.ts";
import type { ConfRule } from "./confRule.ts";
import type { KnownSettings, Settings } from "./settings.ts";

/** Those of the rules that settings can break. */
export type ConcernedRules = (settings: KnownSettings, situation: Situation) => readonly ConfRule[];

/** Stand for what is asked of all settings at once. */
const wrappedSettings = "";
const secretSettings = " ";

/**
 * What a rule says hangs on the answers that it gets, and of nothing set it says nothing. So a document in which
 * all that it asks there has the same answers, nothing, cannot break it: a program has thousands of documents
 * with one setting each, and a setting concerns few rules.
 */
export function concernedRules(
  rules: readonly ConfRule[],
  catalogue: Catalogue,
  version: SparkVersion,
): ConcernedRules {
  const known = new WeakMap<
    ApplicationFacts,
    Map<string, ReadonlyMap<string, readonly number[]>>
  >();
  const askersIn = (situation: Situation): ReadonlyMap<string, readonly number[]> => {
    const { application, cluster, mode } = situation;
    const ofApplication = known.get(application) ?? new Map<string, never>();
    known.set(application, ofApplication);
    const name = `${cluster} ${mode}`;
    const before = ofApplication.get(name);
    if (before !== undefined) return before;
    const askers = new Map<string, number[]>();
    rules.forEach((rule, index) => {
      for (const name of questionsOf(rule, situation, catalogue, version)) {
        const others = askers.get(name);
        if (others === undefined) askers.set(name, [index]);
        else others.push(index);
      }
    });
    ofApplication.set(name, askers);
    return askers;
  };
  return (settings, situation) => {
    // What is told of one application is told of no other.
    const { mainResource, place } = situation.application;
    if (mainResource !== undefined || place !== undefined) return rules;
    const askers = askersIn(situation);
    const concerned = new Set<number>();
    const add = (name: string): void => {
      for (const index of askers.get(name) ?? []) concerned.add(index);
    };
    if (settings.size < askers.size) for (const name of settings.names()) add(name);
    else for (const name of askers.keys()) if (settings.isName(name)) add(name);
    if (settings.wrapped().length > 0) add(wrappedSettings);
    if (settings.secrets().length > 0) add(secretSettings);
    if (concerned.size === 0) return [];
    return rules.filter((_, index) => concerned.has(index));
  };
}

/** What the rule asks where nothing is set. */
function questionsOf(
  rule: ConfRule,
  situation: Situation,
  catalogue: Catalogue,
  version: SparkVersion,
): ReadonlySet<string> {
  const asked = new Set<string>();
  const nothing: Settings = {
    entry: (key) => {
      asked.add(key);
      return undefined;
    },
    group: (prefix) => {
      asked.add(prefix);
      return [];
    },
    wrapped: () => {
      asked.add(wrappedSettings);
      return [];
    },
    secrets: () => {
      asked.add(secretSettings);
      return [];
    },
    isUnknown: () => false,
    isElsewhere: () => false,
    placeOf: () => 0,
  };
  const said = [...rule.check(confOf(nothing, situation, catalogue, version))];
  if (said.length > 0) throw new Error(`${rule.code} finds something where nothing is set`);
  return asked;
}
