import type { ApplicationKind } from "../submit/arguments/submissionArguments.ts";

/** Returns the kind of an application by the extension of its main resource. */
export function kindOfFile(resource: string): ApplicationKind {
  if (resource.endsWith(".py")) return "python";
  return /\.[rR]$/.test(resource) ? "r" : "java";
}

/** The runner class of applications without a main class of their own. */
export const runnerClass: Readonly<Record<Exclude<ApplicationKind, "java">, string>> = {
  python: "org.apache.spark.deploy.PythonRunner",
  r: "org.apache.spark.deploy.RRunner",
};
