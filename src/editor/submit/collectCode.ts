import { verbatim } from "../../base/message.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { CodeCollector } from "../../engine/ports/files.ts";
import type { CodeToDeliver, SubmissionEnvironment } from "../../spark/submit/conf/environment.ts";
import type { ParsedSubmission } from "../../spark/submit/plan/parsedSubmission.ts";
import { codeToSend } from "../../spark/submit/plan/prepareSubmission.ts";
import { problems } from "../../spark/submit/plan/problems.ts";
import type { SubmissionFinding } from "../../spark/submit/plan/submissionFinding.ts";
import type { RunProfile } from "../../spark/submit/profile/runProfile.ts";

/** The sources of a submission's files. */
export interface CodePlace {
  readonly surroundings: SubmissionEnvironment;
  readonly collectCode: CodeCollector["collect"];
}

/** Reads the local files that a profile's application needs. Undefined if it needs none. */
export async function collectCode(
  submission: ParsedSubmission,
  { include = [], exclude = [], delivery = "automatic" }: RunProfile,
  { surroundings, collectCode: collect }: CodePlace,
  signal: AbortSignal,
): Promise<Result<CodeToDeliver | undefined, readonly SubmissionFinding[]>> {
  const request = codeToSend(submission, surroundings);
  if (request === undefined) return ok(undefined);
  const rules = { root: surroundings.workingDirectory, include, exclude };
  const collected = await collect(request, rules, signal);
  if (!collected.ok) {
    const { path, detail } = collected.error;
    return err([problems.cannotSend(path, verbatim(detail.replace(/\.$/, "")))]);
  }
  return ok({ sent: collected.value, choice: delivery });
}
