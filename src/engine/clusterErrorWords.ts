import { deniedRequestIn } from "../spark/deniedRequest.ts";
import { assertNever } from "../base/assertNever.ts";
import { msg, sentences, verbatim, type Message } from "../base/message.ts";
import {
  isWithoutReason,
  lacksPermission,
  type ClusterError,
  type ConfigurationProblem,
} from "./clusterError.ts";
import { errorSentence } from "./errorSentence.ts";
import { defaultSecretRule } from "../spark/redact.ts";
import { redactLine } from "../spark/redactLine.ts";

type Forbidden = ClusterError & { readonly kind: "forbidden" };

/** An error in three parts: what failed, why, and what to do. `why` and `advice` are sentences. */
export interface ClusterErrorWords {
  readonly what: Message;
  readonly why: Message | undefined;
  readonly advice: Message | undefined;
}

/** Describes an error. Redacts the message of the server or the system. */
export function clusterErrorWords(error: ClusterError): ClusterErrorWords {
  const words =
    error.kind === "forbidden" && lacksPermission(error)
      ? denialWords(error)
      : { what: whatFailed(error), why: sentenceOf(error.detail) };
  return { ...words, advice: adviceFor(error) };
}

function whatFailed(error: ClusterError): Message {
  switch (error.kind) {
    case "unreachable":
      return error.server === undefined
        ? msg("the cluster did not respond")
        : msg`the cluster at ${error.server} did not respond`;
    case "unauthorized":
      return msg`the cluster at ${error.server} rejected the credentials`;
    case "forbidden":
    case "invalid":
      return msg("the cluster rejected the request");
    case "notFound":
      return msg`the API server found no ${error.resource} named "${error.name}"`;
    case "conflict":
      return msg`the state of ${error.resource} "${error.name}" is not as expected`;
    case "protected":
      return msg`a PodDisruptionBudget prevents the eviction of ${error.resource} "${error.name}"`;
    case "expired":
      return msg("the requested resource version has expired");
    case "throttled":
      return msg("too many requests");
    case "badResponse":
      return error.status === undefined
        ? msg("the cluster's response is invalid")
        : msg`the cluster responded with status ${error.status}`;
    case "configuration":
      return configurationWords(error.problem);
    default:
      return assertNever(error);
  }
}

/** Returns the message for a missing permission. Omits the part of the server's message that would be repeated. */
function denialWords(error: Forbidden): Pick<ClusterErrorWords, "what" | "why"> {
  const { verb, resource, namespace, detail } = error;
  const denied = deniedRequestIn(detail);
  const isSame =
    denied?.verb === verb &&
    denied.resource === resource &&
    // Not every message names the namespace.
    (denied.namespace ?? namespace) === namespace;
  if (!isSame) {
    const what = msg`you do not have permission to ${verbWords(error)} ${resource} in ${placeOf(namespace)}`;
    return { what, why: isWithoutReason(detail) ? undefined : sentenceOf(detail) };
  }
  const name = redactLine(denied.user, defaultSecretRule);
  return {
    what: msg`user "${name}" does not have permission to ${verbWords(error)} ${resource} in ${placeOf(namespace)}`,
    why: sentenceOf(denied.reason),
  };
}

function adviceFor(error: ClusterError): Message | undefined {
  switch (error.kind) {
    case "unreachable":
      return error.requestSent
        ? msg("The request may have been processed. Check the applications before you retry.")
        : msg("Check the network or VPN, then reconnect.");
    case "unauthorized":
      return msg("Sign in again the way you do for kubectl, then reconnect.");
    case "forbidden":
      return lacksPermission(error)
        ? msg`Ask for the permission, and check it with "${canI(error)}".`
        : undefined;
    case "conflict":
      return msg("It may have been replaced or created by another user. Check it, then try again.");
    case "protected":
      return msg("Try again when the pods of the budget are ready.");
    case "invalid":
      return sentences(
        error.causes.map(({ field, message }) => verbatim(`${field}: ${errorSentence(message)}`)),
      );
    case "expired":
      return msg("Try again.");
    case "throttled":
      return msg("Try again in a moment.");
    case "notFound":
    case "badResponse":
    case "configuration":
      return undefined;
    default:
      return assertNever(error);
  }
}

function configurationWords(problem: ConfigurationProblem): Message {
  switch (problem) {
    case "noKubeconfig":
      return msg("no kubeconfig was found");
    case "invalidKubeconfig":
      return msg("the kubeconfig cannot be read");
    case "noContext":
      return msg("the kubeconfig has no such context");
    case "unsupported":
      return msg("the kubeconfig uses an unsupported feature");
    case "credentials":
      return msg("the credentials for the cluster cannot be obtained");
    case "declined":
      return msg("nothing was sent");
    default:
      return assertNever(problem);
  }
}

function sentenceOf(detail: string): Message | undefined {
  const sentence = errorSentence(detail);
  return sentence === "" ? undefined : verbatim(sentence);
}

const placeOf = (namespace: string | undefined): Message =>
  namespace === undefined ? msg("all namespaces") : msg`namespace "${namespace}"`;

/** Returns the `kubectl auth can-i` command for the permission that the error names; undefined for any other error. */
export const permissionCheckOf = (error: ClusterError): string | undefined =>
  error.kind === "forbidden" && lacksPermission(error) ? canI(error) : undefined;

/** Returns the `kubectl auth can-i` command for a permission. It checks all namespaces if `namespace` is undefined. */
export function canI({
  verb,
  resource,
  namespace,
}: Pick<Forbidden, "verb" | "resource" | "namespace">): string {
  // `kubectl auth can-i get pods/log` would check access to a pod with the name "log".
  const [whole = "", part] = resource.split("/");
  const subresource = part === undefined ? [] : [`--subresource=${part}`];
  const scope = namespace === undefined ? ["--all-namespaces"] : ["-n", namespace];
  const asked = channels.has(resource) ? "create" : verb;
  return ["kubectl", "auth", "can-i", asked, whole, ...subresource, ...scope].join(" ");
}

/**
 * Subresources that use a WebSocket. The handshake is a GET request, so API servers require the verb "get"; newer ones
 * also require "create".
 */
const channels: ReadonlySet<string> = new Set(["pods/attach", "pods/exec", "pods/portforward"]);

const verbWords = ({ verb, resource }: Forbidden): Message | string =>
  channels.has(resource) ? msg("get and create") : verb;
