/** Languages of programs in which settings are found. */
export type CodeLanguage = "python" | "scala" | "java";
