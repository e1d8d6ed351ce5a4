import type { ExecutorContext } from "./executorSpec.ts";

/** `{{APP_ID}}` and `{{EXECUTOR_ID}}` in a value. */
export function replacePlaceholders(
  text: string,
  { applicationId, executorId }: Pick<ExecutorContext, "applicationId" | "executorId">,
): string {
  return text.replaceAll("{{APP_ID}}", applicationId).replaceAll("{{EXECUTOR_ID}}", executorId);
}
