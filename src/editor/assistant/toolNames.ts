/** The names in `engine/assistant/assistantTools.ts`, which is not in the main bundle. A test compares both. */
export const toolNames = [
  "spark_list_applications",
  "spark_explain_application",
  "spark_read_log",
  "spark_effective_conf",
  "spark_lint_conf",
  "spark_preview_submission",
  "spark_stop_application",
  "spark_kill_executor",
] as const;
