// Spark's own properties need care: some of their paths are not of the driver's container but of pods to come.
import { rewriteHosts, rewritePaths, type HostNames, type PathMap } from "./rewriteText.ts";

/** Lines that tell the driver what the pods that it makes are to look like. */
const ofOtherPods =
  /^\s*spark\.kubernetes\.(?:driver|executor)\.(?:volumes|secrets|label|annotation|podTemplateContainerName)\b/;

/** Mounted text; a file of properties line by line. */
export function rewriteMounted(
  fileName: string,
  text: string,
  paths: PathMap,
  hosts: HostNames,
): string {
  const whole = (part: string): string => rewriteHosts(rewritePaths(part, paths), hosts);
  if (isPodTemplate(fileName)) return text;
  if (!fileName.endsWith(".properties") && !fileName.endsWith(".conf")) return whole(text);
  return text
    .split("\n")
    .map((line) => (ofOtherPods.test(line) ? line : whole(line)))
    .join("\n");
}

// The template of executors is read by the driver, but its paths are theirs.
const isPodTemplate = (fileName: string): boolean => fileName === "pod-spec-template.yml";
