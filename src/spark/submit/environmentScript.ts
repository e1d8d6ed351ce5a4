import { confDirectory } from "./confLayers.ts";
import { absolutePath } from "./localPath.ts";
import { problems } from "./problems.ts";
import type { Checked } from "./submissionFinding.ts";
import type { Surroundings } from "./surroundings.ts";

/**
 * The environment as `spark-env.sh` leaves it, as far as its plain assignments go. The script is never run:
 * a file that lies in a folder is no reason to execute it.
 */
export function readEnvironmentScript(
  surroundings: Surroundings,
): Checked<Surroundings["environment"]> {
  const { environment, workingDirectory, files } = surroundings;
  const directory = confDirectory(environment);
  const path =
    directory === undefined ? "" : absolutePath(`${directory}/spark-env.sh`, workingDirectory);
  const script = directory === undefined ? undefined : files.text(path)?.text;
  if (script === undefined) return { value: environment, findings: [] };
  const assigned = script.split("\n").flatMap((line) => {
    const [, name, value] = /^\s*(?:export\s+)?([A-Za-z_]\w*)=(.*?)\s*$/.exec(line) ?? [];
    const plain = plainValue(value ?? "");
    return name === undefined || plain === undefined ? [] : [[name, plain] as const];
  });
  return {
    value: { ...environment, ...Object.fromEntries(assigned) },
    findings: [problems.environmentScript(path)],
  };
}

// What needs a shell to be understood is not plain.
function plainValue(text: string): string | undefined {
  const quoted = /^'([^']*)'$|^"([^"$`\\]*)"$/.exec(text);
  if (quoted) return quoted[1] ?? quoted[2];
  return /^[^\s'"$`\\;&|<>()*?#~]*$/.test(text) ? text : undefined;
}
