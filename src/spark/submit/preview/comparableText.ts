import { type ShowMessage } from "../../../base/message.ts";
import type { SubmissionPlan } from "../plan/submissionPlan.ts";
import { previewDocuments } from "./previewDocuments.ts";
import { plainMask, type Mask } from "../../redact.ts";

/** Returns the documents of a preview as one text in the language of `show`. Redacts the texts in `secrets`. */
export const previewText = (
  plan: SubmissionPlan,
  secrets: readonly string[],
  show: ShowMessage,
  mask: Mask = plainMask,
): string =>
  previewDocuments(plan, { mask, known: secrets }, show)
    .map((document) => `# ---- ${document.title} ----\n${document.text.trimEnd()}\n`)
    .join("---\n");

/** Like `previewText`, with placeholders for generated parts, so two texts differ only where the submissions differ. */
export function comparableText(
  plan: SubmissionPlan,
  secrets: readonly string[],
  show: ShowMessage,
  mask: Mask = plainMask,
): string {
  const text = previewText(plan, secrets, show, mask);
  return withoutGenerated(text, plan.identity).replace(
    /^([ \t]*"?spark\.app\.submitTime"?: ).*$/gm,
    "$1(time)",
  );
}

/** Replaces the generated names and ids of a submission with placeholders, such as `(application id)`. */
export function withoutGenerated(text: string, identity: SubmissionPlan["identity"]): string {
  const { applicationId, prefix, serviceName, configMapName, localDirectory, uploadIds } = identity;
  // Removes the id, which follows the application's name in the prefix.
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
    .reduce((changed, [made, word]) => changed.replaceAll(made, word), text);
}
