import { withoutCodeSpans } from "../../../inlineCode.ts";
import type { ConfRule, NamedProblem } from "./confRule.ts";
import { namedProblems } from "./namedProblems.ts";
import { numberedRules } from "./numberedRules.ts";

/** All rules with a page, by number. A rule with several detectors has one text. */
export const allRules = (): readonly (ConfRule | NamedProblem)[] =>
  [...numberedRules, ...namedProblems]
    .filter(({ says }) => says !== "")
    .sort((a, b) => numberOf(a) - numberOf(b));

const numberOf = ({ code }: ConfRule | NamedProblem): number => Number(code.slice(1, 4));

/** The page of a rule, in Markdown. */
export const rulePage = (code: string): string | undefined =>
  pageOf(code, {
    heading: (text) => `# ${text}`,
    paragraph: (text) => text,
    settings: (text) => `\`\`\`properties\n${text}\n\`\`\``,
  });

/** As `rulePage`, for editors that show the Markdown source. */
export const plainRulePage = (code: string): string | undefined =>
  pageOf(code, {
    heading: (text) => `${text}\n${"=".repeat(text.length)}`,
    paragraph: withoutCodeSpans,
    settings: (text) => text.replaceAll(/^/gm, "    "),
  });

interface PageStyle {
  readonly heading: (text: string) => string;
  /** For text with code spans. */
  readonly paragraph: (text: string) => string;
  readonly settings: (text: string) => string;
}

function pageOf(code: string, { heading, paragraph, settings }: PageStyle): string | undefined {
  const rule = allRules().find((one) => one.code === code);
  if (rule === undefined) return undefined;
  const silence = `To silence it: \`${code}=off\` in the setting \`sparkK8s.conf.rules\`, or in the file a comment such as \`# spark-k8s: ${code.slice(0, 4)}=off\` (\`spark-k8s-next:\` for the next setting alone).`;
  return [
    heading(code),
    paragraph(rule.says),
    paragraph(rule.page),
    `Severity: ${rule.severity}. ${versionWords(rule)}${placeWords(rule)}`,
    "Breaks it:",
    settings(rule.hit),
    "Does not:",
    settings(rule.miss),
    paragraph(silence),
    "",
  ].join("\n\n");
}

function versionWords({ from, to }: ConfRule | NamedProblem): string {
  if (from !== undefined && to !== undefined)
    return from === to ? `Spark ${from}.` : `Spark ${from} to ${to}.`;
  if (from !== undefined) return `Spark ${from} and later.`;
  return to === undefined ? "All versions of Spark." : `Spark up to ${to}.`;
}

function placeWords(rule: ConfRule | NamedProblem): string {
  const where = "where" in rule ? rule.where : undefined;
  if (where === undefined) return "";
  return where === "kubernetes" ? " On Kubernetes." : ` On Kubernetes in ${where} mode.`;
}
