import { err } from "../../base/result.ts";
import type { CodeCollector, JvmPrograms } from "../../engine/ports/files.ts";
import type { PackagesPlace } from "./packages/packageAnswers.ts";
import type { DebugRequest } from "../../spark/submit/debug/debugRequest.ts";
import {
  addressesToFetch,
  type ResolvedSubmission,
} from "../../spark/submit/plan/resolveSubmission.ts";
import type { FetchedTexts, SubmissionEnvironment } from "../../spark/submit/conf/environment.ts";

/** Dependencies for making a submission plan. */
export interface PlanPlace {
  readonly submissionEnvironment: SubmissionEnvironment;
  readonly collectCode: CodeCollector["collect"];
  readonly fetchTexts: (addresses: readonly string[], signal: AbortSignal) => Promise<FetchedTexts>;
  /** If undefined, the application cannot be a Scala or Java file. */
  readonly jvm?: JvmPrograms | undefined;
  /** If undefined, the plan sends no Python packages. */
  readonly packages?: PackagesPlace | undefined;
  /** If undefined, the plan has no debugger. */
  readonly debug?: DebugRequest | undefined;
}

/**
 * Fetches the pod templates given by URL. `written`: the document before variable substitution. Returns an error for a
 * URL that does not occur in `written`, because the request would send a variable's value to the server.
 */
export async function fetchTemplates(
  resolved: ResolvedSubmission,
  { fetchTexts }: Pick<PlanPlace, "fetchTexts">,
  written: string,
  signal: AbortSignal,
): Promise<FetchedTexts> {
  const entries = addressesToFetch(resolved);
  // Allow the URLs in conf files, which have no variable substitution.
  const allowed = entries.filter(
    ({ value, origin }) => origin.kind === "file" || written.includes(value),
  );
  const fetched = await fetchTexts(
    allowed.map(({ value }) => value),
    signal,
  );
  const refused = entries.filter((entry) => !allowed.includes(entry));
  return new Map([...refused.map(({ value }) => [value, filledAddress] as const), ...fetched]);
}

const filledAddress = err(
  "its URL contains a variable, whose value would be sent to the server; write the complete URL",
);
