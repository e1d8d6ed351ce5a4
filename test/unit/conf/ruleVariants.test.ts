import { join } from "node:path";
import { test } from "node:test";
import { inEnglish } from "../../../src/base/message.ts";
import { openCatalogue } from "../../../src/spark/conf/catalogue/catalogue.ts";
import {
  newestSparkVersion,
  sparkVersions,
  type SparkVersion,
} from "../../../src/spark/conf/catalogue/sparkVersions.ts";
import { diagnoserOf } from "../../../src/spark/conf/lint/diagnoseConf.ts";
import { parseProperties } from "../../../src/spark/conf/parse/properties.ts";
import type { ConfRule } from "../../../src/spark/conf/rules/numbered/confRule.ts";
import { numberedRules } from "../../../src/spark/conf/rules/numbered/numberedRules.ts";
import { given } from "./ruleExample.ts";

const diagnose = diagnoserOf(openCatalogue());

/** The findings of a rule in a text: `severity at "marked text": message`. */
function findings(rule: ConfRule, text: string, version: SparkVersion): readonly string[] {
  const document = { ...parseProperties(text), application: rule.given ?? {} };
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

/** Texts that differ from an example in one value or line. */
function* variantsOf(example: string): Iterable<Variant> {
  const lines = example.split("\n");
  for (const [at, line] of lines.entries()) {
    const [before, after] = [lines.slice(0, at), lines.slice(at + 1)];
    const [, key = "", value = ""] = /^(\S+) (.*)$/.exec(line) ?? [];
    if (lines.length > 1) yield { name: `without ${line}`, text: [...before, ...after].join("\n") };
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

/** Cluster managers and deploy modes. */
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

/** The findings of an example, and below them the variants that have some. All others have none. */
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
  for (const { name, text } of variants) {
    const found = findings(rule, text, newest).join("\n  ");
    if (found !== "") named.set(found, (named.get(found) ?? new Set()).add(name));
  }
  for (const [found, names] of named) {
    yield `  ${found}`;
    for (const name of names) yield `    ${name}`;
  }
}

// `node --test --test-update-snapshots` rewrites the file. Review each change: it is a changed verdict.
test("each rule keeps its verdicts near the edges of its examples", (t) => {
  const text = numberedRules
    .map((rule) => [rule.code, ...describe(rule), ""].join("\n"))
    .join("\n");
  t.assert.fileSnapshot(text, join(import.meta.dirname, "ruleVariants.txt"), {
    serializers: [String],
  });
});
