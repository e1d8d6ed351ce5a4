import { l10n } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import { dryRunPlan, type DryRunResult } from "../../engine/dryRun.ts";
import type { Connection } from "../../engine/ports.ts";
import { preflight } from "../../engine/preflight.ts";
import type { PreflightFinding } from "../../spark/submit/preflight/preflightFinding.ts";
import type { SubmissionPlan } from "../../spark/submit/submissionPlan.ts";
import type { ProfileFinding } from "../profiles/profileFinding.ts";
import { explainClusterError } from "../showError.ts";

/** Asks the cluster about a plan in one pass; nothing is stored by it. */
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
    `# ${l10n.t("Before submitting {0}", driverPodName)}`,
    l10n.t(
      'Namespace "{0}" of "{1}", as Spark {2}. Nothing was created.',
      namespace,
      connection.context,
      plan.sparkVersion,
    ),
    `## ${l10n.t("Checks")}`,
    findings.length === 0
      ? l10n.t("Nothing stands in the way.")
      : findings.map(findingText).join("\n\n"),
    `## ${l10n.t("Dry run")}`,
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

/** What a check says, as Markdown, and what it found. */
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
  const head = `**${severityWord(severity)} ${code}:** ${problem}`;
  const yaml = manifest === undefined ? [] : [`\`\`\`yaml\n${manifest.trimEnd()}\n\`\`\``];
  return [`${head}\n${reason} ${advice}`, ...yaml].join("\n\n");
}

function severityWord(severity: PreflightFinding["severity"]): string {
  switch (severity) {
    case "error":
      return l10n.t("Error");
    case "warning":
      return l10n.t("Warning");
    case "unknown":
      return l10n.t("Not known");
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
      return l10n.t("- {0}: there already, stays as it is", name);
    case "refused":
      return l10n.t("- {0}: refused. {1}", name, explainClusterError(outcome.error));
    default:
      return assertNever(outcome);
  }
}
