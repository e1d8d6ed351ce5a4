import { l10n } from "vscode";
import { err, type Result } from "../../base/result.ts";
import type { Connection } from "../../engine/ports.ts";
import { prepareSubmission } from "../../spark/submit/prepareSubmission.ts";
import { profileToSubmission, type RunProfile } from "../../spark/submit/runProfile.ts";
import type { SubmissionFinding } from "../../spark/submit/submissionFinding.ts";
import type { SubmissionPlan } from "../../spark/submit/submissionPlan.ts";
import type { Surroundings } from "../../spark/submit/surroundings.ts";

/** What a run of the profile on this connection would send. `profile` as it is in the connection's context. */
export function planOf(
  profile: RunProfile,
  connection: Connection,
  surroundings: Surroundings,
): Result<SubmissionPlan, readonly SubmissionFinding[]> {
  // spark-submit would take "default" where nothing is said, whatever the context says.
  const { namespace = connection.namespace } = profile;
  const place = { master: connection.server, context: undefined, sparkVersion: "" };
  const input = profileToSubmission({ ...profile, namespace }, place);
  if (input.sparkVersion !== "") return prepareSubmission(input, surroundings);
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
