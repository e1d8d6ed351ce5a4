import { severityOf, type Finding, type Severity } from "../../finding.ts";
import { isFrom, type SparkVersion } from "../../sparkVersions.ts";
import type { NamedProblem } from "./confRule.ts";
import { namedProblems } from "./namedProblems.ts";

const held = new Map<SparkVersion, readonly NamedProblem[]>();

/** Those that hold for the version. */
function problemsOf(version: SparkVersion): readonly NamedProblem[] {
  const problems =
    held.get(version) ??
    namedProblems.filter(
      ({ from, to }) =>
        (from === undefined || isFrom(version, from)) && (to === undefined || isFrom(to, version)),
    );
  held.set(version, problems);
  return problems;
}

/**
 * The code that a finding is shown, silenced and looked up by, and how bad it is: a rule's, where a rule is
 * about it. How bad a wrong value is hangs on what is wrong with it.
 */
export function gradeOf(finding: Finding, version: SparkVersion): Grade {
  const severity = severityOf(finding);
  if (finding.code === "rule") return { code: finding.rule, severity };
  if (finding.code === "bad-escape") return { code: finding.code, severity };
  const problem = problemsOf(version).find((one) => one.names(finding));
  if (problem === undefined) return { code: finding.code, severity };
  return { code: problem.code, severity: "value" in finding ? severity : problem.severity };
}

interface Grade {
  readonly code: string;
  readonly severity: Severity;
}
