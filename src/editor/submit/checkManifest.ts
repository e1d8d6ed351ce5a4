import { msg } from "../../base/message.ts";
import { translated } from "../ui/translated.ts";
import { l10n } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import type { Span } from "../../base/span.ts";
import { dryRunRequest, type OperatorFailure } from "../../engine/lifecycle/operatorRequests.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import { preflightOf } from "../../engine/submit/preflight.ts";
import { decodeManifests } from "../../spark/operator/decodeManifests.ts";
import { placeOfField, remarksOf } from "../../spark/operator/fieldPlaces.ts";
import type { ManifestFinding } from "../../spark/operator/manifestFinding.ts";
import { planOperatorAction } from "../../spark/operator/operatorPlan.ts";
import { operatorRights, plannedByOperator } from "../../spark/operator/plannedByOperator.ts";
import { requestOfManifest } from "../../spark/operator/requestOfManifest.ts";
import { defaultSecretRule } from "../../spark/redact.ts";
import { redactLine } from "../../spark/redactLine.ts";
import {
  preflightWords,
  type PreflightFinding,
} from "../../spark/submit/preflight/preflightFinding.ts";
import { placeOfKey } from "../../spark/surfaces/placeOfKey.ts";
import { explainClusterError, showClusterError } from "../showError.ts";
import { checkDocument, findingText, messageOfFinding, severityWord } from "./checkWords.ts";
import { nameOfManifest, type ChosenManifest } from "./manifestDocuments.ts";
import { operatorFailureWords, operatorRefusalWords, otherVersionWords } from "./manifestWords.ts";
import { isOtherVersion, type ManifestAsking } from "./tellManifest.ts";

/** A finding in a manifest's document. */
export interface ManifestRemark {
  readonly span: Span;
  readonly severity: "error" | "warning" | "unknown" | "information";
  readonly message: string;
  readonly code: string;
  /** The Role that grants what is missing. */
  readonly role?: string | undefined;
}

export interface CheckedManifest {
  /** The document of the check. */
  readonly text: string;
  /** In the order of the document; the first error is the first to fix. */
  readonly remarks: readonly ManifestRemark[];
}

/**
 * Checks the manifest's fields, then what a run profile's check looks at in the cluster, then a dry run of the custom
 * resource. Undefined without a cluster (shown).
 */
export async function checkManifest(
  chosen: ChosenManifest,
  asking: ManifestAsking,
  signal: AbortSignal,
): Promise<CheckedManifest | undefined> {
  const { document, decoded, context } = chosen;
  const connected = await asking.clusters.connect(context, signal);
  if (!connected.ok) {
    await showClusterError(l10n.t("Cannot connect to the cluster"), connected.error, asking.log);
    return undefined;
  }
  const connection = connected.value;
  try {
    const text = document.getText();
    const { span, manifest } = decoded;
    const own = decodeManifests(text).findings.filter(({ span: { start } }) => {
      return start >= span.start && start <= span.end;
    });
    const [inCluster, tried] = await Promise.all([
      findInCluster(chosen, connection, asking, signal),
      tryRequest(chosen, connection, asking, signal),
    ]);
    const known = new Set(own.map((finding) => finding.span.start));
    const lacksRight = inCluster.some(({ code }) => code === "P-01");
    const said = tried.remarks.filter(
      ({ code, span: place }) =>
        !(code === "server" && known.has(place.start)) && !(code === "forbidden" && lacksRight),
    );
    return {
      text: checkDocument({
        name: nameOfManifest(decoded),
        context: connection.context,
        namespace: manifest.metadata.namespace ?? connection.namespace,
        sparkVersion: requestOfManifest(manifest).sparkVersion,
        findings: [...own.map((finding) => ownText(finding, text)), ...inCluster.map(findingText)],
        dryRun: [tried.line],
      }),
      remarks: [
        ...own.map((finding) => ({ ...finding, message: translated(finding.message) })),
        ...inCluster.map((finding) => ({
          span: placeOfKey(text, decoded, finding.key),
          severity: finding.severity,
          message: translated(messageOfFinding(finding)),
          code: finding.code,
          role: finding.manifest,
        })),
        ...said,
      ],
    };
  } finally {
    connection.dispose();
  }
}

/** The pre-flight checks of the application that the operator starts. */
async function findInCluster(
  { decoded: { manifest } }: ChosenManifest,
  connection: Connection,
  { clock }: ManifestAsking,
  signal: AbortSignal,
): Promise<readonly PreflightFinding[]> {
  const { server, namespace } = connection;
  // The operator generates its own names, so any bytes do.
  const randomBytes = (count: number): Uint8Array => new Uint8Array(count);
  const place = { server, namespace, now: clock.now(), randomBytes };
  const plan = plannedByOperator(manifest, place);
  if (plan.ok) return preflightOf(plan.value, operatorRights(manifest), connection, signal);
  return plan.error
    .filter(({ severity }) => severity === "error")
    .map(({ message, code }) =>
      preflightWords.notChecked(
        msg("The application in the cluster"),
        msg`${translated(message).replace(/[.\s]+$/, "")} (${code})`,
      ),
    );
}

interface TriedRequest {
  /** A line of the document. */
  readonly line: string;
  readonly remarks: readonly ManifestRemark[];
}

async function tryRequest(
  { document, decoded }: ChosenManifest,
  { objects, namespace, context }: Connection,
  { clock }: ManifestAsking,
  signal: AbortSignal,
): Promise<TriedRequest> {
  const name = `${decoded.manifest.kind} ${nameOfManifest(decoded)}`;
  const planned = planOperatorAction(decoded, { kind: "submit" });
  const [request] = planned.ok ? planned.value : [];
  if (request?.verb !== "create" || isOtherVersion(decoded)) {
    const words = planned.ok
      ? translated(otherVersionWords(decoded.source["apiVersion"], decoded.manifest.apiVersion))
      : translated(operatorRefusalWords(planned.error));
    return { line: l10n.t("- {0}: not sent. {1}", name, words), remarks: [] };
  }
  const dryRun = await dryRunRequest(request, namespace, { objects, clock }, signal);
  if (dryRun.ok) return { line: l10n.t("- {0}: accepted", name), remarks: [] };
  const words = redactLine(
    translated(operatorFailureWords(dryRun.error, context, { explainClusterError })),
    defaultSecretRule,
  );
  return {
    line:
      dryRun.error.kind === "alreadyThere"
        ? l10n.t("- {0}: already exists. A submission asks before it replaces the object.", name)
        : l10n.t("- {0}: rejected. {1}", name, words),
    remarks: remarksOfFailure(dryRun.error, document.getText(), decoded.span, words),
  };
}

function ownText({ severity, code, message, path, span }: ManifestFinding, text: string): string {
  const line = text.slice(0, span.start).split("\n").length;
  const place = path === "" ? l10n.t("Line {0}", line) : l10n.t("Line {0}, {1}", line, path);
  return `${severityWord(severity)} ${code}: ${place}\n  ${translated(message)}`;
}

function remarksOfFailure(
  failure: OperatorFailure,
  text: string,
  document: Span,
  words: string,
): readonly ManifestRemark[] {
  const at = (
    path: string,
    severity: ManifestRemark["severity"],
    message: string,
    code: string,
  ): ManifestRemark => ({ span: placeOfField(text, document, path), severity, message, code });
  switch (failure.kind) {
    case "alreadyThere":
    case "replaced":
      return [at("metadata.name", "information", words, "there")];
    case "noApi":
      return [at("apiVersion", "error", words, "no-api")];
    case "absent":
    case "stillThere":
      return [at("", "error", words, "refused")];
    case "refused": {
      const { error } = failure;
      if (error.kind !== "invalid") {
        return [at("", "error", words, error.kind === "forbidden" ? "forbidden" : "refused")];
      }
      return remarksOf(error.detail, error.causes).map(({ path, message }) => {
        const shown = redactLine(message, defaultSecretRule);
        return at(path, "error", l10n.t("Kubernetes message: {0}", shown), "server");
      });
    }
    default:
      return assertNever(failure);
  }
}
