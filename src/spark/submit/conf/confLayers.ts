import type { ResolvedEntry, ResolvedConf } from "./conf.ts";
import { lastUse, type CommandLine } from "../arguments/commandLine.ts";
import { parseProperties } from "../../conf/parse/properties.ts";
import { absolutePath } from "../arguments/localPath.ts";
import { commandOptions } from "../arguments/options.ts";
import { problems } from "../plan/problems.ts";
import type { Checked, SubmissionFinding } from "../plan/submissionFinding.ts";
import type { SubmissionEnvironment } from "./environment.ts";

/**
 * Merges the `spark.*` properties. Precedence: `--conf`, extra properties files (last one first), the properties file,
 * `spark-defaults.conf`, `fallbacks`. Reads `spark-defaults.conf` only without a properties file or with
 * `--load-spark-defaults`. Includes options that are aliases of `--conf`, such as `--driver-memory`. `resolveArguments`
 * reads the other options with a conf key.
 */
export function layerConf(
  commandLine: CommandLine,
  submissionEnvironment: SubmissionEnvironment,
  fallbacks: Readonly<Record<string, string>> = {},
): Checked<ResolvedConf> {
  const findings: SubmissionFinding[] = [];
  const conf = new Map<string, ResolvedEntry>();
  const fill = (layer: ReadonlyMap<string, ResolvedEntry>): void => {
    for (const [key, entry] of layer) if (!conf.has(key)) conf.set(key, entry);
  };
  const fillFromFile = (path: string, isRequired: "required" | "optional", token: number): void => {
    const layer = readProperties(
      absolutePath(path, submissionEnvironment.workingDirectory),
      submissionEnvironment,
    );
    if (layer?.isBroken) findings.push(problems.brokenPropertiesFile(path));
    if (layer !== undefined) fill(layer.entries);
    else if (isRequired === "required") {
      findings.push(problems.missingPropertiesFile(path, { kind: "argument", token }));
    }
  };

  const { value: pairs, findings: pairFindings } = confPairs(commandLine);
  findings.push(...pairFindings);
  fill(pairs);
  const uses = (name: "--extra-properties-file"): CommandLine["options"] =>
    commandLine.options.filter((use) => use.name === name);
  for (const { value, token } of uses("--extra-properties-file").toReversed()) {
    fillFromFile(value, "required", token);
  }
  const propertiesFile = lastUse(commandLine, "--properties-file");
  if (propertiesFile) fillFromFile(propertiesFile.value, "required", propertiesFile.token);
  const directory = confDirectory(submissionEnvironment.environment);
  const wantsDefaults =
    propertiesFile === undefined || lastUse(commandLine, "--load-spark-defaults") !== undefined;
  if (wantsDefaults && directory !== undefined) {
    fillFromFile(`${directory}/spark-defaults.conf`, "optional", -1);
  }
  for (const [key, value] of Object.entries(fallbacks)) {
    if (!conf.has(key)) conf.set(key, { value, origin: { kind: "computed" } });
  }
  for (const [key, entry] of conf) {
    if (key.startsWith("spark.")) continue;
    conf.delete(key);
    findings.push(problems.keyIgnored(key, entry.origin));
  }
  return { value: conf, findings };
}

/**
 * Returns the submitter's configuration folder: `SPARK_CONF_DIR`, else `conf` in `SPARK_HOME`. Undefined if neither
 * variable is set.
 */
export function confDirectory(
  environment: SubmissionEnvironment["environment"],
): string | undefined {
  const { SPARK_CONF_DIR: named, SPARK_HOME: home } = environment;
  return named ?? (home === undefined ? undefined : `${home}/conf`);
}

function confPairs(commandLine: CommandLine): Checked<Map<string, ResolvedEntry>> {
  const pairs = new Map<string, ResolvedEntry>();
  const findings: SubmissionFinding[] = [];
  for (const { name, value, token } of commandLine.options) {
    const origin = { kind: "argument", token } as const;
    const option = commandOptions.find((each) => each.name === name);
    if (option?.isConf && option.key) pairs.set(option.key, { value, origin });
    if (name !== "--conf") continue;
    const equals = value.indexOf("=");
    if (equals < 0) findings.push(problems.confWithoutEquals(value, origin));
    else pairs.set(value.slice(0, equals), { value: value.slice(equals + 1), origin });
  }
  return { value: pairs, findings };
}

function readProperties(
  path: string,
  submissionEnvironment: SubmissionEnvironment,
):
  { readonly entries: ReadonlyMap<string, ResolvedEntry>; readonly isBroken: boolean } | undefined {
  const file = submissionEnvironment.files.text(path);
  if (file === undefined) return undefined;
  const origin = { kind: "file", path } as const;
  const { entries, findings } = parseProperties(file.text);
  return {
    entries: new Map(entries.map(({ key, value }) => [key, { value, origin }])),
    isBroken: findings.length > 0,
  };
}
