import type { SubmissionPlan } from "../submissionPlan.ts";
import { previewDocuments } from "./previewDocuments.ts";
import { redaction } from "../../redact.ts";

/** The documents of a preview as one text, without the texts that `secrets` names. */
export function previewText(plan: SubmissionPlan, secrets: readonly string[]): string {
  const text = previewDocuments(plan)
    .map((document) => `# ---- ${document.title} ----\n${document.text.trimEnd()}\n`)
    .join("---\n");
  return secrets
    .toSorted((a, b) => b.length - a.length)
    .reduce((shown, secret) => shown.replaceAll(secret, redaction), text);
}

/**
 * The same with what differs from one submission to the next whatever is asked for put into words, so that two
 * of them differ only where something was changed.
 */
export function comparableText(plan: SubmissionPlan, secrets: readonly string[]): string {
  const { applicationId, prefix, serviceName, configMapName, localDirectory, uploadIds } =
    plan.identity;
  // The prefix is the name of the application and an id.
  const name = prefix.replace(/-[^-]*$/, "");
  const words: readonly (readonly [string, string])[] = [
    [applicationId, "(application id)"],
    [serviceName, "(service name)"],
    [configMapName, "(conf map)"],
    [localDirectory, "/var/data/spark-(id)"],
    [prefix, `${name}-(id)`],
    ...uploadIds.map((id) => [id, "(upload id)"] as const),
  ];
  return words
    .filter(([made]) => made !== "")
    .reduce((text, [made, word]) => text.replaceAll(made, word), previewText(plan, secrets))
    .replace(/^(\s*"?spark\.app\.submitTime"?: ).*$/gm, "$1(time)");
}
