import { commandOptions, type CommandOption } from "./options.ts";
import { problems } from "../plan/problems.ts";
import type { SubmissionFinding } from "../plan/submissionFinding.ts";
import type { VersionTraits } from "../conf/versionTraits.ts";

/** One occurrence of an option. `token`: the index of the option's own token, not of its value. */
interface OptionUse {
  readonly name: CommandOption["name"];
  /** Empty for an option of the kind `switch` or `action`. */
  readonly value: string;
  readonly token: number;
}

export interface CommandLine {
  readonly options: readonly OptionUse[];
  readonly resource: { readonly text: string; readonly token: number } | undefined;
  readonly applicationArguments: readonly string[];
  readonly findings: readonly SubmissionFinding[];
}

/**
 * Parses tokens by the grammar of spark-submit. The first token that is neither option nor value is the main
 * application resource; all later tokens are arguments of the application. Stops at the first invalid token, with a
 * finding.
 */
export function parseCommandLine(tokens: readonly string[], traits: VersionTraits): CommandLine {
  const options: OptionUse[] = [];
  const findings: SubmissionFinding[] = [];
  const done = (
    resource: CommandLine["resource"],
    applicationArguments: readonly string[],
  ): CommandLine => ({ options, resource, applicationArguments, findings });

  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] ?? "";
    const origin = { kind: "argument", token: index } as const;
    const [, inlineName, inlineValue] = /^(--[^=]+)=([^]+)$/.exec(token) ?? [];
    const option = findOption(inlineName ?? token, traits);
    if (option === undefined) {
      if (token.startsWith("-")) {
        findings.push(problems.unknownOption(token, origin));
        return done(undefined, []);
      }
      return done({ text: token, token: index }, tokens.slice(index + 1));
    }
    if (option.kind !== "value") {
      options.push({ name: option.name, value: "", token: index });
      continue;
    }
    // The next token is always the value, even if it looks like an option (`--name --x--`).
    const value = inlineValue ?? tokens[index + 1];
    if (value === undefined) {
      findings.push(problems.missingValue(option.name, origin));
      return done(undefined, []);
    }
    if (option.name === "--deploy-mode" && value !== "client" && value !== "cluster") {
      findings.push(problems.badDeployMode(value, origin));
      return done(undefined, []);
    }
    options.push({ name: option.name, value, token: index });
    if (inlineValue === undefined) index++;
  }
  return done(undefined, []);
}

/** Returns the last occurrence of an option, which overrides earlier ones. Undefined if there is none. */
export function lastUse(
  commandLine: CommandLine,
  name: CommandOption["name"],
): OptionUse | undefined {
  return commandLine.options.findLast((use) => use.name === name);
}

function findOption(text: string, traits: VersionTraits): CommandOption | undefined {
  return commandOptions.find(
    ({ name, alias, isKnownTo }) =>
      (name === text || alias === text) && (isKnownTo?.(traits) ?? true),
  );
}
