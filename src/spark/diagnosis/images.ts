import { msg, type Message } from "../../base/message.ts";
import { pullReasons } from "../pods/displayState.ts";
import { sparkContainerOf } from "../pods/sparkContainer.ts";
import type { DiagnosedPod, DiagnosisRule, DiagnosisText } from "./diagnosis.ts";
import { eventWith, problemOf, includesAny, words } from "./rule.ts";

/** Rules for images that cannot be pulled. */
export const imageDiagnoses: readonly DiagnosisRule[] = [
  pullFailure("D58", ["no match for platform"], msg("image for another CPU architecture"), {
    what: msg("The image has no manifest for the CPU architecture of the node."),
    change: msg("Build the image for the node's architecture, or select other nodes."),
    keys: ["spark.kubernetes.node.selector.kubernetes.io/arch"],
  }),
  pullFailure("D56", ["toomanyrequests", "too many requests"], msg("image pull rate-limited"), {
    what: msg("The registry temporarily rejects pulls from this address."),
    change: msg("Pull with credentials, or from a mirror."),
    keys: ["spark.kubernetes.container.image.pullSecrets"],
  }),
  pullFailure("D57", ["x509"], msg("registry certificate not trusted"), {
    what: msg("The node does not trust the certificate of the registry."),
    change: msg("Install the certificate authority of the registry on the node."),
    keys: ["spark.kubernetes.container.image"],
  }),
  pullFailure("D57", ["no such host"], msg("registry not found"), {
    what: msg("The node cannot resolve the name of the registry."),
    change: msg("Correct the registry in the name of the image, or the DNS of the node."),
    keys: ["spark.kubernetes.container.image"],
  }),
  pullFailure(
    "D57",
    ["i/o timeout", "connection refused", "deadline exceeded", "dial tcp"],
    msg("registry unreachable"),
    {
      what: msg("The node cannot connect to the registry."),
      change: msg("Check the registry in the name of the image, and the network of the node."),
      keys: ["spark.kubernetes.container.image"],
    },
  ),
  pullFailure("D54", ["not found", "manifest unknown", "does not exist"], msg("image not found"), {
    what: msg("The registry has no image with this name and tag."),
    change: msg("Correct the name and tag of the image."),
    keys: ["spark.kubernetes.container.image"],
  }),
  pullFailure(
    "D55",
    ["unauthorized", "denied", "401", "403", "authorization failed", "insufficient_scope"],
    msg("image access denied"),
    {
      what: msg(
        "The registry denies access to the image. Some registries also do this for images that do not exist.",
      ),
      change: msg("Set a pull secret in the same namespace, and check the name of the image."),
      keys: ["spark.kubernetes.container.image.pullSecrets"],
    },
  ),
  pullFailure("D107", [""], msg("cannot pull image"), {
    what: msg("The node cannot pull the image."),
    change: msg(
      "Check the name and tag of the image, and whether the node can reach the registry.",
    ),
    keys: ["spark.kubernetes.container.image"],
  }),
  refusedImage("D59", ["ErrImageNeverPull"], msg("image not on the node"), {
    what: msg("With the pull policy Never, the image must already be on the node."),
    change: msg("Change the pull policy, or load the image onto the node."),
    keys: ["spark.kubernetes.container.image.pullPolicy"],
  }),
  refusedImage("D60", ["InvalidImageName"], msg("invalid image name"), {
    what: msg("The image name is invalid."),
    change: msg("Correct the name: no spaces, no capital letters, no unresolved placeholders."),
    keys: ["spark.kubernetes.container.image"],
  }),
  refusedImage(
    "D61",
    ["ImageInspectError", "RegistryUnavailable", "SignatureValidationFailed"],
    msg("image rejected by its node"),
    {
      what: msg("The node's container runtime or image policy rejects the image."),
      change: msg("Check the image policy and the container runtime of the node."),
      keys: ["spark.kubernetes.container.image"],
    },
  ),
];

interface Sentences {
  readonly what: Message;
  readonly change: Message;
  readonly keys: readonly string[];
}

function pullFailure(
  id: string,
  fragments: readonly string[],
  verdict: Message,
  sentences: Sentences,
): DiagnosisRule {
  const find = (diagnosed: DiagnosedPod): DiagnosisText | undefined => {
    const problem = problemOf(diagnosed);
    if (problem === undefined || !pullReasons.includes(problem.reason)) return undefined;
    // During back-off, the event of the last pull is more detailed than the container status.
    const failed = eventWith(diagnosed, "Failed")?.message ?? "";
    const told = includesAny(problem.message, "failed to pull", "rpc error")
      ? problem.message
      : failed;
    if (!includesAny(`${problem.message}\n${failed}`, ...fragments)) return undefined;
    return words(
      msg`${verdict}: ${shortImage(problem.image)}`,
      msg`${sentences.what} ${imageSentence(problem.image)}`,
      sentences.change,
      keysFor(diagnosed, problem.container, sentences.keys),
      told === "" ? problem.message : told,
    );
  };
  return { id, needs: "the pod", find };
}

function refusedImage(
  id: string,
  reasons: readonly string[],
  verdict: Message,
  { what, change, keys }: Sentences,
): DiagnosisRule {
  const find = (diagnosed: DiagnosedPod): DiagnosisText | undefined => {
    const problem = problemOf(diagnosed);
    if (problem === undefined || !reasons.includes(problem.reason)) return undefined;
    return words(
      msg`${verdict}: ${shortImage(problem.image)}`,
      msg`${what} Image: "${problem.image}".`,
      change,
      keysFor(diagnosed, problem.container, keys),
      problem.message,
    );
  };
  return { id, needs: "the pod", find };
}

const imageSentence = (image: string): Message =>
  namesRegistry(image)
    ? msg`Image: "${image}".`
    : msg`Image: "${image}". The name contains no registry, so the node uses its default (usually docker.io).`;

/** True if the image name begins with a registry host, which is the part before the first slash. */
function namesRegistry(image: string): boolean {
  const [host = "", ...path] = image.split("/");
  return path.length > 0 && (host === "localhost" || /[.:]/.test(host));
}

/** Returns the image's name and tag without registry and path: `spark:4.3.0`. A row has little room. */
export function shortImage(image: string): string {
  const name = image.split("/").at(-1) ?? image;
  return name.replace(/@sha256:([\da-f]{7})[\da-f]*$/, "@$1");
}

/**
 * Returns the conf keys for an image problem. For a container other than Spark's, returns the key of the pod template,
 * which alone sets its image.
 */
function keysFor(
  { role, pod }: DiagnosedPod,
  container: string,
  keys: readonly string[],
): readonly string[] {
  const image = "spark.kubernetes.container.image";
  if (container !== sparkContainerOf(pod)?.name) {
    const pullSecrets = keys.filter((key) => key === `${image}.pullSecrets`);
    return [...pullSecrets, `spark.kubernetes.${role}.podTemplateFile`];
  }
  return keys.flatMap((key) =>
    key === image ? [key, `spark.kubernetes.${role}.container.image`] : [key],
  );
}
