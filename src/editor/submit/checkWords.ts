import { sentences, type Message } from "../../base/message.ts";
import { translated } from "../../editor/ui/translated.ts";
import { l10n } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import { dryRunPlan, type DryRunResult } from "../../engine/submit/dryRun.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import { preflight } from "../../engine/submit/preflight.ts";
import type { PreflightFinding } from "../../spark/submit/preflight/preflightFinding.ts";
import type { SubmissionPlan } from "../../spark/submit/plan/submissionPlan.ts";
import type { ProfileFinding } from "../profiles/profileFinding.ts";
import { explainClusterError } from "../showError.ts";

interface CheckedPlan {
  readonly name: string;
  readonly plan: SubmissionPlan;
}

/** Runs the pre-flight checks and a dry run. Creates nothing in the cluster. `name`: the application's. */
export async function checkPlan(
  { name, plan }: CheckedPlan,
  connection: Connection,
  signal: AbortSignal,
): Promise<CheckWords> {
  const [findings, dryRun] = await Promise.all([
    preflight(plan, connection, signal),
    dryRunPlan(plan, connection, signal),
  ]);
  return {
    text: checkDocument({
      name,
      context: connection.context,
      namespace: plan.identity.namespace,
      sparkVersion: plan.sparkVersion,
      findings: findings.map(findingText),
      dryRun: dryRun.map(dryRunText),
    }),
    findings: findings.map((finding) => ({
      code: finding.code,
      severity: finding.severity,
      message: messageOfFinding(finding),
      key: finding.key,
      role: finding.manifest,
      origin: finding.key === undefined ? undefined : plan.conf.get(finding.key)?.origin,
    })),
  };
}

interface CheckedContent {
  readonly name: string;
  readonly context: string;
  readonly namespace: string;
  /** Undefined if the source names none. */
  readonly sparkVersion: string | undefined;
  /** One text for each finding. */
  readonly findings: readonly string[];
  /** One line for each object. */
  readonly dryRun: readonly string[];
}

/** The document of a check, for a program or an operator's manifest. */
export const checkDocument = ({
  name,
  context,
  namespace,
  sparkVersion,
  findings,
  dryRun,
}: CheckedContent): string =>
  [
    l10n.t("Pre-flight check: {0}", name),
    sparkVersion === undefined
      ? l10n.t('Context "{1}", namespace "{0}". Nothing was created.', namespace, context)
      : l10n.t(
          'Context "{1}", namespace "{0}", Spark {2}. Nothing was created.',
          namespace,
          context,
          sparkVersion,
        ),
    heading(l10n.t("Checks")),
    findings.length === 0 ? l10n.t("No problems found.") : findings.join("\n\n"),
    heading(l10n.t("Dry run")),
    dryRun.join("\n"),
    "",
  ].join("\n\n");

export const messageOfFinding = ({ problem, reason, advice }: PreflightFinding): Message =>
  sentences([problem, reason, advice]);

const heading = (title: string): string => `${title}\n${"-".repeat(title.length)}`;

/** The result of a check: a plain-text document and its findings. */
export interface CheckWords {
  readonly text: string;
  readonly findings: readonly ProfileFinding[];
}

export function findingText({
  code,
  severity,
  problem,
  reason,
  advice,
  manifest,
}: PreflightFinding): string {
  const head = `${severityWord(severity)} ${code}: ${translated(problem)}`;
  const yaml = manifest === undefined ? [] : [manifest.trimEnd().replace(/^/gm, "    ")];
  return [`${head}\n  ${translated(reason)}\n  ${translated(advice)}`, ...yaml].join("\n\n");
}

export function severityWord(severity: PreflightFinding["severity"]): string {
  switch (severity) {
    case "error":
      return l10n.t("Error");
    case "warning":
      return l10n.t("Warning");
    case "unknown":
      return l10n.t("Unknown");
    default:
      return assertNever(severity);
  }
}

function dryRunText({ object, outcome }: DryRunResult): string {
  const name = `${object.kind} ${object.name}`;
  switch (outcome.kind) {
    case "accepted":
      return l10n.t("- {0}: accepted", name);
    case "kept":
      return l10n.t("- {0}: already exists, unchanged", name);
    case "refused":
      return l10n.t("- {0}: rejected. {1}", name, explainClusterError(outcome.error));
    default:
      return assertNever(outcome);
  }
}
