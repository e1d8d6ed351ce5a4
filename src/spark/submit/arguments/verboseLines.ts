import { inEnglish } from "../../../base/message.ts";
import { valueOf, type ResolvedConf } from "../conf/conf.ts";
import { layerConf } from "../conf/confLayers.ts";
import { secretRule } from "../../redact.ts";
import { redactArguments, redactValue } from "../../redactText.ts";
import { resolveArguments } from "./submissionArguments.ts";
import type { FindingOrigin } from "../plan/submissionFinding.ts";
import type { ParsedSubmission } from "../plan/parsedSubmission.ts";
import { fallbacksOf } from "../plan/submissionInput.ts";
import type { SubmissionEnvironment } from "../conf/environment.ts";

/** True if the command line has `--verbose`. */
export const isVerbose = ({ commandLine }: ParsedSubmission): boolean =>
  commandLine.options.some(({ name }) => name === "--verbose");

/**
 * Returns the output of `--verbose`: parsed arguments, and conf entries with their origins. Secrets are redacted by
 * Spark's rule. `conf`: the application's final conf; undefined if no application is submitted.
 */
export function verboseLines(
  { input, commandLine, traits }: ParsedSubmission,
  conf: ResolvedConf | undefined,
  submissionEnvironment: SubmissionEnvironment,
): readonly string[] {
  const { value: props } = layerConf(commandLine, submissionEnvironment, fallbacksOf(input));
  const isSecret = secretRule(valueOf(props, "spark.redaction.regex"), traits.redactionPattern);
  const asked = resolveArguments(commandLine, props, submissionEnvironment, traits);
  const single = [
    ["main resource", asked.resource?.value],
    ["main class", asked.mainClass?.value],
    ["proxy user", asked.proxyUser?.value],
    ...commandLine.options
      .filter(({ name }) => name === "--kill" || name === "--status")
      .map(({ name, value }) => [name.slice(2), value] as const),
  ] as const;
  const args = redactArguments(asked.applicationArguments, isSecret);
  const shown = conf ?? new Map([...props, ...asked.typed]);
  return [
    "parsed arguments:",
    ...single.flatMap(([name, value]) =>
      value === undefined ? [] : [`  ${name}: ${redactValue("", value, isSecret)}`],
    ),
    ...(args.length === 0 ? [] : [`  arguments: ${args.join(" ")}`]),
    ...(isSecret.problem === undefined ? [] : [inEnglish(isSecret.problem)]),
    "conf:",
    ...[...shown]
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(
        ([key, { value, origin }]) =>
          `  ${key} = ${redactValue(key, value, isSecret)}${originWords(origin)}`,
      ),
  ];
}

function originWords(origin: FindingOrigin): string {
  switch (origin.kind) {
    case "file":
      return `  (${origin.path})`;
    case "environment":
      return `  (variable ${origin.name})`;
    case "argument":
    case "member":
    case "computed":
      return "";
  }
}
