import { l10n, type Memento } from "vscode";
import type { AccessConnection } from "../../engine/ports.ts";
import { previewDocuments } from "../../spark/submit/preview/previewDocuments.ts";
import type { SubmissionFinding } from "../../spark/submit/submissionFinding.ts";
import type { SubmissionPlan } from "../../spark/submit/submissionPlan.ts";
import type { Log } from "../log.ts";
import { showClusterError, showProblems } from "../showError.ts";
import { checkWords } from "./checkWords.ts";
import { mayUseIdentity } from "./foreignServer.ts";
import type { PlanPlace } from "./planOf.ts";
import { prepareRun, type RunClusters, type RunSource } from "./prepareRun.ts";

/** What a submission would do, told before it is done. */
export interface PreviewOptions extends RunClusters, PlanPlace {
  readonly source: RunSource;
  readonly memory: Memento;
  readonly log: Log;
}

/** All that a run of the profile would create, as YAML to read. Undefined if it cannot be; why has been said. */
export const previewSubmission = (
  options: PreviewOptions,
  signal: AbortSignal,
): Promise<string | undefined> =>
  withPlan(options, signal, (plan) => Promise.resolve(previewText(plan)));

/** What the cluster says of it: rights, references, room, and a dry run of each object. As Markdown. */
export const checkSubmission = (
  options: PreviewOptions,
  signal: AbortSignal,
): Promise<string | undefined> =>
  withPlan(options, signal, async (plan, connection) => {
    const isAgreed = await mayUseIdentity(connection, options.memory);
    return isAgreed ? checkWords(plan, connection, signal) : undefined;
  });

async function withPlan(
  options: PreviewOptions,
  signal: AbortSignal,
  work: (plan: SubmissionPlan, connection: AccessConnection) => Promise<string | undefined>,
): Promise<string | undefined> {
  const { source, log } = options;
  const task = l10n.t("The submission cannot be prepared");
  const prepared = await prepareRun(source, options, options, signal);
  if (!prepared.ok) {
    const { error } = prepared;
    if (error.kind === "cluster") await showClusterError(task, error.error, log);
    else await showFindings(task, error.findings, log);
    return undefined;
  }
  const { value } = prepared;
  if (value.kind === "text") return value.lines.join("\n");
  try {
    if (value.kind === "submit") return await work(value.plan, value.connection);
    await showProblems(task, [l10n.t("The command line submits no application.")], log);
    return undefined;
  } finally {
    value.connection.dispose();
  }
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

function previewText(plan: SubmissionPlan): string {
  const heading = l10n.t("Nothing of this has been sent. Secrets are not shown.");
  const documents = previewDocuments(plan).map(
    ({ title, text }) => `# ---- ${title} ----\n${text.trimEnd()}\n`,
  );
  return `# ${heading}\n${documents.join("---\n")}`;
}
