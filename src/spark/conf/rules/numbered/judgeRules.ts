import { msg, verbatim, type Message } from "../../../../base/message.ts";
import type { Span } from "../../../../base/span.ts";
import type { Finding, Severity } from "../../lint/finding.ts";
import { isFrom, type SparkVersion } from "../../catalogue/sparkVersions.ts";
import type { RuleConf } from "./conf.ts";
import type { Violation, ConfRule } from "./confRule.ts";
import { isOfDriverPod } from "./driverPod.ts";

/** Returns the rules that apply to a version. */
export const rulesFor = (rules: readonly ConfRule[], version: SparkVersion): readonly ConfRule[] =>
  rules.filter(
    ({ from, to }) =>
      (from === undefined || isFrom(version, from)) && (to === undefined || isFrom(to, version)),
  );

/**
 * Returns the findings of the rules, in their order. In a partial document, messages about missing keys are
 * conditional.
 */
export function judgeRules(rules: readonly ConfRule[], conf: RuleConf): readonly Finding[] {
  const findings: Finding[] = [];
  for (const rule of rules) {
    if (!holdsHere(rule, conf)) continue;
    for (const violation of rule.check(conf)) {
      const isOther = conf.cluster === "other" && violation.at.key.startsWith("spark.kubernetes.");
      const isUnread =
        conf.mode === "client" && rule.where !== "client" && isOfDriverPod(violation.at.key);
      const place = placeOf(violation, conf);
      if (!isOther && !isUnread && place !== undefined)
        findings.push(toFinding(rule, violation, conf, place));
    }
  }
  return findings;
}

function holdsHere({ where }: ConfRule, { cluster, mode }: RuleConf): boolean {
  if (where === undefined) return true;
  if (cluster !== "kubernetes" && cluster !== "likely") return false;
  return where === "kubernetes" || where === mode;
}

function toFinding(rule: ConfRule, violation: Violation, conf: RuleConf, span: Span): Finding {
  const missing = (violation.without ?? []).filter((key) => conf.lacks(key));
  const isOpen = conf.application.isWhole !== true && missing.length > 0;
  const says = violation.says ?? rule.says;
  return {
    code: "rule",
    rule: rule.code,
    missing,
    span,
    severity: severityHere(
      rule,
      violation.severity ?? rule.severity,
      conf,
      isOpen && violation.isTorn !== true,
    ),
    ...(violation.replacement === undefined ? {} : { replacement: violation.replacement }),
    says: isOpen ? unlessSet(says, missing) : says,
  };
}

// Lowers the severity of findings about missing keys in partial documents, and of errors of Kubernetes rules if the
// cluster type is only inferred.
function severityHere(rule: ConfRule, own: Severity, conf: RuleConf, isOpen: boolean): Severity {
  if (rule.isAbout === "absence" && conf.application.isWhole !== true) return "hint";
  if (isOpen && (own === "error" || own === "warning")) return "information";
  return rule.where !== undefined && conf.cluster === "likely" && own === "error" ? "warning" : own;
}

// Returns the span of a violation. Undefined for a violation at a setting of another file, which has no span in this
// text. Violations about missing keys are at `spark.master`, or at the application's place if another file sets it.
function placeOf({ at, part }: Violation, conf: RuleConf): Span | undefined {
  if (!conf.isElsewhere(at)) {
    return part === "key" || at.value === "" ? at.keySpan : at.valueSpan;
  }
  return at.key === "spark.master" ? conf.application.place : undefined;
}

function unlessSet(says: Message, missing: readonly string[]): Message {
  const keys = missing
    .map((key) => verbatim(`"${key}"`))
    .reduce((all, key) => msg`${all} and ${key}`);
  return missing.length > 1
    ? msg`${says} (Unless ${keys} are set elsewhere.)`
    : msg`${says} (Unless ${keys} is set elsewhere.)`;
}
