import { inEnglish } from "../base/message.ts";
import { relative } from "node:path";
import type { Severity } from "../spark/conf/lint/finding.ts";
import { allRules, plainRulePage, rulePage } from "../spark/conf/rules/numbered/rulePage.ts";
import { packageVersion } from "./packageVersion.ts";
import type { Report } from "./report.ts";

/** Returns the findings as SARIF 2.1.0, which code hosts show beside the affected lines. */
export function sarifOf(reports: readonly Report[]): unknown {
  const ids = [...new Set(reports.map(({ code }) => code))].sort();
  const rules = new Map(allRules().map((rule) => [rule.code as string, rule]));
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "spark-k8s",
            version: packageVersion(),
            rules: ids.map((id) => ({
              id,
              shortDescription: { text: inEnglish(rules.get(id)?.says) ?? id },
              ...(rules.has(id) && {
                help: {
                  text: plainRulePage(id, inEnglish),
                  markdown: rulePage(id, inEnglish),
                },
              }),
            })),
          },
        },
        columnKind: "utf16CodeUnits",
        results: reports.map((report) => ({
          ruleId: report.code,
          ruleIndex: ids.indexOf(report.code),
          level: levels[report.severity],
          message: { text: report.message },
          locations: [
            {
              physicalLocation: {
                artifactLocation: {
                  uri: uriOf(report.file),
                },
                region: {
                  startLine: report.line,
                  startColumn: report.column,
                  endLine: report.endLine,
                  endColumn: report.endColumn,
                },
              },
            },
          ],
        })),
      },
    ],
  };
}

const levels: Readonly<Record<Severity, string>> = {
  error: "error",
  warning: "warning",
  information: "note",
  hint: "note",
};

// Encode `?` and `#`, because they would end the path of a URI.
const uriOf = (file: string): string =>
  relative(".", file).split(/[\\/]/).map(encodeURIComponent).join("/");
