import { parseCommandLine } from "./commandLine.ts";
import { valueOf, type ResolvedConf } from "./conf.ts";
import { layerConf } from "./confLayers.ts";
import { redactArguments, redactValue, secretRule } from "../redact.ts";
import { resolveArguments } from "./submissionArguments.ts";
import type { Origin } from "./submissionFinding.ts";
import { fallbacksOf, submissionTokens, type SubmissionInput } from "./submissionInput.ts";
import type { Surroundings } from "./surroundings.ts";
import type { VersionTraits } from "./versionTraits.ts";

/** Whether a command line asks to be told how it was read. */
export const isVerbose = (tokens: readonly string[], traits: VersionTraits): boolean =>
  parseCommandLine(tokens, traits).options.some(({ name }) => name === "--verbose");

/**
 * How a command line was read: its arguments and the conf with where each entry comes from. `conf`: what the
 * application will run with; undefined where none is sent. Secrets are redacted by Spark's rule.
 */
export function verboseLines(
  input: SubmissionInput,
  conf: ResolvedConf | undefined,
  surroundings: Surroundings,
  traits: VersionTraits,
): readonly string[] {
  const commandLine = parseCommandLine(submissionTokens(input), traits);
  const { value: props } = layerConf(commandLine, surroundings, fallbacksOf(input));
  const isSecret = secretRule(valueOf(props, "spark.redaction.regex"), traits.redactionPattern);
  const asked = resolveArguments(commandLine, props, surroundings, traits);
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
    "read from the command line:",
    ...single.flatMap(([name, value]) => (value === undefined ? [] : [`  ${name}: ${value}`])),
    ...(args.length === 0 ? [] : [`  arguments: ${args.join(" ")}`]),
    "conf:",
    ...[...shown]
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(
        ([key, { value, origin }]) =>
          `  ${key} = ${redactValue(key, value, isSecret)}${originWords(origin)}`,
      ),
  ];
}

function originWords(origin: Origin): string {
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
