/** Languages of programs whose settings are read. */
export type CodeLanguage = "python" | "scala" | "java";
