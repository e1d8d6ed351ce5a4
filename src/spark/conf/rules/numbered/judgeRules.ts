import { moveSpan, type Span } from "../../../../base/span.ts";
import type { Finding, Severity } from "../../finding.ts";
import { isFrom, type SparkVersion } from "../../sparkVersions.ts";
import type { Conf } from "./conf.ts";
import type { Breach, ConfRule } from "./confRule.ts";
import { isOfDriverPod } from "./driverPod.ts";

/** The rules that hold for a version. */
export const rulesFor = (rules: readonly ConfRule[], version: SparkVersion): readonly ConfRule[] =>
  rules.filter(
    ({ from, to }) =>
      (from === undefined || isFrom(version, from)) && (to === undefined || isFrom(to, version)),
  );

/** Breaks of those rules; the words on what is missing say that it may stand elsewhere. */
export function judgeRules(rules: readonly ConfRule[], conf: Conf): readonly Finding[] {
  const findings: Finding[] = [];
  for (const rule of rules) {
    if (!holdsHere(rule, conf)) continue;
    for (const breach of rule.check(conf)) {
      const isOther = conf.cluster === "other" && breach.at.key.startsWith("spark.kubernetes.");
      const isUnread =
        conf.mode === "client" && rule.where !== "client" && isOfDriverPod(breach.at.key);
      const place = placeOf(breach, conf);
      if (!isOther && !isUnread && place !== undefined)
        findings.push(toFinding(rule, breach, conf, place));
    }
  }
  return findings;
}

function holdsHere({ where }: ConfRule, { cluster, mode }: Conf): boolean {
  if (where === undefined) return true;
  if (cluster !== "kubernetes" && cluster !== "likely") return false;
  return where === "kubernetes" || where === mode;
}

function toFinding(rule: ConfRule, breach: Breach, conf: Conf, span: Span): Finding {
  const missing = (breach.without ?? []).filter((key) => conf.lacks(key));
  const isOpen = conf.application.isWhole !== true && missing.length > 0;
  const says = breach.says ?? rule.says;
  return {
    code: "rule",
    rule: rule.code,
    missing,
    span,
    severity: severityHere(
      rule,
      breach.severity ?? rule.severity,
      conf,
      isOpen && breach.isTorn !== true,
    ),
    says: isOpen
      ? `${says} (Unless ${anyOf(missing)} ${missing.length > 1 ? "are" : "is"} set elsewhere.)`
      : says,
  };
}

// What rests on something that is missing is no alarm in a file that need not hold everything, and what holds
// on Kubernetes alone is no error where only other settings tell that it is meant.
function severityHere(rule: ConfRule, own: Severity, conf: Conf, isOpen: boolean): Severity {
  if (rule.isAbout === "absence" && conf.application.isWhole !== true) return "hint";
  if (isOpen && (own === "error" || own === "warning")) return "information";
  return rule.where !== undefined && conf.cluster === "likely" && own === "error" ? "warning" : own;
}

// What is wrong in another file is that file's to say; but what is missing from all has a place here too.
function placeOf({ at, part }: Breach, conf: Conf): Span | undefined {
  if (!conf.isElsewhere(at)) {
    const span = part === "key" || at.value === "" ? at.keySpan : at.valueSpan;
    return moveSpan(span, conf.placeOf(at));
  }
  return at.key === "spark.master" ? conf.application.place : undefined;
}

const anyOf = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(" and ");
