import { isJsonObject, listAt, textAt } from "../json.ts";
import type { Manifest } from "../manifest.ts";
import { containersOf, fieldOf } from "../preview/podParts.ts";
import type { SubmissionPlan } from "../submissionPlan.ts";
import { planPods } from "./planPods.ts";
import { preflightWords, type PreflightFinding } from "./preflightFinding.ts";

const longestName = 253;
const longestLabel = 63;
// As long as what Spark draws for the part of a name that is not known yet.
const drawn = "0123456789abcdef";

const subdomain = `small letters, digits, "-" and ".", at most ${longestName} of them`;
const dnsLabel = `small letters, digits and "-", at most ${longestLabel} of them`;
const labelText = `letters, digits, "-", "_" and "." between a letter or digit, at most ${longestLabel} of them`;

/** Names and labels that the server would refuse, for which Spark looks at none of them. */
export function checkNames(plan: SubmissionPlan): readonly PreflightFinding[] {
  const pods = planPods(plan);
  const executor = pods.find(({ user }) => user === "executor")?.manifest;
  const manifests = [
    ...plan.writes
      .filter(({ role }) => role !== "ownedPreResource")
      .map(({ manifest }) => manifest),
    ...(executor ? [executor] : []),
  ];
  const findings = [
    ...manifests.flatMap((manifest) => checkManifest(manifest)),
    ...pods.flatMap(({ manifest }) => checkPod(manifest)),
  ];
  // Driver and executor often share what is wrong.
  return [...new Map(findings.map((finding) => [finding.problem, finding])).values()];
}

function checkManifest({ kind, metadata }: Manifest): readonly PreflightFinding[] {
  const name = metadata.name.replace("…", drawn);
  const isService = kind === "Service";
  const fits = isService ? isDnsLabel(name) : isSubdomain(name);
  return [
    ...(fits
      ? []
      : [
          preflightWords.badName(
            `the name of a ${kind}`,
            metadata.name,
            isService ? dnsLabel : subdomain,
            metadata.name.includes("-exec-")
              ? "spark.kubernetes.executor.podNamePrefix"
              : "spark.app.name",
          ),
        ]),
    ...Object.entries(metadata.labels ?? {}).flatMap(([key, value]) => [
      ...(isLabelKey(key)
        ? []
        : [preflightWords.badName("the key of a label", key, labelText, undefined)]),
      ...(isLabelText(value) || value === ""
        ? []
        : [preflightWords.badName(`the value of the label "${key}"`, value, labelText, undefined)]),
    ]),
    ...Object.keys(metadata.annotations ?? {})
      .filter((key) => !isLabelKey(key))
      .map((key) => preflightWords.badName("the key of an annotation", key, labelText, undefined)),
  ];
}

function checkPod(pod: Manifest): readonly PreflightFinding[] {
  const spec = fieldOf(pod, "spec");
  const names = (items: readonly unknown[]): readonly string[] =>
    items.flatMap((item) => {
      const object = typeof item === "object" ? item : undefined;
      return object !== null && object !== undefined && "name" in object
        ? [String(object.name)]
        : [];
    });
  const volumes = names(listAt(spec, "volumes").filter((item) => isJsonObject(item)));
  const containers = names([...containersOf(pod), ...containersOf(pod, "initContainers")]);
  const hostname = textAt(spec, "hostname")?.replace("…", drawn).slice(-longestLabel);
  const bad = (what: string, name: string, key?: string): PreflightFinding =>
    preflightWords.badName(what, name, dnsLabel, key);
  return [
    ...volumes.filter((name) => !isDnsLabel(name)).map((name) => bad("the name of a volume", name)),
    ...volumes
      .filter((name, index) => volumes.indexOf(name) < index)
      .map((name) =>
        preflightWords.badName(
          "the name of two volumes",
          name,
          "each name once in a pod",
          undefined,
        ),
      ),
    ...containers
      .filter((name) => !isDnsLabel(name))
      .map((name) => bad("the name of a container", name)),
    ...(hostname === undefined || isDnsLabel(hostname.replace(/^-+/, ""))
      ? []
      : [bad("a host name", hostname, "spark.kubernetes.executor.podNamePrefix")]),
  ];
}

export const isDnsLabel = (text: string): boolean =>
  text.length <= longestLabel && /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/.test(text);

export const isSubdomain = (text: string): boolean =>
  text.length <= longestName &&
  text.split(".").every((part) => /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/.test(part));

const isLabelText = (text: string): boolean =>
  text.length <= longestLabel && /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/.test(text);

function isLabelKey(key: string): boolean {
  const [name = "", prefix, more] = key.split("/").reverse();
  return more === undefined && isLabelText(name) && (prefix === undefined || isSubdomain(prefix));
}
