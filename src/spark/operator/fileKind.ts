import type { ResourceKind } from "../submit/submissionArguments.ts";

/** What the ending of a main application resource makes of it. */
export function kindOfFile(resource: string): ResourceKind {
  if (resource.endsWith(".py")) return "python";
  return /\.[rR]$/.test(resource) ? "r" : "java";
}

/** The class that stands for the main class of applications that are no JVM code. */
export const runnerClass: Readonly<Record<Exclude<ResourceKind, "java">, string>> = {
  python: "org.apache.spark.deploy.PythonRunner",
  r: "org.apache.spark.deploy.RRunner",
};
