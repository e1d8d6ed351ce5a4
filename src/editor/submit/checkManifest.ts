import { msg } from "../../base/message.ts";
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
import type { Screen } from "../screen.ts";
import {
  checkDocument,
  findingText,
  messageOfFinding,
  severityWord,
  type DocumentWords,
} from "./checkWords.ts";
import type { ChosenManifest } from "./manifestDocuments.ts";
import {
  nameOfManifest,
  operatorFailureWords,
  operatorRefusalWords,
  otherVersionWords,
} from "./manifestWords.ts";
import { isOtherVersion, type ManifestAsking } from "./previewManifest.ts";

/** A finding in a manifest's document. */
export interface ManifestRemark {
  readonly span: Span;
  readonly severity: "error" | "warning" | "unknown" | "information";
  readonly message: string;
  readonly code: string;
  /** The manifest of a Role that grants the missing permissions. */
  readonly role?: string | undefined;
}

export interface CheckedManifest {
  /** The plain-text report of the check. */
  readonly text: string;
  /** In this order: the findings in the manifest's fields, those of the cluster, those of the dry run. */
  readonly remarks: readonly ManifestRemark[];
}

/**
 * Checks the manifest's fields, runs the pre-flight checks of a run profile, and sends the custom resource as a dry
 * run. Undefined if the connection fails (an error was shown).
 */
export async function checkManifest(
  chosen: ChosenManifest,
  asking: ManifestAsking,
  screen: DocumentWords & Pick<Screen, "showClusterError">,
  signal: AbortSignal,
): Promise<CheckedManifest | undefined> {
  const { document, decoded, context } = chosen;
  const { translated } = screen;
  const connected = await asking.clusters.connect(context, signal);
  if (!connected.ok) {
    await screen.showClusterError(
      msg("Cannot connect to the cluster"),
      connected.error,
      asking.log,
    );
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
      findInCluster(chosen, connection, { clock: asking.clock, translated }, signal),
      tryRequest(chosen, connection, { clock: asking.clock, words: screen }, signal),
    ]);
    const known = new Set(own.map((finding) => finding.span.start));
    const lacksRight = inCluster.some(({ code }) => code === "P-01");
    const said = tried.remarks.filter(
      ({ code, span: place }) =>
        !(code === "server" && known.has(place.start)) && !(code === "forbidden" && lacksRight),
    );
    return {
      text: checkDocument(
        {
          name: translated(nameOfManifest(decoded)),
          context: connection.context,
          namespace: manifest.metadata.namespace ?? connection.namespace,
          sparkVersion: requestOfManifest(manifest).sparkVersion,
          findings: [
            ...own.map((finding) => ownText(finding, text, screen)),
            ...inCluster.map((finding) => findingText(finding, screen)),
          ],
          dryRun: [tried.line],
        },
        screen,
      ),
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

/** Runs the pre-flight checks for the application that the operator starts. */
async function findInCluster(
  { decoded: { manifest } }: ChosenManifest,
  connection: Connection,
  { clock, translated }: Pick<ManifestAsking, "clock"> & Pick<Screen, "translated">,
  signal: AbortSignal,
): Promise<readonly PreflightFinding[]> {
  const { server, namespace } = connection;
  // The operator generates its own names, so the plan needs no random ones.
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
  /** The line about the dry run in the report of the check. */
  readonly line: string;
  readonly remarks: readonly ManifestRemark[];
}

async function tryRequest(
  { document, decoded }: ChosenManifest,
  { objects, namespace, context }: Connection,
  { clock, words: screen }: Pick<ManifestAsking, "clock"> & { readonly words: DocumentWords },
  signal: AbortSignal,
): Promise<TriedRequest> {
  const { translated } = screen;
  const name = `${decoded.manifest.kind} ${translated(nameOfManifest(decoded))}`;
  const planned = planOperatorAction(decoded, { kind: "submit" });
  const [request] = planned.ok ? planned.value : [];
  if (request?.verb !== "create" || isOtherVersion(decoded)) {
    const words = planned.ok
      ? translated(otherVersionWords(decoded.source["apiVersion"], decoded.manifest.apiVersion))
      : translated(operatorRefusalWords(planned.error));
    return { line: translated(msg`- ${name}: not sent. ${words}`), remarks: [] };
  }
  const dryRun = await dryRunRequest(request, namespace, { objects, clock }, signal);
  if (dryRun.ok) return { line: translated(msg`- ${name}: accepted`), remarks: [] };
  const words = redactLine(
    translated(operatorFailureWords(dryRun.error, context, screen)),
    defaultSecretRule,
  );
  return {
    line:
      dryRun.error.kind === "alreadyThere"
        ? translated(
            msg`- ${name}: already exists. A submission asks before it replaces the object.`,
          )
        : translated(msg`- ${name}: rejected. ${words}`),
    remarks: remarksOfFailure(dryRun.error, document.getText(), decoded.span, words, screen),
  };
}

function ownText(
  { severity, code, message, path, span }: ManifestFinding,
  text: string,
  { translated }: Pick<Screen, "translated">,
): string {
  const line = text.slice(0, span.start).split("\n").length;
  const place = translated(path === "" ? msg`Line ${line}` : msg`Line ${line}, ${path}`);
  return `${translated(severityWord(severity))} ${code}: ${place}\n  ${translated(message)}`;
}

function remarksOfFailure(
  failure: OperatorFailure,
  text: string,
  document: Span,
  words: string,
  { translated }: Pick<Screen, "translated">,
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
        return at(path, "error", translated(msg`Kubernetes message: ${shown}`), "server");
      });
    }
    default:
      return assertNever(failure);
  }
}
