// Rewrites mounted files. Properties that describe pods keep their paths, because these are paths in containers.
import { rewriteHosts, rewritePaths, type HostNames, type PathMap } from "./rewriteText.ts";

/** Matches Spark properties about volumes, secrets, labels and annotations of pods. */
const podTemplateLine =
  /^\s*spark\.kubernetes\.(?:driver|executor)\.(?:volumes|secrets|label|annotation|podTemplateContainerName)\b/;

/**
 * Matches the Spark property that binds a Connect server to 127.0.0.1. All pods share that address of the machine, so
 * the pod's own loopback address replaces it.
 */
const loopbackServer =
  /^(\s*spark\.connect\.grpc\.binding\.address\s*[=:\s]\s*)127\.0\.0\.1(?=\s*$)/;

/** The replacements for files that one pod mounts. `address`: the pod's own loopback address. */
export interface MountedIn {
  readonly paths: PathMap;
  readonly hosts: HostNames;
  readonly address: string;
}

/** Rewrites a mounted file, properties files line by line. Returns the executor pod template unchanged. */
export function rewriteMounted(
  fileName: string,
  text: string,
  { paths, hosts, address }: MountedIn,
): string {
  const whole = (part: string): string => rewriteHosts(rewritePaths(part, paths), hosts);
  if (isPodTemplate(fileName)) return text;
  if (!fileName.endsWith(".properties") && !fileName.endsWith(".conf")) return whole(text);
  return text
    .split("\n")
    .map((line) =>
      podTemplateLine.test(line) ? line : whole(line).replace(loopbackServer, `$1${address}`),
    )
    .join("\n");
}

// The driver reads the executor pod template, but its paths belong to the executors, so keep them.
const isPodTemplate = (fileName: string): boolean => fileName === "pod-spec-template.yml";
