import { err, ok, type Result } from "../../base/result.ts";
import type { Connection } from "../../engine/ports.ts";
import { addressesToFetch, prepareSubmission } from "../../spark/submit/prepareSubmission.ts";
import { problems } from "../../spark/submit/problems.ts";
import {
  memberOfToken,
  profileIn,
  profileToSubmission,
  type RunProfile,
} from "../../spark/submit/runProfile.ts";
import type { Origin, SubmissionFinding } from "../../spark/submit/submissionFinding.ts";
import type { SubmissionPlan } from "../../spark/submit/submissionPlan.ts";
import type { FetchedTexts, Surroundings } from "../../spark/submit/surroundings.ts";

/** What a plan is made of besides the profile. */
export interface PlanPlace {
  readonly surroundings: Surroundings;
  /** Fetches what a profile names by its web address. */
  readonly fetchTexts: (addresses: readonly string[], signal: AbortSignal) => Promise<FetchedTexts>;
}

/**
 * What a run of the profile would send; what is found points at the profile's members. `context`: the server
 * and the namespace for a profile that names none.
 */
export async function planOf(
  written: RunProfile,
  context: Pick<Connection, "context" | "server" | "namespace"> | undefined,
  { surroundings, fetchTexts }: PlanPlace,
  signal: AbortSignal,
): Promise<Result<SubmissionPlan, readonly SubmissionFinding[]>> {
  const submitted = profileIn(written, context?.context);
  // spark-submit would take "default" where nothing is said, whatever the context says.
  const place = { master: context?.server, namespace: context?.namespace, context: undefined };
  const input = profileToSubmission(submitted, { ...place, sparkVersion: "" });
  if (input.sparkVersion === "") return err([problems.noVersion()]);
  const fetched = await fetchTexts(addressesToFetch(input, surroundings), signal);
  const plan = prepareSubmission(input, { ...surroundings, fetched });

  const toMember = <T extends { readonly origin: Origin | undefined }>(found: T): T => {
    if (found.origin?.kind !== "argument") return found;
    const path = memberOfToken(written, submitted, context?.context, found.origin.token);
    return path === undefined ? found : { ...found, origin: { kind: "member", path } };
  };
  if (!plan.ok) return err(plan.error.map(toMember));
  const { conf, warnings } = plan.value;
  return ok({
    ...plan.value,
    conf: new Map([...conf].map(([key, entry]) => [key, toMember(entry)] as const)),
    warnings: warnings.map(toMember),
  });
}
