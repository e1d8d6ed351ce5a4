import type { ExecutorContext } from "../executor/executorSpec.ts";

/** Replaces `{{APP_ID}}` and `{{EXECUTOR_ID}}` in a value. */
export function replacePreviewPlaceholders(
  text: string,
  { applicationId, executorId }: Pick<ExecutorContext, "applicationId" | "executorId">,
): string {
  return text.replaceAll("{{APP_ID}}", applicationId).replaceAll("{{EXECUTOR_ID}}", executorId);
}
