import { l10n } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import type { Result } from "../../base/result.ts";
import type { Span } from "../../base/span.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import {
  carryOutRequests,
  dryRunRequest,
  type OperatorFailure,
} from "../../engine/operatorRequests.ts";
import type { Clock, Connection, StoredObject } from "../../engine/ports.ts";
import { decodeManifests, type DecodedManifest } from "../../spark/operator/decodeManifests.ts";
import { placeOfField, remarksOf } from "../../spark/operator/fieldPlaces.ts";
import { planOperatorAction, type OperatorRequest } from "../../spark/operator/operatorPlan.ts";
import { printYaml } from "../../spark/operator/printYaml.ts";
import { isJsonObject, objectAt } from "../../spark/submit/json.ts";
import type { Json, JsonObject } from "../../spark/submit/manifest.ts";
import { mayChange } from "../guard.ts";
import type { Log } from "../log.ts";
import { showClusterError, showProblems } from "../showError.ts";
import { nameOfManifest, type ChosenManifest } from "./manifestDocuments.ts";
import { operatorFailureWords, operatorRefusalWords, otherVersionWords } from "./manifestWords.ts";

export interface ManifestAsking {
  readonly connect: (
    context: string | undefined,
    signal: AbortSignal,
  ) => Promise<Result<Connection, ClusterError>>;
  readonly clock: Clock;
  readonly log: Log;
}

/** What would be sent, and what the server would make of it. */
export interface ManifestPreview {
  readonly sent: string;
  /** Undefined where the server was not asked or refused; why is told at the top of `sent`. */
  readonly stored: string | undefined;
}

/** Something about a manifest, at its place in the document. */
export interface ManifestRemark {
  readonly span: Span;
  readonly severity: "error" | "warning" | "information";
  readonly message: string;
  readonly code: string;
}

/** Undefined if it cannot be sent; why has been said. */
export async function previewManifest(
  { decoded, context }: ChosenManifest,
  asking: ManifestAsking,
  signal: AbortSignal,
): Promise<ManifestPreview | undefined> {
  const request = await requestFor(decoded, asking.log);
  if (request === undefined) return undefined;
  const sent = textOf(request.manifest);
  const connected = await asking.connect(context, signal);
  const comment = (words: string): string => `# ${words}\n${sent}`;
  if (!connected.ok) {
    await showClusterError(l10n.t("The cluster was not asked"), connected.error, asking.log);
    return { sent: comment(l10n.t("Nothing of this has been sent.")), stored: undefined };
  }
  const connection = connected.value;
  try {
    const ports = { objects: connection.objects, clock: asking.clock };
    const dryRun = await dryRunRequest(request, connection.namespace, ports, signal);
    if (dryRun.ok) return { sent, stored: textOf(withoutServerFields(dryRun.value)) };
    return { sent: comment(firstLine(refusedWords(dryRun.error, connection))), stored: undefined };
  } finally {
    connection.dispose();
  }
}

/** What would be sent, as text to set beside what was sent before; undefined if it cannot be, which was said. */
export async function manifestText(
  { decoded }: Pick<ChosenManifest, "decoded">,
  log: Log,
): Promise<string | undefined> {
  const request = await requestFor(decoded, log);
  return request && textOf(request.manifest);
}

/** What is wrong with a manifest, by our own knowledge and by a dry run; undefined if there is no cluster. */
export async function checkManifest(
  { document, decoded, context }: ChosenManifest,
  asking: ManifestAsking,
  signal: AbortSignal,
): Promise<readonly ManifestRemark[] | undefined> {
  const text = document.getText();
  const own = decodeManifests(text).findings.filter(({ span }) => isWithin(span, decoded.span));
  const remarks = own.map(({ span, severity, message, code }): ManifestRemark => ({
    span,
    severity,
    message,
    code,
  }));
  const planned = planOperatorAction(decoded, { kind: "submit" });
  const [request] = planned.ok ? planned.value : [];
  if (request?.verb !== "create" || isOtherVersion(decoded)) return remarks;
  const connected = await asking.connect(context, signal);
  if (!connected.ok) {
    await showClusterError(l10n.t("The cluster was not asked"), connected.error, asking.log);
    return remarks.length === 0 ? undefined : remarks;
  }
  const connection = connected.value;
  try {
    const ports = { objects: connection.objects, clock: asking.clock };
    const dryRun = await dryRunRequest(request, connection.namespace, ports, signal);
    if (dryRun.ok) return remarks;
    const said = remarksOfFailure(dryRun.error, text, decoded, connection.context);
    const known = new Set(own.map(({ span }) => span.start));
    return [
      ...remarks,
      ...said.filter(({ span, code }) => code !== "server" || !known.has(span.start)),
    ];
  } finally {
    connection.dispose();
  }
}

/** Suspends or resumes what is in the cluster; true if it was done. Why not has been said. */
export async function changeManifest(
  { decoded }: ChosenManifest,
  kind: "suspend" | "resume",
  asking: ManifestAsking,
  signal: AbortSignal,
): Promise<boolean> {
  const name = nameOfManifest(decoded);
  const task =
    kind === "suspend"
      ? l10n.t('"{0}" was not suspended', name)
      : l10n.t('"{0}" was not resumed', name);
  const planned = planOperatorAction(decoded, { kind });
  if (!planned.ok || isOtherVersion(decoded)) {
    const { manifest, source } = decoded;
    const words = planned.ok
      ? otherVersionWords(source["apiVersion"], manifest.apiVersion)
      : operatorRefusalWords(planned.error);
    await showProblems(task, [words], asking.log);
    return false;
  }
  const connected = await asking.connect(undefined, signal);
  if (!connected.ok) {
    await showClusterError(task, connected.error, asking.log);
    return false;
  }
  const connection = connected.value;
  try {
    const { objects, context, namespace } = connection;
    const action =
      kind === "suspend" ? l10n.t('Suspend "{0}"', name) : l10n.t('Resume "{0}"', name);
    if (!(await mayChange(context, action))) return false;
    const ports = { objects, clock: asking.clock };
    const result = await carryOutRequests(planned.value, namespace, ports, signal);
    if (!result.ok)
      await showProblems(task, [operatorFailureWords(result.error, context)], asking.log);
    return result.ok;
  } finally {
    connection.dispose();
  }
}

async function requestFor(
  decoded: DecodedManifest,
  log: Log,
): Promise<(OperatorRequest & { readonly verb: "create" }) | undefined> {
  const planned = planOperatorAction(decoded, { kind: "submit" });
  const [request] = planned.ok ? planned.value : [];
  if (request?.verb === "create" && !isOtherVersion(decoded)) return request;
  const words = planned.ok
    ? otherVersionWords(decoded.source["apiVersion"], decoded.manifest.apiVersion)
    : operatorRefusalWords(planned.error);
  await showProblems(l10n.t("The manifest cannot be sent"), [words], log);
  return undefined;
}

const isOtherVersion = ({ manifest, source }: DecodedManifest): boolean =>
  source["apiVersion"] !== manifest.apiVersion;

function remarksOfFailure(
  failure: OperatorFailure,
  text: string,
  { span }: DecodedManifest,
  context: string,
): readonly ManifestRemark[] {
  const at = (
    path: string,
    severity: ManifestRemark["severity"],
    message: string,
    code: string,
  ) => ({
    span: placeOfField(text, span, path),
    severity,
    message,
    code,
  });
  switch (failure.kind) {
    case "alreadyThere":
    case "replaced":
      return [at("metadata.name", "information", operatorFailureWords(failure, context), "there")];
    case "noApi":
      return [at("apiVersion", "error", operatorFailureWords(failure, context), "no-api")];
    case "absent":
    case "stillThere":
      return [at("", "error", operatorFailureWords(failure, context), "refused")];
    case "refused": {
      const { error } = failure;
      if (error.kind !== "invalid") {
        return [at("", "error", operatorFailureWords(failure, context), "refused")];
      }
      return remarksOf(error.detail, error.causes).map(({ path, message }) =>
        at(path, "error", l10n.t("The cluster refuses this: {0}", message), "server"),
      );
    }
    default:
      return assertNever(failure);
  }
}

function refusedWords(failure: OperatorFailure, { context }: Connection): string {
  const words = operatorFailureWords(failure, context);
  return failure.kind === "alreadyThere"
    ? words
    : l10n.t("Nothing of this has been sent, and it would be refused: {0}", words);
}

// Sorted, so that the two sides of a comparison differ in what they say and not in its order.
function textOf(json: unknown): string {
  const value = sorted(json as Json);
  const { apiVersion = "", kind = "", metadata = {}, ...rest } = isJsonObject(value) ? value : {};
  return printYaml({ apiVersion, kind, metadata, ...rest });
}

function sorted(json: Json): Json {
  if (!isJsonObject(json)) return Array.isArray(json) ? json.map(sorted) : json;
  const keys = Object.keys(json).sort();
  return Object.fromEntries(keys.map((key) => [key, sorted(json[key] ?? null)]));
}

/** Fields that only a server can fill in and that say nothing about the application. */
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

const isWithin = (inner: Span, outer: Span): boolean =>
  inner.start >= outer.start && inner.start <= outer.end;

const firstLine = (words: string): string => words.replace(/\s+/g, " ");
