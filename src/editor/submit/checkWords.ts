import { l10n } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import { dryRunPlan, type DryRunResult } from "../../engine/submit/dryRun.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import { preflight } from "../../engine/submit/preflight.ts";
import type { PreflightFinding } from "../../spark/submit/preflight/preflightFinding.ts";
import type { SubmissionPlan } from "../../spark/submit/plan/submissionPlan.ts";
import type { ProfileFinding } from "../profiles/profileFinding.ts";
import { explainClusterError } from "../showError.ts";

/** Runs the pre-flight checks and a dry run. Creates nothing in the cluster. */
export async function checkPlan(
  plan: SubmissionPlan,
  connection: Connection,
  signal: AbortSignal,
): Promise<CheckWords> {
  const [findings, dryRun] = await Promise.all([
    preflight(plan, connection, signal),
    dryRunPlan(plan, connection, signal),
  ]);
  const { driverPodName, namespace } = plan.identity;
  const text = [
    l10n.t("Pre-flight check: {0}", driverPodName),
    l10n.t(
      'Context "{1}", namespace "{0}", Spark {2}. Nothing was created.',
      namespace,
      connection.context,
      plan.sparkVersion,
    ),
    heading(l10n.t("Checks")),
    findings.length === 0 ? l10n.t("No problems found.") : findings.map(findingText).join("\n\n"),
    heading(l10n.t("Dry run")),
    dryRun.map(dryRunText).join("\n"),
    "",
  ].join("\n\n");
  return {
    text,
    findings: findings.map(({ code, severity, problem, reason, advice, key }) => ({
      code,
      severity,
      message: `${problem} ${reason} ${advice}`,
      key,
      origin: key === undefined ? undefined : plan.conf.get(key)?.origin,
    })),
  };
}

const heading = (title: string): string => `${title}\n${"-".repeat(title.length)}`;

/** The result of a check: a plain-text document and its findings. */
export interface CheckWords {
  readonly text: string;
  readonly findings: readonly ProfileFinding[];
}

function findingText({
  code,
  severity,
  problem,
  reason,
  advice,
  manifest,
}: PreflightFinding): string {
  const head = `${severityWord(severity)} ${code}: ${problem}`;
  const yaml = manifest === undefined ? [] : [manifest.trimEnd().replace(/^/gm, "    ")];
  return [`${head}\n  ${reason}\n  ${advice}`, ...yaml].join("\n\n");
}

function severityWord(severity: PreflightFinding["severity"]): string {
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
