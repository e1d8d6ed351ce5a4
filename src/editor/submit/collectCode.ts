import { verbatim } from "../../base/message.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { CodeCollector } from "../../engine/ports/files.ts";
import { codeRequest } from "../../spark/submit/code/codeRequest.ts";
import type { CodeToDeliver } from "../../spark/submit/conf/environment.ts";
import { problems } from "../../spark/submit/plan/problems.ts";
import type { ResolvedSubmission } from "../../spark/submit/plan/resolveSubmission.ts";
import type { SubmissionFinding } from "../../spark/submit/plan/submissionFinding.ts";
import type { RunProfile } from "../../spark/submit/profile/runProfile.ts";

/**
 * Collects the local files that a profile's application needs, for delivery to the driver. Undefined if it needs none.
 */
export async function collectCode(
  resolved: ResolvedSubmission,
  { include = [], exclude = [], delivery = "automatic" }: RunProfile,
  collect: CodeCollector["collect"],
  signal: AbortSignal,
): Promise<Result<CodeToDeliver | undefined, readonly SubmissionFinding[]>> {
  const request = codeRequest(resolved);
  if (request === undefined) return ok(undefined);
  const rules = { root: resolved.submissionEnvironment.workingDirectory, include, exclude };
  const collected = await collect(request, rules, signal);
  if (!collected.ok) {
    const { path, detail } = collected.error;
    return err([problems.cannotSend(path, verbatim(detail.replace(/\.$/, "")))]);
  }
  return ok({ sent: collected.value, choice: delivery });
}
