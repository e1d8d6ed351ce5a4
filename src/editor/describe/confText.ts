import type { ShowMessage } from "../../base/message.ts";
import { plainMask, defaultSecretRule, type Mask } from "../../spark/redact.ts";
import { redactLine } from "../../spark/redactLine.ts";
import { redactValue } from "../../spark/redactText.ts";
import { secretRuleOf } from "./podDocument.ts";
import type { DescribedSubject } from "./subjects.ts";

/** Returns the width of the key column in characters. */
const columnOf = (conf: ReadonlyMap<string, string>): number =>
  Math.min(60, Math.max(0, ...[...conf.keys()].map((key) => key.length)));

/** The comments at the top of a conf file, and a function that translates further comments. */
interface ConfTextHead {
  readonly comments: readonly string[];
  readonly show: ShowMessage;
}

/** Returns the text of a conf file, sorted and redacted. `width`: the width of the key column in characters. */
export function confText(
  { pod }: Pick<DescribedSubject, "pod">,
  conf: ReadonlyMap<string, string>,
  { comments, show }: ConfTextHead,
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
    ...[...comments, ...(isSecret.problem === undefined ? [] : [show(isSecret.problem)])].map(
      (comment) => `# ${redactLine(comment.replaceAll(/\s+/g, " "), defaultSecretRule)}`,
    ),
    "",
    ...lines,
    "",
  ].join("\n");
}
