import { join } from "node:path";
import { test } from "node:test";
import { inEnglish } from "../../../src/base/message.ts";
import type { ApplicationFacts } from "../../../src/spark/conf/catalogue/applicationFacts.ts";
import { openCatalogue } from "../../../src/spark/conf/catalogue/catalogue.ts";
import {
  newestSparkVersion,
  sparkVersions,
  type SparkVersion,
} from "../../../src/spark/conf/catalogue/sparkVersions.ts";
import { diagnoserOf } from "../../../src/spark/conf/lint/diagnoseConf.ts";
import { parseProperties } from "../../../src/spark/conf/parse/properties.ts";
import { DocumentConf, type Situation } from "../../../src/spark/conf/rules/numbered/conf.ts";
import type { ConfRule } from "../../../src/spark/conf/rules/numbered/confRule.ts";
import { numberedRules } from "../../../src/spark/conf/rules/numbered/numberedRules.ts";
import type { Settings } from "../../../src/spark/conf/rules/numbered/settings.ts";
import { given } from "./ruleExample.ts";

const catalogue = openCatalogue();
const diagnose = diagnoserOf(catalogue);

// Shared by all calls, because the rule index is cached for each facts object.
const noFacts: ApplicationFacts = {};

/** Returns the findings of a rule in a text, as `severity at "marked text": message`. */
function findings(
  rule: ConfRule,
  text: string,
  version: SparkVersion,
  facts: ApplicationFacts = rule.given ?? noFacts,
): readonly string[] {
  const document = { ...parseProperties(text), application: facts };
  return diagnose(document, version, new Map())
    .filter(({ code }) => code === rule.code)
    .map(({ severity, span, message }) => {
      const words = inEnglish(message);
      const own = words === inEnglish(rule.says) ? "" : `: ${words}`;
      return `${severity} at ${text.slice(span.start, span.end)}${own}`;
    });
}

interface Variant {
  readonly name: string;
  readonly text: string;
}

/** Yields copies of an example with one value or line changed. */
function* variantsOf(example: string): Iterable<Variant> {
  const lines = example.split("\n");
  for (const [at, line] of lines.entries()) {
    const [before, after] = [lines.slice(0, at), lines.slice(at + 1)];
    const [, key = "", value = ""] = /^(\S+) (.*)$/.exec(line) ?? [];
    yield { name: `without ${line}`, text: [...before, ...after].join("\n") };
    for (const other of valuesNear(value)) {
      const name = `${key} ${other}`;
      yield { name, text: [...before, name, ...after].join("\n") };
    }
  }
}

function valuesNear(value: string): readonly string[] {
  if (value === "true" || value === "false") return [value === "true" ? "false" : "true"];
  const number = /(?<![A-Za-z])\d+/.exec(value);
  if (number === null) return [];
  const written = Number(number[0]);
  const others = [written - 1, written + 1, 2 * written, 0];
  return [...new Set(others)].map((other) => value.replace(number[0], String(other)));
}

/** Yields the example with other cluster managers and deploy modes. */
function* elsewhere(example: string): Iterable<Variant> {
  if (/^spark\.(?:master|submit\.deployMode) /m.test(example)) return;
  const kubernetes = "spark.master k8s://https://host:6443";
  const places = [
    ["local", "spark.master local[2]"],
    ["YARN", "spark.master yarn"],
    ["Kubernetes", kubernetes],
    ["Kubernetes in client mode", `${kubernetes}\nspark.submit.deployMode client`],
    ["Kubernetes in cluster mode", `${kubernetes}\nspark.submit.deployMode cluster`],
  ] as const;
  for (const [name, lines] of places) yield { name: `on ${name}`, text: `${lines}\n${example}` };
}

/** Returns the keys that a rule reads when it checks a text. */
function keysReadBy(rule: ConfRule, text: string, version: SparkVersion): ReadonlySet<string> {
  const { entries } = parseProperties(text);
  const keys = new Set<string>();
  const settings: Settings = {
    entry: (key) => {
      keys.add(key);
      return entries.findLast((entry) => entry.key === key);
    },
    group: (prefix) => entries.filter(({ key }) => key.startsWith(prefix)),
    wrapped: [],
    secrets: [],
    isUnknown: () => false,
    isElsewhere: () => false,
  };
  const mode = rule.where === "client" ? "client" : "cluster";
  const situation: Situation = { application: rule.given ?? {}, cluster: "kubernetes", mode };
  // Runs the check to its end, so that it reads all its keys.
  Array.from(rule.check(new DocumentConf(settings, situation, catalogue, version)));
  return keys;
}

/** Returns values of a key near the limits of its type, and its values in the examples of all rules. */
function valuesOf(key: string, version: SparkVersion): readonly string[] {
  const type = catalogue.find(key, version)?.entry?.type;
  const typed: Readonly<Record<string, readonly string[]>> = {
    boolean: ["true", "false"],
    int: ["0", "1", "2"],
    long: ["0", "1", "2"],
    double: ["0", "1", "2.5"],
    time: ["0s", "1s", "10h"],
    bytes: ["0", "400m", "2g"],
  };
  return [...new Set([...(typed[type?.kind ?? ""] ?? ["x"]), ...(examples.get(key) ?? [])])];
}

const examples = new Map<string, Set<string>>();
for (const { hit, miss } of numberedRules) {
  for (const [, key = "", value = ""] of `${hit}\n${miss}`.matchAll(/^(\S+) (.*)$/gm)) {
    examples.set(key, (examples.get(key) ?? new Set()).add(value));
  }
}

/** Yields examples with an additional setting of a key that the rule reads but its examples do not set. */
function* withReadKeys(rule: ConfRule, version: SparkVersion): Iterable<Variant> {
  for (const example of new Set([rule.hit, rule.miss])) {
    const text = given(rule, example);
    const set = new Set(parseProperties(text).entries.map(({ key }) => key));
    for (const key of keysReadBy(rule, text, version)) {
      if (set.has(key)) continue;
      for (const value of valuesOf(key, version)) {
        const line = `${key} ${value}`;
        const name = example === rule.hit ? `with ${line}` : `the near miss with ${line}`;
        yield { name, text: `${text}\n${line}` };
      }
    }
  }
}

const otherFacts: readonly (readonly [string, ApplicationFacts])[] = [
  ["in a whole document", { isWhole: true }],
  ["in a part of a document", { isWhole: false }],
  ["in Python", { language: "python" }],
  ["in Java", { language: "java" }],
  ["in client mode", { mode: "client" }],
  ["in the application's code", { isCode: true }],
];

/**
 * Yields the findings of an example, then each distinct finding of its variants with the variants that have it. Omits
 * variants without a finding.
 */
function* describe(rule: ConfRule): Iterable<string> {
  const newest = rule.to ?? newestSparkVersion;
  const hit = given(rule, rule.hit);
  const versions = sparkVersions.filter((version) => findings(rule, hit, version).length > 0);
  if (versions.length < sparkVersions.length) yield `  in ${versions.join(" ")}`;
  const variants = [
    { name: "the example", text: hit },
    ...[...variantsOf(rule.hit), ...variantsOf(rule.miss)].map(({ name, text }) => ({
      name,
      text: given(rule, text),
    })),
    ...elsewhere(rule.hit),
  ];
  const named = new Map<string, Set<string>>();
  const add = (name: string, found: readonly string[]): void => {
    const words = found.join("\n  ");
    named.set(words, (named.get(words) ?? new Set()).add(name));
  };
  for (const { name, text } of variants) {
    const found = findings(rule, text, newest);
    if (found.length > 0) add(name, found);
  }
  // List only the settings that change the verdict about the example.
  const [usual, usualMiss] = [rule.hit, rule.miss].map((example) =>
    findings(rule, given(rule, example), newest).join(),
  );
  for (const { name, text } of withReadKeys(rule, newest)) {
    const found = findings(rule, text, newest);
    if (found.join() !== (name.startsWith("with") ? usual : usualMiss)) add(name, found);
  }
  for (const [name, facts] of otherFacts) {
    const found = findings(rule, hit, newest, { ...rule.given, ...facts });
    if (found.join() !== usual) add(name, found);
  }
  for (const [found, names] of named) {
    yield `  ${found === "" ? "nothing" : found}`;
    for (const name of names) yield `    ${name}`;
  }
}

// `node --test --test-update-snapshots` updates the snapshot file. Review each change, because it is a changed verdict.
test("each rule keeps its verdicts near the edges of its examples", (t) => {
  const text = numberedRules
    .map((rule) => [rule.code, ...describe(rule), ""].join("\n"))
    .join("\n");
  t.assert.fileSnapshot(text, join(import.meta.dirname, "ruleVariants.txt"), {
    serializers: [String],
  });
});
