import { err, ok, type Result } from "../../../base/result.ts";
import { checkArguments } from "../arguments/checkArguments.ts";
import { readEnvironmentScript } from "../arguments/environmentScript.ts";
import { resolveArguments } from "../arguments/submissionArguments.ts";
import { localPathOf } from "../code/codeRequest.ts";
import type { ResolvedEntry } from "../conf/conf.ts";
import { layerConf } from "../conf/confLayers.ts";
import { isLocalFile } from "../conf/dependencies.ts";
import type { SubmissionEnvironment } from "../conf/environment.ts";
import type { VersionTraits } from "../conf/versionTraits.ts";
import { buildApplication, type SubmittedApplication } from "../driver/submittedApplication.ts";
import { collectFindings } from "./collectFindings.ts";
import type { ParsedSubmission } from "./parsedSubmission.ts";
import type { SubmissionFinding } from "./submissionFinding.ts";
import { fallbacksOf } from "./submissionInput.ts";

/** A submission whose application is known. The next steps collect its parts (`SubmissionParts`) and plan it. */
export interface ResolvedSubmission {
  readonly sparkVersion: string;
  readonly traits: VersionTraits;
  readonly application: SubmittedApplication;
  /** The submitter's environment, with the variables of `spark-env.sh` added. */
  readonly submissionEnvironment: SubmissionEnvironment;
  readonly warnings: readonly SubmissionFinding[];
}

/**
 * Resolves the application of a command line, once for all later steps. An error contains all findings up to the failed
 * step, also warnings.
 */
export function resolveSubmission(
  { input, traits, commandLine, findings: misread }: ParsedSubmission,
  given: SubmissionEnvironment,
): Result<ResolvedSubmission, readonly SubmissionFinding[]> {
  if (misread.length > 0) return err(misread);
  const { findings, take } = collectFindings();
  const hasErrors = (): boolean => findings.some(({ severity }) => severity === "error");
  const submissionEnvironment = { ...given, environment: take(readEnvironmentScript(given)) };
  const props = take(layerConf(commandLine, submissionEnvironment, fallbacksOf(input)));
  const asked = resolveArguments(commandLine, props, submissionEnvironment, traits);
  findings.push(...checkArguments(asked, props, traits));
  if (hasErrors()) return err(findings);
  const application = take(buildApplication(asked, props, submissionEnvironment, traits));
  const { sparkVersion } = input;
  return hasErrors()
    ? err(findings)
    : ok({ sparkVersion, traits, application, submissionEnvironment, warnings: findings });
}

/** Returns the path of a Python program on the local disk. Undefined for other applications. */
export function localPythonProgram({
  application: { kind, resource },
}: ResolvedSubmission): string | undefined {
  return kind === "python" && resource !== undefined && isLocalFile(resource.value)
    ? localPathOf(resource.value)
    : undefined;
}

/** Returns the http(s) addresses of pod templates. Their texts are fetched into `SubmissionParts.fetched`. */
export const addressesToFetch = ({
  application: { conf },
}: Pick<ResolvedSubmission, "application">): readonly ResolvedEntry[] =>
  templateKeys
    .map((key) => conf.get(key))
    .filter((entry) => entry !== undefined)
    .filter(({ value }) => /^https?:/i.test(value));

export const templateKeys = [
  "spark.kubernetes.driver.podTemplateFile",
  "spark.kubernetes.executor.podTemplateFile",
];
