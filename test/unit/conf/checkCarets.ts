import assert from "node:assert/strict";
import type { Catalogue } from "../../../src/spark/conf/catalogue/catalogue.ts";
import { severityOf } from "../../../src/spark/conf/lint/finding.ts";
import { diagnoserOf } from "../../../src/spark/conf/lint/diagnoseConf.ts";
import { parseProperties } from "../../../src/spark/conf/parse/properties.ts";
import {
  newestSparkVersion,
  toSparkVersion,
} from "../../../src/spark/conf/catalogue/sparkVersions.ts";

/**
 * Checks the findings in a conf document against its comments. Each comment has carets under the span in the line
 * above, then the code of the finding; `#<--` marks a span of its own length at the line start. A first line `# Spark
 * 3.5` sets the version. Findings without a comment fail the test.
 */
export function checkCarets(catalogue: Catalogue, text: string): void {
  const lines = text.split("\n");
  const named = /^# Spark (\S+)$/.exec(lines[0] ?? "")?.[1];
  const version = named === undefined ? newestSparkVersion : toSparkVersion(named);
  assert.ok(version, `not a line of Spark: ${named ?? ""}`);
  const plain = lines.filter((line) => expectationIn(line) === undefined);
  const document = parseProperties(plain.join("\n"));
  const findings = diagnoserOf(catalogue)(document, version, new Map()).map(
    ({ finding }) => finding,
  );

  const found = new Map<number, string[]>();
  for (const finding of findings.filter((one) => severityOf(one) !== "hint")) {
    const { span } = finding;
    const code = finding.code === "rule" ? finding.rule : finding.code;
    const { line, column } = placeOf(plain, span.start);
    const width = Math.min(span.end - span.start, (plain[line] ?? "").length - column);
    found.set(line, [...(found.get(line) ?? []), mark(column, width, code)]);
  }
  const marked = plain.flatMap((line, index) => [line, ...(found.get(index) ?? [])]);
  assert.equal(marked.join("\n"), text);
}

function mark(column: number, width: number, code: string): string {
  if (column === 0) return `#<${"-".repeat(Math.max(width - 2, 0))} ${code}`;
  return `#${" ".repeat(column - 1)}${"^".repeat(Math.max(width, 1))} ${code}`;
}

const expectationIn = (line: string): string | undefined =>
  /^#(?:<-*| *\^+) ([A-Za-z0-9-]+)$/.exec(line)?.[1];

function placeOf(
  lines: readonly string[],
  offset: number,
): { readonly line: number; readonly column: number } {
  let start = 0;
  for (const [line, text] of lines.entries()) {
    if (offset <= start + text.length) return { line, column: offset - start };
    start += text.length + 1;
  }
  throw new Error(`no such place: ${offset}`);
}
