/** The kind of an application's main resource: a JAR, a Python program or an R program. */
export type ApplicationKind = "java" | "python" | "r";

/** Returns the kind of an application by the extension of its main resource. */
export function kindOfFile(resource: string): ApplicationKind {
  if (resource.endsWith(".py")) return "python";
  return /\.[rR]$/.test(resource) ? "r" : "java";
}
