import { plainMask, secretRule } from "../../redact.ts";
import { redactKnown, redactValue } from "../../redactText.ts";
import { valueOf } from "../conf/conf.ts";
import { minorOf } from "../conf/sparkVersion.ts";
import { versionTraits } from "../conf/versionTraits.ts";
import type { SubmissionPlan } from "../plan/submissionPlan.ts";
import { withoutGenerated } from "./comparableText.ts";

/**
 * Returns the conf of a submission, redacted and sorted by key, without the submit time. Placeholders replace generated
 * parts, so two results differ only where the submissions differ. `secrets`: strings to redact wherever they occur.
 */
export function runConf(
  plan: SubmissionPlan,
  secrets: readonly string[],
): readonly (readonly [string, string])[] {
  const isSecret = secretRule(
    valueOf(plan.conf, "spark.redaction.regex"),
    versionTraits[minorOf(plan.sparkVersion) ?? "4.3"].redactionPattern,
  );
  return [...plan.conf]
    .filter(([key]) => key !== "spark.app.submitTime")
    .map(([key, { value }]) => {
      const redacted = redactValue(key, redactKnown(value, secrets, plainMask), isSecret);
      return [key, withoutGenerated(redacted, plan.identity)] as const;
    })
    .sort(([one], [other]) => (one < other ? -1 : 1));
}
