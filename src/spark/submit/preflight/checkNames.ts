import { inEnglish, msg, type Message } from "../../../base/message.ts";
import { isJsonObject, listAt, textAt } from "../../../base/json.ts";
import { isDnsLabel, isDnsName, isLabelKey, isLabelValue } from "../../kubernetesNames.ts";
import type { Manifest } from "../plan/manifest.ts";
import { containersOf, manifestObject } from "../preview/podParts.ts";
import type { SubmissionPlan } from "../plan/submissionPlan.ts";
import { planPods } from "./planPods.ts";
import { preflightWords, type PreflightFinding } from "./preflightFinding.ts";

const maxNameLength = 253;
const maxLabelLength = 63;
// A text with the length of a generated part, which a previewed name replaces with `…`.
const drawn = "0123456789abcdef";

const subdomain = msg`at most ${maxNameLength} lowercase letters, digits, "-" and "."`;
const dnsLabel = msg`at most ${maxLabelLength} lowercase letters, digits and "-"`;
const labelText = msg`at most ${maxLabelLength} letters, digits, "-", "_" and ".", with a letter or digit at both ends`;

/** Reports names and labels that the API server would reject and that Spark does not check. */
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
  // Removes duplicates: the driver and the executors often have the same problem.
  return [...new Map(findings.map((finding) => [inEnglish(finding.problem), finding])).values()];
}

function checkManifest({ kind, metadata }: Manifest): readonly PreflightFinding[] {
  const name = metadata.name.replace("…", drawn);
  const isService = kind === "Service";
  const fits = isService ? isDnsLabel(name) : isDnsName(name);
  return [
    ...(fits
      ? []
      : [
          preflightWords.badName(
            msg`the name of a ${kind}`,
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
        : [preflightWords.badName(msg("the key of a label"), key, labelText, undefined)]),
      ...(isLabelValue(value)
        ? []
        : [
            preflightWords.badName(
              msg`the value of the label "${key}"`,
              value,
              labelText,
              undefined,
            ),
          ]),
    ]),
    ...Object.keys(metadata.annotations ?? {})
      .filter((key) => !isLabelKey(key))
      .map((key) =>
        preflightWords.badName(msg("the key of an annotation"), key, labelText, undefined),
      ),
  ];
}

function checkPod(pod: Manifest): readonly PreflightFinding[] {
  const spec = manifestObject(pod, "spec");
  const names = (items: readonly unknown[]): readonly string[] =>
    items.flatMap((item) => {
      const object = typeof item === "object" ? item : undefined;
      return object !== null && object !== undefined && "name" in object
        ? [String(object.name)]
        : [];
    });
  const volumes = names(listAt(spec, "volumes").filter((item) => isJsonObject(item)));
  const containers = names([...containersOf(pod), ...containersOf(pod, "initContainers")]);
  const hostname = textAt(spec, "hostname")?.replace("…", drawn).slice(-maxLabelLength);
  const bad = (what: Message, name: string, key?: string): PreflightFinding =>
    preflightWords.badName(what, name, dnsLabel, key);
  return [
    ...volumes
      .filter((name) => !isDnsLabel(name))
      .map((name) => bad(msg("the name of a volume"), name)),
    ...volumes
      .filter((name, index) => volumes.indexOf(name) < index)
      .map((name) =>
        preflightWords.badName(
          msg("the name of two volumes"),
          name,
          msg("unique volume names in a pod"),
          undefined,
        ),
      ),
    ...containers
      .filter((name) => !isDnsLabel(name))
      .map((name) => bad(msg("the name of a container"), name)),
    ...(hostname === undefined || isDnsLabel(hostname.replace(/^-+/, ""))
      ? []
      : [bad(msg("a host name"), hostname, "spark.kubernetes.executor.podNamePrefix")]),
  ];
}
