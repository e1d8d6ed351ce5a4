import type { Patient, Rule, Words } from "./diagnosis.ts";
import { notice, problemOf, says, words } from "./rule.ts";

const pulls: readonly string[] = ["ErrImagePull", "ImagePullBackOff"];

/** Images that do not come. */
export const imageRules: readonly Rule[] = [
  pullFailure("D58", ["no match for platform"], "has no build for its node's processor", {
    what: "The image has no build for the processor of the node.",
    change: "Build the image for this processor too, or choose nodes with a selector.",
    keys: ["spark.kubernetes.node.selector.kubernetes.io/arch"],
  }),
  pullFailure("D56", ["toomanyrequests", "too many requests"], "is rate-limited by its registry", {
    what: "The registry gives no more images to this address for now.",
    change: "Pull with an account, or from a mirror.",
    keys: ["spark.kubernetes.container.image.pullSecrets"],
  }),
  pullFailure(
    "D57",
    ["i/o timeout", "no such host", "x509", "connection refused", "deadline exceeded", "dial tcp"],
    "cannot be pulled: its registry is not reached",
    {
      what: "The node does not reach the registry, or does not trust its certificate.",
      change: "Check the registry's name in the image, the node's network and its certificates.",
      keys: ["spark.kubernetes.container.image"],
    },
  ),
  pullFailure("D54", ["not found", "manifest unknown", "does not exist"], "does not exist", {
    what: "The registry has no image of this name and tag.",
    change: "Correct the image's name and tag.",
    keys: ["spark.kubernetes.container.image"],
  }),
  pullFailure(
    "D55",
    ["unauthorized", "denied", "401", "403", "authorization failed", "insufficient_scope"],
    "may not be pulled",
    {
      what: "The registry refuses the image to this cluster; some registries say so of images that do not exist, too.",
      change: "Name a pull secret that is in the same namespace, and check the image's name.",
      keys: ["spark.kubernetes.container.image.pullSecrets"],
    },
  ),
  pullFailure("D107", [""], "cannot be pulled", {
    what: "The node cannot pull the image.",
    change: "Check the image's name and tag, and whether the node reaches its registry.",
    keys: ["spark.kubernetes.container.image"],
  }),
  refusedImage("D59", ["ErrImageNeverPull"], "is not on the node and may not be pulled", {
    what: "The image is not on the node, and its pull policy is Never.",
    change: "Let it be pulled, or load it onto the node.",
    keys: ["spark.kubernetes.container.image.pullPolicy"],
  }),
  refusedImage("D60", ["InvalidImageName"], "is no valid name of an image", {
    what: "What is given as image cannot be the name of one.",
    change: "Correct it: no spaces, no capitals, no braces left to fill in.",
    keys: ["spark.kubernetes.container.image"],
  }),
  refusedImage(
    "D61",
    ["ImageInspectError", "RegistryUnavailable", "SignatureValidationFailed"],
    "is refused by its node",
    {
      what: "The node's container runtime or its image policy refuses the image.",
      change: "Look at the policy for images and at the node's runtime.",
      keys: ["spark.kubernetes.container.image"],
    },
  ),
];

type Sentences = Pick<Words, "what" | "change" | "keys">;

function pullFailure(
  id: string,
  fragments: readonly string[],
  verdict: string,
  sentences: Sentences,
): Rule {
  const find = (patient: Patient): Words | undefined => {
    const problem = problemOf(patient);
    if (problem === undefined || !pulls.includes(problem.reason)) return undefined;
    // While it waits for the next try the container tells less than the event of the last one.
    const failed = notice(patient, "Failed")?.message ?? "";
    const told = says(problem.message, "failed to pull", "rpc error") ? problem.message : failed;
    if (!says(`${problem.message}\n${failed}`, ...fragments)) return undefined;
    return words(
      `image "${problem.image}" ${verdict}`,
      sentences.what,
      sentences.change,
      keysFor(patient, sentences.keys),
      told === "" ? problem.message : told,
    );
  };
  return { id, needs: "the pod", find };
}

function refusedImage(
  id: string,
  reasons: readonly string[],
  verdict: string,
  { what, change, keys }: Sentences,
): Rule {
  const find = (patient: Patient): Words | undefined => {
    const problem = problemOf(patient);
    if (problem === undefined || !reasons.includes(problem.reason)) return undefined;
    return words(
      `image "${problem.image}" ${verdict}`,
      what,
      change,
      keysFor(patient, keys),
      problem.message,
    );
  };
  return { id, needs: "the pod", find };
}

// One image serves both roles unless a role has one of its own.
const keysFor = ({ role }: Patient, keys: readonly string[]): readonly string[] =>
  keys.flatMap((key) =>
    key === "spark.kubernetes.container.image"
      ? [key, `spark.kubernetes.${role}.container.image`]
      : [key],
  );
