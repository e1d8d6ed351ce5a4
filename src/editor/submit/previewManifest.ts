import { msg, type Message } from "../../base/message.ts";
import {
  carryOutRequests,
  dryRunRequest,
  type OperatorFailure,
} from "../../engine/lifecycle/operatorRequests.ts";
import type { Clock } from "../../engine/ports/clock.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import type { StoredObject } from "../../engine/ports/objects.ts";
import type { DecodedManifest } from "../../spark/operator/decodeManifests.ts";
import { planOperatorAction, type OperatorRequest } from "../../spark/operator/operatorPlan.ts";
import { printYaml } from "../../spark/printYaml.ts";
import { redactObject } from "../../spark/submit/preview/redactObject.ts";
import { isJsonObject, objectAt, textAt, type Json, type JsonObject } from "../../base/json.ts";
import {
  numberedMask,
  secretRule,
  defaultSecretPattern,
  type IsSecret,
  type Mask,
} from "../../spark/redact.ts";
import type { Log } from "../log.ts";
import type { WriteSent } from "../profiles/sentTexts.ts";
import type { Screen } from "../screen.ts";
import type { ChosenManifest } from "./manifestDocuments.ts";
import type { RunClusters } from "./prepareRun.ts";
import {
  nameOfManifest,
  operatorFailureWords,
  operatorRefusalWords,
  otherVersionWords,
} from "./manifestWords.ts";

export interface ManifestAsking {
  readonly clusters: Pick<RunClusters, "connect">;
  readonly clock: Clock;
  readonly log: Log;
}

type ManifestScreen = Pick<
  Screen,
  "translated" | "explainClusterError" | "showClusterError" | "showProblems"
>;

type ChangeScreen = ManifestScreen & Pick<Screen, "mayChange" | "showWarningMessage">;

/** The manifest as sent, and as the server would store it. */
export interface ManifestPreview {
  readonly sent: string;
  /** Undefined without a connection, or if the dry run failed; then `sent` starts with a comment about it. */
  readonly stored: string | undefined;
}

/** Previews a manifest with a dry run. Undefined if the manifest cannot be sent (an error was shown). */
export async function previewManifest(
  { decoded, context }: ChosenManifest,
  asking: ManifestAsking,
  screen: ManifestScreen,
  signal: AbortSignal,
): Promise<ManifestPreview | undefined> {
  const request = await requestFor(decoded, asking.log, screen);
  if (request === undefined) return undefined;
  const mask = numberedMask();
  const sent = textOf(request.manifest, mask);
  const connected = await asking.clusters.connect(context, signal);
  const comment = (words: string): string => `# ${words}\n${sent}`;
  if (!connected.ok) {
    await screen.showClusterError(
      msg("Cannot connect to the cluster"),
      connected.error,
      asking.log,
    );
    return {
      sent: comment(screen.translated(msg("Preview only; nothing was submitted."))),
      stored: undefined,
    };
  }
  const connection = connected.value;
  try {
    const ports = { objects: connection.objects, clock: asking.clock };
    const dryRun = await dryRunRequest(request, connection.namespace, ports, signal);
    if (dryRun.ok) return { sent, stored: textOf(withoutServerFields(dryRun.value), mask) };
    return {
      sent: comment(firstLine(screen.translated(refusedWords(dryRun.error, connection, screen)))),
      stored: undefined,
    };
  } finally {
    connection.dispose();
  }
}

/** Returns the manifest as text for comparison; undefined if it cannot be sent (an error was shown). */
export async function manifestText(
  chosen: Pick<ChosenManifest, "decoded">,
  log: Log,
  screen: Pick<Screen, "showProblems">,
  mask: Mask,
): Promise<string | undefined> {
  return (await manifestWriter(chosen, log, screen))?.(mask);
}

/** As `manifestText`, but returns a function that takes the mask. */
export async function manifestWriter(
  { decoded }: Pick<ChosenManifest, "decoded">,
  log: Log,
  screen: Pick<Screen, "showProblems">,
): Promise<WriteSent | undefined> {
  const request = await requestFor(decoded, log, screen);
  return request && ((mask) => textOf(request.manifest, mask));
}

/**
 * Suspends or resumes the object in the cluster, after a confirmation. Returns false if the request fails (an error was
 * shown) or the change is not confirmed or not allowed.
 */
export async function changeManifest(
  { decoded }: ChosenManifest,
  kind: "suspend" | "resume",
  asking: ManifestAsking,
  screen: ChangeScreen,
  signal: AbortSignal,
): Promise<boolean> {
  const name = nameOfManifest(decoded);
  const task = kind === "suspend" ? msg`Cannot suspend "${name}"` : msg`Cannot resume "${name}"`;
  const planned = planOperatorAction(decoded, { kind });
  if (!planned.ok || isOtherVersion(decoded)) {
    const { manifest, source } = decoded;
    const words = planned.ok
      ? otherVersionWords(source["apiVersion"], manifest.apiVersion)
      : operatorRefusalWords(planned.error);
    await screen.showProblems(task, [words], asking.log);
    return false;
  }
  const connected = await asking.clusters.connect(undefined, signal);
  if (!connected.ok) {
    await screen.showClusterError(task, connected.error, asking.log);
    return false;
  }
  const connection = connected.value;
  try {
    const { objects, context, namespace } = connection;
    const action = kind === "suspend" ? msg`Suspend "${name}"` : msg`Resume "${name}"`;
    const ask = (): Promise<boolean> => confirmChange(decoded, kind, connection, screen);
    if (!(await screen.mayChange(connection, action, ask))) return false;
    const ports = { objects, clock: asking.clock };
    const result = await carryOutRequests(planned.value, namespace, ports, signal);
    if (!result.ok)
      await screen.showProblems(
        task,
        [operatorFailureWords(result.error, context, screen)],
        asking.log,
      );
    return result.ok;
  } finally {
    connection.dispose();
  }
}

async function confirmChange(
  decoded: DecodedManifest,
  kind: "suspend" | "resume",
  { context, namespace }: Connection,
  screen: ChangeScreen,
): Promise<boolean> {
  const name = nameOfManifest(decoded);
  const place = decoded.manifest.metadata.namespace ?? namespace;
  const question =
    kind === "suspend"
      ? msg`Suspend "${name}" in namespace "${place}" of "${context}"?`
      : msg`Resume "${name}" in namespace "${place}" of "${context}"?`;
  const button = kind === "suspend" ? msg("Suspend") : msg("Resume");
  const detail = consequenceOf(decoded.manifest.kind, kind);
  const chosen = await screen.showWarningMessage(question, { modal: true, detail }, button);
  return chosen === button;
}

function consequenceOf(manifestKind: string, kind: "suspend" | "resume"): Message {
  if (manifestKind === "ScheduledSparkApplication") {
    return kind === "suspend"
      ? msg("The operator starts no runs until it is resumed.")
      : msg("The operator starts runs on schedule again.");
  }
  return kind === "suspend"
    ? msg(
        "The operator deletes the driver and the executors, and keeps the custom resource. Unsaved output will be lost. Resume restarts the application from the beginning.",
      )
    : msg("The operator restarts the application from the beginning.");
}

async function requestFor(
  decoded: DecodedManifest,
  log: Log,
  screen: Pick<Screen, "showProblems">,
): Promise<(OperatorRequest & { readonly verb: "create" }) | undefined> {
  const planned = planOperatorAction(decoded, { kind: "submit" });
  const [request] = planned.ok ? planned.value : [];
  if (request?.verb === "create" && !isOtherVersion(decoded)) return request;
  const words = planned.ok
    ? otherVersionWords(decoded.source["apiVersion"], decoded.manifest.apiVersion)
    : operatorRefusalWords(planned.error);
  await screen.showProblems(msg("Cannot submit the manifest"), [words], log);
  return undefined;
}

/** True if the manifest names another API version than the supported one. */
export const isOtherVersion = ({ manifest, source }: DecodedManifest): boolean =>
  source["apiVersion"] !== manifest.apiVersion;

function refusedWords(
  failure: OperatorFailure,
  { context }: Connection,
  screen: ManifestScreen,
): Message {
  const words = operatorFailureWords(failure, context, screen);
  return failure.kind === "alreadyThere"
    ? words
    : msg`Preview only; the cluster would reject this: ${words}`;
}

// Prints the object as YAML with its secrets redacted. Sorts the members, so that a comparison shows no difference in
// order.
function textOf(json: unknown, mask: Mask): string {
  const whole = sorted(json as Json);
  const value = isJsonObject(whole)
    ? redactObject(whole, { isSecret: ruleOf(whole), mask })
    : whole;
  const { apiVersion = "", kind = "", metadata = {}, ...rest } = isJsonObject(value) ? value : {};
  return printYaml({ apiVersion, kind, metadata, ...rest });
}

function ruleOf(manifest: JsonObject): IsSecret {
  const conf = objectAt(objectAt(manifest, "spec"), "sparkConf");
  return secretRule(textAt(conf, "spark.redaction.regex"), defaultSecretPattern);
}

function sorted(json: Json): Json {
  if (!isJsonObject(json)) return Array.isArray(json) ? json.map(sorted) : json;
  const keys = Object.keys(json).sort();
  return Object.fromEntries(keys.map((key) => [key, sorted(json[key] ?? null)]));
}

/** Metadata that the server sets. */
const serverFields = [
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "managedFields",
  "selfLink",
];

function withoutServerFields({ body }: StoredObject): JsonObject {
  const object: JsonObject = isJsonObject(body as Json) ? (body as JsonObject) : {};
  const metadata = Object.entries(objectAt(object, "metadata")).filter(
    ([field]) => !serverFields.includes(field),
  );
  return { ...object, metadata: Object.fromEntries(metadata) };
}

const firstLine = (words: string): string => words.replace(/\s+/g, " ");
