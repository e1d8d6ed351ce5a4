import { l10n } from "vscode";
import type { Result } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { Connection } from "../../engine/ports.ts";
import { previewDocuments } from "../../spark/submit/preview/previewDocuments.ts";
import { decodeRunProfile, profileIn } from "../../spark/submit/runProfile.ts";
import type { SubmissionPlan } from "../../spark/submit/submissionPlan.ts";
import type { Log } from "../log.ts";
import { showClusterError, showProblems } from "../showError.ts";
import { checkWords } from "./checkWords.ts";
import { planOf, type PlanPlace } from "./planOf.ts";

/** What a submission would do, told before it is done. */
export interface PreviewOptions extends PlanPlace {
  readonly definition: unknown;
  readonly connect: (
    context: string | undefined,
    signal: AbortSignal,
  ) => Promise<Result<Connection, ClusterError>>;
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
  withPlan(options, signal, (plan, connection) => checkWords(plan, connection, signal));

async function withPlan(
  { definition, connect, log, ...place }: PreviewOptions,
  signal: AbortSignal,
  work: (plan: SubmissionPlan, connection: Connection) => Promise<string>,
): Promise<string | undefined> {
  const task = l10n.t("The submission cannot be prepared");
  const profile = decodeRunProfile(definition).value;
  const connected = await connect(profile.context, signal);
  if (!connected.ok) {
    await showClusterError(task, connected.error, log);
    return undefined;
  }
  const connection = connected.value;
  try {
    const own = profileIn(profile, connection.context);
    const plan = await planOf(own, connection, place, signal);
    if (plan.ok) return await work(plan.value, connection);
    const errors = plan.error.filter(({ severity }) => severity === "error");
    await showProblems(
      task,
      errors.map(({ message, code }) => `${message} (${code})`),
      log,
    );
    return undefined;
  } finally {
    connection.dispose();
  }
}

function previewText(plan: SubmissionPlan): string {
  const heading = l10n.t("Nothing of this has been sent. Secrets are not shown.");
  const documents = previewDocuments(plan).map(
    ({ title, text }) => `# ---- ${title} ----\n${text.trimEnd()}\n`,
  );
  return `# ${heading}\n${documents.join("---\n")}`;
}
