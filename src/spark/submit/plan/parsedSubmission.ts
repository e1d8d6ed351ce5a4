import { parseCommandLine, type CommandLine } from "../arguments/commandLine.ts";
import { minorOf, newestMinor } from "../conf/sparkVersion.ts";
import { versionTraits, type VersionTraits } from "../conf/versionTraits.ts";
import { problems } from "./problems.ts";
import type { SubmissionFinding } from "./submissionFinding.ts";
import { submissionTokens, type SubmissionInput } from "./submissionInput.ts";

/** A submission with its command line parsed once for all later steps. */
export interface ParsedSubmission<Input extends SubmissionInput = SubmissionInput> {
  readonly input: Input;
  /** Traits of the Spark version; of the newest known version if it is unknown. */
  readonly traits: VersionTraits;
  readonly commandLine: CommandLine;
  /** Errors of the version and the command line. Any of them prevents the submission. */
  readonly findings: readonly SubmissionFinding[];
}

/** Parses the command line. Never throws: returns findings for an unknown version or an invalid command line. */
export function parseSubmission<Input extends SubmissionInput>(
  input: Input,
): ParsedSubmission<Input> {
  const minor = minorOf(input.sparkVersion);
  const traits = versionTraits[minor ?? newestMinor];
  const tokens = submissionTokens(input);
  const commandLine = parseCommandLine(
    traits.dropsCarriageReturns ? tokens.map((token) => token.replaceAll("\r", "")) : tokens,
    traits,
  );
  return {
    input,
    traits,
    commandLine,
    findings:
      minor === undefined
        ? [problems.unknownSparkVersion(input.sparkVersion)]
        : commandLine.findings,
  };
}
