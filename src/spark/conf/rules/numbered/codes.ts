import type { Finding } from "../../finding.ts";
import { isFrom, type SparkVersion } from "../../sparkVersions.ts";
import type { NamedProblem } from "./confRule.ts";
import { namedProblems } from "./namedProblems.ts";

/** The code that a finding is shown, silenced and looked up by: a rule's, where a rule is about it. */
export function codeOf(finding: Finding, version: SparkVersion): string {
  if (finding.code === "rule") return finding.rule;
  if (finding.code === "bad-escape") return finding.code;
  const holds = ({ from, to }: NamedProblem): boolean =>
    (from === undefined || isFrom(version, from)) && (to === undefined || isFrom(to, version));
  return namedProblems.find((one) => holds(one) && one.names(finding))?.code ?? finding.code;
}
