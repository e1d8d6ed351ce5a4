import { translated } from "../ui/translated.ts";
import { plainMask, defaultSecretRule, type Mask } from "../../spark/redact.ts";
import { redactLine } from "../../spark/redactLine.ts";
import { redactValue } from "../../spark/redactText.ts";
import { secretRuleOf } from "./podDocument.ts";
import type { DescribedSubject } from "./subjects.ts";

/** The column of the values. */
const columnOf = (conf: ReadonlyMap<string, string>): number =>
  Math.min(60, Math.max(0, ...[...conf.keys()].map((key) => key.length)));

/** The text of a conf file, sorted and redacted. `width`: of the key column; less if two files stand side by side. */
export function confText(
  { pod }: Pick<DescribedSubject, "pod">,
  conf: ReadonlyMap<string, string>,
  comments: readonly string[],
  width = columnOf(conf),
  mask: Mask = plainMask,
): string {
  const isSecret = secretRuleOf(pod.pod, conf);
  const keys = [...conf.keys()].sort();
  const lines = keys.map((key) => {
    const value = redactValue(key, conf.get(key) ?? "", isSecret, mask);
    return `${key.padEnd(width)}  ${value.replaceAll("\n", "\\n")}`;
  });
  return [
    ...[...comments, ...(isSecret.problem === undefined ? [] : [translated(isSecret.problem)])].map(
      (comment) => `# ${redactLine(comment.replaceAll(/\s+/g, " "), defaultSecretRule)}`,
    ),
    "",
    ...lines,
    "",
  ].join("\n");
}
