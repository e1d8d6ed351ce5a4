import { msg, sentences, type Message } from "../../base/message.ts";
import { assertNever } from "../../base/assertNever.ts";
import { dryRunPlan, type DryRunResult } from "../../engine/submit/dryRun.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import { preflight } from "../../engine/submit/preflight.ts";
import type { PreflightFinding } from "../../spark/submit/preflight/preflightFinding.ts";
import type { SubmissionPlan } from "../../spark/submit/plan/submissionPlan.ts";
import type { ProfileFinding } from "../profiles/profileFinding.ts";
import type { Screen } from "../screen.ts";

/** The parts of `Screen` that texts of a check or an error use. */
export type DocumentWords = Pick<Screen, "explainClusterError" | "translated">;

interface CheckedPlan {
  readonly name: string;
  readonly plan: SubmissionPlan;
}

/** Runs the pre-flight checks and a dry run. Creates nothing in the cluster. `name`: the application's name. */
export async function checkPlan(
  { name, plan }: CheckedPlan,
  connection: Connection,
  words: DocumentWords,
  signal: AbortSignal,
): Promise<CheckWords> {
  const [findings, dryRun] = await Promise.all([
    preflight(plan, connection, signal),
    dryRunPlan(plan, connection, signal),
  ]);
  return {
    text: checkDocument(
      {
        name,
        context: connection.context,
        namespace: plan.identity.namespace,
        sparkVersion: plan.sparkVersion,
        findings: findings.map((finding) => findingText(finding, words)),
        dryRun: dryRun.map((result) => dryRunText(result, words)),
      },
      words,
    ),
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
  /** Undefined if the source specifies no version. */
  readonly sparkVersion: string | undefined;
  /** One text for each finding. */
  readonly findings: readonly string[];
  /** One line for each object. */
  readonly dryRun: readonly string[];
}

/** Returns the plain-text report of a check, for a program or an operator's manifest. */
export const checkDocument = (
  { name, context, namespace, sparkVersion, findings, dryRun }: CheckedContent,
  { translated }: Pick<DocumentWords, "translated">,
): string =>
  [
    translated(msg`Pre-flight check: ${name}`),
    sparkVersion === undefined
      ? translated(msg`Context "${context}", namespace "${namespace}". Nothing was created.`)
      : translated(
          msg`Context "${context}", namespace "${namespace}", Spark ${sparkVersion}. Nothing was created.`,
        ),
    heading(translated(msg("Checks"))),
    findings.length === 0 ? translated(msg("No problems found.")) : findings.join("\n\n"),
    heading(translated(msg("Dry run"))),
    dryRun.join("\n"),
    "",
  ].join("\n\n");

export const messageOfFinding = ({ problem, reason, advice }: PreflightFinding): Message =>
  sentences([problem, reason, advice]);

const heading = (title: string): string => `${title}\n${"-".repeat(title.length)}`;

/** The result of a check: a plain-text report and its findings. */
export interface CheckWords {
  readonly text: string;
  readonly findings: readonly ProfileFinding[];
}

export function findingText(
  { code, severity, problem, reason, advice, manifest }: PreflightFinding,
  { translated }: Pick<DocumentWords, "translated">,
): string {
  const head = `${translated(severityWord(severity))} ${code}: ${translated(problem)}`;
  const yaml = manifest === undefined ? [] : [manifest.trimEnd().replace(/^/gm, "    ")];
  return [`${head}\n  ${translated(reason)}\n  ${translated(advice)}`, ...yaml].join("\n\n");
}

export function severityWord(severity: PreflightFinding["severity"]): Message {
  switch (severity) {
    case "error":
      return msg("Error");
    case "warning":
      return msg("Warning");
    case "unknown":
      return msg("Unknown");
    default:
      return assertNever(severity);
  }
}

function dryRunText(
  { object, outcome }: DryRunResult,
  { explainClusterError, translated }: DocumentWords,
): string {
  const name = `${object.kind} ${object.name}`;
  switch (outcome.kind) {
    case "accepted":
      return translated(msg`- ${name}: accepted`);
    case "kept":
      return translated(msg`- ${name}: already exists, unchanged`);
    case "refused":
      return translated(msg`- ${name}: rejected. ${explainClusterError(outcome.error)}`);
    default:
      return assertNever(outcome);
  }
}
