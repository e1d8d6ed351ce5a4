import { severityOf, type Finding, type Severity } from "../../lint/finding.ts";
import { isFrom, sparkVersions, type SparkVersion } from "../../catalogue/sparkVersions.ts";
import type { NamedProblem } from "./confRule.ts";
import { namedProblems } from "./namedProblems.ts";

const problemsByVersion: ReadonlyMap<SparkVersion, readonly NamedProblem[]> = new Map(
  sparkVersions.map((version) => [
    version,
    namedProblems.filter(
      ({ from, to }) =>
        (from === undefined || isFrom(version, from)) && (to === undefined || isFrom(to, version)),
    ),
  ]),
);

/**
 * Returns the code and the severity of a finding, from the numbered rule that covers it if there is one. A finding
 * about a value keeps its own severity.
 */
export function codeAndSeverityOf(finding: Finding, version: SparkVersion): Grade {
  const severity = severityOf(finding);
  if (finding.code === "rule") return { code: finding.rule, severity };
  if (finding.code === "manifest") return { code: finding.problem, severity };
  if (finding.code === "bad-escape" || finding.code === "unknown-option")
    return { code: finding.code, severity };
  const problem = problemsByVersion.get(version)?.find((one) => one.names(finding));
  if (problem === undefined) return { code: finding.code, severity };
  return { code: problem.code, severity: "value" in finding ? severity : problem.severity };
}

interface Grade {
  readonly code: string;
  readonly severity: Severity;
}
