import { confDirectory } from "../conf/confLayers.ts";
import { absolutePath } from "./localPath.ts";
import { problems } from "../plan/problems.ts";
import type { Checked } from "../plan/submissionFinding.ts";
import type { SubmissionEnvironment } from "../conf/environment.ts";

/**
 * Returns the environment, overridden by the assignments of `spark-env.sh` that need no shell expansion. Never executes
 * the script, because the user has not allowed it. If the script exists, warns that it was not executed.
 */
export function readEnvironmentScript(
  submissionEnvironment: SubmissionEnvironment,
): Checked<SubmissionEnvironment["environment"]> {
  const { environment, workingDirectory, files } = submissionEnvironment;
  const directory = confDirectory(environment);
  const path =
    directory === undefined ? "" : absolutePath(`${directory}/spark-env.sh`, workingDirectory);
  const script = directory === undefined ? undefined : files.text(path)?.text;
  if (script === undefined) return { value: environment, findings: [] };
  const assigned = script.split("\n").flatMap((line) => {
    const [, name, value] = /^\s*(?:export\s+)?([A-Za-z_]\w*)=([^]*)$/.exec(line) ?? [];
    const plain = plainValue((value ?? "").trimEnd());
    return name === undefined || plain === undefined ? [] : [[name, plain] as const];
  });
  return {
    value: { ...environment, ...Object.fromEntries(assigned) },
    findings: [problems.environmentScript(path)],
  };
}

// Returns the value without its quotes. Undefined if only a shell can expand it.
function plainValue(text: string): string | undefined {
  const quoted = /^'([^']*)'$|^"([^"$`\\]*)"$/.exec(text);
  if (quoted) return quoted[1] ?? quoted[2];
  return /^[^\s'"$`\\;&|<>()*?#~]*$/.test(text) ? text : undefined;
}
