import { l10n } from "vscode";
import { err, type Result } from "../../base/result.ts";
import type { Connection } from "../../engine/ports.ts";
import { addressesToFetch, prepareSubmission } from "../../spark/submit/prepareSubmission.ts";
import { profileToSubmission, type RunProfile } from "../../spark/submit/runProfile.ts";
import type { SubmissionFinding } from "../../spark/submit/submissionFinding.ts";
import type { SubmissionPlan } from "../../spark/submit/submissionPlan.ts";
import type { FetchedTexts, Surroundings } from "../../spark/submit/surroundings.ts";

/** What a plan is made of besides the profile. */
export interface PlanPlace {
  readonly surroundings: Surroundings;
  /** Fetches what a profile names by its web address. */
  readonly fetchTexts: (addresses: readonly string[], signal: AbortSignal) => Promise<FetchedTexts>;
}

/**
 * What a run of the profile would send. `profile` as it is in its context; `context`: the server and the
 * namespace for a profile that names none.
 */
export async function planOf(
  profile: RunProfile,
  context: Pick<Connection, "server" | "namespace"> | undefined,
  { surroundings, fetchTexts }: PlanPlace,
  signal: AbortSignal,
): Promise<Result<SubmissionPlan, readonly SubmissionFinding[]>> {
  // spark-submit would take "default" where nothing is said, whatever the context says.
  const place = { master: context?.server, namespace: context?.namespace, context: undefined };
  const input = profileToSubmission(profile, { ...place, sparkVersion: "" });
  if (input.sparkVersion !== "") {
    const fetched = await fetchTexts(addressesToFetch(input, surroundings), signal);
    return prepareSubmission(input, { ...surroundings, fetched });
  }
  return err([
    {
      code: "E-90",
      severity: "error",
      message: l10n.t(
        'The image\'s tag names no Spark version: add "sparkVersion" to the profile.',
      ),
      key: undefined,
      origin: undefined,
    },
  ]);
}
