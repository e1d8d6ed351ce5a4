import { translated } from "../ui/translated.ts";
import { l10n } from "vscode";
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
import { mayChange } from "../guard.ts";
import { window } from "../ui/window.ts";
import type { Log } from "../log.ts";
import type { WriteSent } from "../profiles/sentTexts.ts";
import { explainClusterError, showClusterError, showProblems } from "../showError.ts";
import { nameOfManifest, type ChosenManifest } from "./manifestDocuments.ts";
import type { RunClusters } from "./prepareRun.ts";
import { operatorFailureWords, operatorRefusalWords, otherVersionWords } from "./manifestWords.ts";

export interface ManifestAsking {
  readonly clusters: Pick<RunClusters, "connect">;
  readonly clock: Clock;
  readonly log: Log;
}

/** The manifest as sent, and as the server would store it. */
export interface ManifestPreview {
  readonly sent: string;
  /** Undefined if the dry run failed; a comment in `sent` has the reason. */
  readonly stored: string | undefined;
}

/** Undefined if the manifest cannot be sent (an error was shown). */
export async function previewManifest(
  { decoded, context }: ChosenManifest,
  asking: ManifestAsking,
  signal: AbortSignal,
): Promise<ManifestPreview | undefined> {
  const request = await requestFor(decoded, asking.log);
  if (request === undefined) return undefined;
  const mask = numberedMask();
  const sent = textOf(request.manifest, mask);
  const connected = await asking.clusters.connect(context, signal);
  const comment = (words: string): string => `# ${words}\n${sent}`;
  if (!connected.ok) {
    await showClusterError(l10n.t("Cannot connect to the cluster"), connected.error, asking.log);
    return { sent: comment(l10n.t("Preview only; nothing was submitted.")), stored: undefined };
  }
  const connection = connected.value;
  try {
    const ports = { objects: connection.objects, clock: asking.clock };
    const dryRun = await dryRunRequest(request, connection.namespace, ports, signal);
    if (dryRun.ok) return { sent, stored: textOf(withoutServerFields(dryRun.value), mask) };
    return { sent: comment(firstLine(refusedWords(dryRun.error, connection))), stored: undefined };
  } finally {
    connection.dispose();
  }
}

/** The manifest as text for comparison; undefined if it cannot be sent (an error was shown). */
export async function manifestText(
  chosen: Pick<ChosenManifest, "decoded">,
  log: Log,
  mask: Mask,
): Promise<string | undefined> {
  return (await manifestWriter(chosen, log))?.(mask);
}

/** As `manifestText`, for any mask. */
export async function manifestWriter(
  { decoded }: Pick<ChosenManifest, "decoded">,
  log: Log,
): Promise<WriteSent | undefined> {
  const request = await requestFor(decoded, log);
  return request && ((mask) => textOf(request.manifest, mask));
}

/** Suspends or resumes the object in the cluster. Returns false after a failure (shown) or a refusal. */
export async function changeManifest(
  { decoded }: ChosenManifest,
  kind: "suspend" | "resume",
  asking: ManifestAsking,
  signal: AbortSignal,
): Promise<boolean> {
  const name = nameOfManifest(decoded);
  const task =
    kind === "suspend" ? l10n.t('Cannot suspend "{0}"', name) : l10n.t('Cannot resume "{0}"', name);
  const planned = planOperatorAction(decoded, { kind });
  if (!planned.ok || isOtherVersion(decoded)) {
    const { manifest, source } = decoded;
    const words = planned.ok
      ? translated(otherVersionWords(source["apiVersion"], manifest.apiVersion))
      : translated(operatorRefusalWords(planned.error));
    await showProblems(task, [words], asking.log);
    return false;
  }
  const connected = await asking.clusters.connect(undefined, signal);
  if (!connected.ok) {
    await showClusterError(task, connected.error, asking.log);
    return false;
  }
  const connection = connected.value;
  try {
    const { objects, context, namespace } = connection;
    const action =
      kind === "suspend" ? l10n.t('Suspend "{0}"', name) : l10n.t('Resume "{0}"', name);
    const ask = (): Promise<boolean> => confirmChange(decoded, kind, connection);
    if (!(await mayChange(connection, action, ask))) return false;
    const ports = { objects, clock: asking.clock };
    const result = await carryOutRequests(planned.value, namespace, ports, signal);
    if (!result.ok)
      await showProblems(
        task,
        [translated(operatorFailureWords(result.error, context, { explainClusterError }))],
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
): Promise<boolean> {
  const name = nameOfManifest(decoded);
  const place = decoded.manifest.metadata.namespace ?? namespace;
  const question =
    kind === "suspend"
      ? l10n.t('Suspend "{0}" in namespace "{1}" of "{2}"?', name, place, context)
      : l10n.t('Resume "{0}" in namespace "{1}" of "{2}"?', name, place, context);
  const button = kind === "suspend" ? l10n.t("Suspend") : l10n.t("Resume");
  const detail = consequenceOf(decoded.manifest.kind, kind);
  const chosen = await window.showWarningMessage(question, { modal: true, detail }, button);
  return chosen === button;
}

function consequenceOf(manifestKind: string, kind: "suspend" | "resume"): string {
  if (manifestKind === "ScheduledSparkApplication") {
    return kind === "suspend"
      ? l10n.t("The operator starts no runs until it is resumed.")
      : l10n.t("The operator starts runs on schedule again.");
  }
  return kind === "suspend"
    ? l10n.t(
        "The operator deletes the driver and the executors, and keeps the custom resource. Unsaved output will be lost. Resume restarts the application from the beginning.",
      )
    : l10n.t("The operator restarts the application from the beginning.");
}

async function requestFor(
  decoded: DecodedManifest,
  log: Log,
): Promise<(OperatorRequest & { readonly verb: "create" }) | undefined> {
  const planned = planOperatorAction(decoded, { kind: "submit" });
  const [request] = planned.ok ? planned.value : [];
  if (request?.verb === "create" && !isOtherVersion(decoded)) return request;
  const words = planned.ok
    ? translated(otherVersionWords(decoded.source["apiVersion"], decoded.manifest.apiVersion))
    : translated(operatorRefusalWords(planned.error));
  await showProblems(l10n.t("Cannot submit the manifest"), [words], log);
  return undefined;
}

/** True for another version of the operator's API. */
export const isOtherVersion = ({ manifest, source }: DecodedManifest): boolean =>
  source["apiVersion"] !== manifest.apiVersion;

function refusedWords(failure: OperatorFailure, { context }: Connection): string {
  const words = translated(operatorFailureWords(failure, context, { explainClusterError }));
  return failure.kind === "alreadyThere"
    ? words
    : l10n.t("Preview only; the cluster would reject this: {0}", words);
}

// Sorts the members, so that a comparison shows no difference in order.
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
