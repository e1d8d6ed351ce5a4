import { msg, sentences, type Message, type ShowMessage } from "../../../../base/message.ts";
import { withoutCodeSpans } from "../../../inlineCode.ts";
import type { ConfRule, NamedProblem } from "./confRule.ts";
import { namedProblems } from "./namedProblems.ts";
import { numberedRules } from "./numberedRules.ts";

type DescribedRule = (ConfRule | NamedProblem) & {
  readonly says: Message;
  readonly page: Message;
};

/** Returns all rules that have a page, sorted by number. If several rules have the same code, only one has a page. */
export const allRules = (): readonly DescribedRule[] =>
  [...numberedRules, ...namedProblems]
    .filter((rule): rule is DescribedRule => rule.says !== undefined && rule.page !== undefined)
    .sort((a, b) => numberOf(a) - numberOf(b));

const numberOf = ({ code }: DescribedRule): number => Number(code.slice(1, 4));

/** Returns the page of a rule, in Markdown. Undefined if no rule with this code has a page. */
export const rulePage = (code: string, show: ShowMessage): string | undefined =>
  pageOf(code, show, {
    heading: (text) => `# ${text}`,
    paragraph: (text) => text,
    settings: (text) => `\`\`\`properties\n${text}\n\`\`\``,
  });

/** As `rulePage`, but readable as plain text, for editors that show the Markdown source. */
export const plainRulePage = (code: string, show: ShowMessage): string | undefined =>
  pageOf(code, show, {
    heading: (text) => `${text}\n${"=".repeat(text.length)}`,
    paragraph: withoutCodeSpans,
    settings: (text) => text.replaceAll(/^/gm, "    "),
  });

interface PageStyle {
  readonly heading: (text: string) => string;
  /** Formats text with code spans. */
  readonly paragraph: (text: string) => string;
  readonly settings: (text: string) => string;
}

function pageOf(
  code: string,
  show: ShowMessage,
  { heading, paragraph, settings }: PageStyle,
): string | undefined {
  const rule = allRules().find((one) => one.code === code);
  if (rule === undefined) return undefined;
  const comment = `# spark-k8s: ${code.slice(0, 4)}=off`;
  const silence = msg`To disable this rule, add \`${code}=off\` to the setting \`sparkK8s.conf.rules\`, or add a comment such as \`${comment}\` to the file (\`spark-k8s-next:\` for the next property only).`;
  return [
    heading(code),
    paragraph(show(rule.says)),
    paragraph(show(rule.page)),
    show(sentences([msg`Severity: ${rule.severity}.`, versionWords(rule), placeWords(rule)])),
    show(msg("Violates the rule:")),
    settings(rule.hit),
    show(msg("Complies with the rule:")),
    settings(rule.miss),
    paragraph(show(silence)),
    "",
  ].join("\n\n");
}

function versionWords({ from, to }: DescribedRule): Message {
  if (from !== undefined && to !== undefined)
    return from === to ? msg`Spark ${from}.` : msg`Spark ${from} to ${to}.`;
  if (from !== undefined) return msg`Spark ${from} and later.`;
  return to === undefined ? msg("All Spark versions.") : msg`Spark up to ${to}.`;
}

function placeWords(rule: DescribedRule): Message | undefined {
  const where = "where" in rule ? rule.where : undefined;
  if (where === undefined) return undefined;
  return where === "kubernetes" ? msg("On Kubernetes.") : msg`On Kubernetes in ${where} mode.`;
}
