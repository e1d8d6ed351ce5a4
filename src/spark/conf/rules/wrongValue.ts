import type { Finding } from "../lint/finding.ts";
import type { Knowledge } from "../catalogue/knowledge.ts";
import { judgeKeyValue } from "../values/judgeKeyValue.ts";
import { isCapitalsMark, isPlaceholder } from "../values/placeholders.ts";
import type { ValueProblem } from "../values/valueProblem.ts";
import type { EntryRule, RuleContext } from "./rule.ts";

/** Finds values that this Spark version rejects. Placeholders are not reported. */
export const wrongValue: EntryRule = (entries, context) => {
  const findings: Finding[] = [];
  for (const { entry, knowledge } of entries) {
    const { key, value, valueSpan, keySpan } = entry;
    const problem = problemOf(value, knowledge, context);
    if (problem === undefined || isPlaceholder(value)) continue;
    if (problem.code !== "bad-choice" && isCapitalsMark(value)) continue;
    const span = value === "" ? keySpan : valueSpan;
    findings.push({ ...problem, span, key, value, version: context.version });
  }
  return findings;
};

function problemOf(
  value: string,
  knowledge: Knowledge,
  { catalogue, version }: RuleContext,
): ValueProblem | undefined {
  if (knowledge.kind === "known") return judgeKeyValue(catalogue, knowledge.facts, value, version);
  if (knowledge.kind !== "family" || knowledge.family.isBoolean === undefined) return undefined;
  if (/^(?:true|false)$/i.test(value)) return undefined;
  return value === "" ? { code: "empty-value", wanted: "boolean" } : { code: "bad-boolean" };
}
