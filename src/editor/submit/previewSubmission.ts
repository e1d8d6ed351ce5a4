import { l10n, type Memento, type Uri } from "vscode";
import { comparableText, previewText } from "../../spark/submit/preview/comparableText.ts";
import type { SubmissionFinding } from "../../spark/submit/submissionFinding.ts";
import type { Log } from "../log.ts";
import type { ReportFindings } from "../profiles/profileFinding.ts";
import { showClusterError, showProblems } from "../showError.ts";
import { checkPlan, type CheckWords } from "./checkWords.ts";
import { mayUseIdentity } from "./foreignServer.ts";
import type { PlanPlace } from "./planOf.ts";
import {
  prepareRun,
  type PreparedSubmission,
  type RunClusters,
  type RunSource,
} from "./prepareRun.ts";
import { resolveVariables, type ResolvedDefinition } from "./resolveVariables.ts";

/** What a submission would do, told before it is done. */
export interface PreviewOptions extends RunClusters, PlanPlace {
  readonly source: RunSource;
  /** The folder of the profile, whose variables are not filled in yet. */
  readonly folder: Uri | undefined;
  readonly report: ReportFindings;
  readonly memory: Memento;
  readonly log: Log;
}

type Told = Promise<string | undefined>;

/** All that a run of the profile would create, as YAML to read. Undefined if it cannot be; why has been said. */
export const previewSubmission = (options: PreviewOptions, signal: AbortSignal): Told =>
  withPlan(options, signal, ({ plan, secrets }) => {
    const heading = l10n.t("Nothing of this has been sent. Secrets are not shown.");
    return Promise.resolve({ text: `# ${heading}\n${previewText(plan, secrets)}`, findings: [] });
  });

/** The same without what is new in each submission, to set beside what was sent before. */
export const comparableSubmission = (options: PreviewOptions, signal: AbortSignal): Told =>
  withPlan(options, signal, ({ plan, secrets }) =>
    Promise.resolve({ text: comparableText(plan, secrets), findings: [] }),
  );

/** What the cluster says of it: rights, references, room, and a dry run of each object. As Markdown. */
export const checkSubmission = (options: PreviewOptions, signal: AbortSignal): Told =>
  withPlan(options, signal, async ({ plan, connection }) => {
    const isAgreed = await mayUseIdentity(connection, options.memory);
    return isAgreed ? checkPlan(plan, connection, signal) : undefined;
  });

interface Prepared extends Pick<PreparedSubmission, "plan" | "connection"> {
  /** What must not be shown, whatever its name. */
  readonly secrets: readonly string[];
}

async function withPlan(
  options: PreviewOptions,
  signal: AbortSignal,
  work: (prepared: Prepared) => Promise<CheckWords | undefined>,
): Told {
  const { log, report } = options;
  const task = l10n.t("The submission cannot be prepared");
  const resolved = await resolveSource(options);
  if (resolved === undefined) return undefined;
  const { source, findings, secrets } = resolved;
  const prepared = await prepareRun(source, options, options, signal);
  if (!prepared.ok) {
    const { error } = prepared;
    if (error.kind === "cluster") await showClusterError(task, error.error, log);
    else {
      await report([...findings, ...error.findings]);
      await showFindings(task, error.findings, log);
    }
    return undefined;
  }
  const { value } = prepared;
  if (value.kind === "text") return value.lines.join("\n");
  try {
    if (value.kind === "submit") {
      const words = await work({ ...value, secrets });
      await report([...findings, ...value.warnings, ...(words?.findings ?? [])]);
      return words?.text;
    }
    await showProblems(task, [l10n.t("The command line submits no application.")], log);
    return undefined;
  } finally {
    value.connection.dispose();
  }
}

interface ResolvedSource extends Pick<ResolvedDefinition, "findings" | "secrets"> {
  readonly source: RunSource;
}

// A run gets its variables filled in by the editor; here that is for us to do.
async function resolveSource(options: PreviewOptions): Promise<ResolvedSource | undefined> {
  const { source, folder, surroundings } = options;
  if (source.kind !== "profile") return { source, findings: [], secrets: [] };
  const resolved = await resolveVariables(source.definition, folder, surroundings.environment);
  return resolved && { ...resolved, source: { ...source, definition: resolved.definition } };
}

async function showFindings(
  task: string,
  findings: readonly SubmissionFinding[],
  log: Log,
): Promise<void> {
  const errors = findings.filter(({ severity }) => severity === "error");
  const sentences = errors.map(({ message, code }) => `${message} (${code})`);
  await showProblems(task, sentences, log);
}
