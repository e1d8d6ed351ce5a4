import type { ConfEntry, ResolvedConf } from "./conf.ts";
import { lastUse, type CommandLine } from "./commandLine.ts";
import { hasBrokenEscape, parseJavaProperties } from "./javaProperties.ts";
import { absolutePath } from "./localPath.ts";
import { commandOptions } from "./options.ts";
import { problems } from "./problems.ts";
import type { Checked, SubmissionFinding } from "./submissionFinding.ts";
import type { Surroundings } from "./surroundings.ts";

/**
 * The `spark.*` properties before the options that have keys of their own: `--conf` over extra files (the
 * last one first) over the properties file over `spark-defaults.conf`, which is read only when no
 * properties file is given or `--load-spark-defaults` asks for it. `fallbacks` are below all of them.
 */
export function layerConf(
  commandLine: CommandLine,
  surroundings: Surroundings,
  fallbacks: Readonly<Record<string, string>> = {},
): Checked<ResolvedConf> {
  const findings: SubmissionFinding[] = [];
  const conf = new Map<string, ConfEntry>();
  const fill = (layer: ReadonlyMap<string, ConfEntry>): void => {
    for (const [key, entry] of layer) if (!conf.has(key)) conf.set(key, entry);
  };
  const fillFromFile = (path: string, isRequired: "required" | "optional", token: number): void => {
    const layer = readProperties(absolutePath(path, surroundings.workingDirectory), surroundings);
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
  const directory = confDirectory(surroundings.environment);
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

/** Where the submitter's configuration lies; the scripts fall back to the one in `SPARK_HOME`. */
export function confDirectory(environment: Surroundings["environment"]): string | undefined {
  const { SPARK_CONF_DIR: named, SPARK_HOME: home } = environment;
  return named ?? (home === undefined ? undefined : `${home}/conf`);
}

function confPairs(commandLine: CommandLine): Checked<Map<string, ConfEntry>> {
  const pairs = new Map<string, ConfEntry>();
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
  surroundings: Surroundings,
): { readonly entries: ReadonlyMap<string, ConfEntry>; readonly isBroken: boolean } | undefined {
  const file = surroundings.files.text(path);
  if (file === undefined) return undefined;
  const origin = { kind: "file", path } as const;
  const pairs = parseJavaProperties(file.text).map(
    ([key, value]) => [key, { value: trimExceptLineEnds(value), origin }] as const,
  );
  return { entries: new Map(pairs), isBroken: hasBrokenEscape(file.text) };
}

// Escaped line ends are meant; blanks around a value are not.
function trimExceptLineEnds(text: string): string {
  return text.replace(/^(?:(?![\r\n])[\u0000-\u0020])+|(?:(?![\r\n])[\u0000-\u0020])+$/g, "");
}
