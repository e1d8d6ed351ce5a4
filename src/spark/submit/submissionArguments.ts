import { lastUse, type CommandLine } from "./commandLine.ts";
import type { ConfEntry, ResolvedConf } from "./conf.ts";
import { resolveUri } from "./dependencies.ts";
import { commandOptions, type CommandOption } from "./options.ts";
import { absolutePath, lastSegment } from "./localPath.ts";
import type { Surroundings } from "./surroundings.ts";
import type { VersionTraits } from "./versionTraits.ts";

export type ResourceKind = "java" | "python" | "r";

/** What a command line asks for, each value from the first of option, conf, environment that has it. */
export interface SubmissionArguments {
  /** The values that options may give, under the conf keys that they set. */
  readonly typed: ReadonlyMap<string, ConfEntry>;
  readonly remote: ConfEntry | undefined;
  readonly mainClass: ConfEntry | undefined;
  readonly resource: ConfEntry | undefined;
  readonly resourceKind: ResourceKind;
  readonly applicationArguments: readonly string[];
  readonly totalExecutorCores: ConfEntry | undefined;
  readonly proxyUser: ConfEntry | undefined;
}

const environmentNames: ReadonlyMap<string, string> = new Map([
  ["spark.master", "MASTER"],
  ["spark.submit.deployMode", "DEPLOY_MODE"],
  ["spark.driver.memory", "SPARK_DRIVER_MEMORY"],
  ["spark.executor.memory", "SPARK_EXECUTOR_MEMORY"],
  ["spark.executor.cores", "SPARK_EXECUTOR_CORES"],
]);

const olderSpellings: ReadonlyMap<string, string> = new Map([
  ["spark.kerberos.keytab", "spark.yarn.keytab"],
  ["spark.kerberos.principal", "spark.yarn.principal"],
]);

export function resolveArguments(
  commandLine: CommandLine,
  props: ResolvedConf,
  surroundings: Surroundings,
  traits: VersionTraits,
): SubmissionArguments {
  const { environment, workingDirectory } = surroundings;
  const fromOption = (name: CommandOption["name"]): ConfEntry | undefined => {
    const use = lastUse(commandLine, name);
    return use && { value: use.value, origin: { kind: "argument", token: use.token } };
  };
  const fromEnvironment = (name: string | undefined): ConfEntry | undefined => {
    const value = name === undefined ? undefined : environment[name];
    return name === undefined || value === undefined
      ? undefined
      : { value, origin: { kind: "environment", name } };
  };

  const typed = new Map<string, ConfEntry>();
  for (const { name, key, isConf } of commandOptions) {
    if (key === undefined || name === "--remote") continue;
    const entry =
      (isConf ? undefined : fromOption(name)) ??
      props.get(key) ??
      props.get(olderSpellings.get(key) ?? "") ??
      fromEnvironment(environmentNames.get(key));
    if (entry) typed.set(key, entry);
  }

  const { resource: token } = commandLine;
  const resource: ConfEntry | undefined = token && {
    value: token.text,
    origin: { kind: "argument", token: token.token },
  };
  const mainClass = fromOption("--class");
  if (!typed.has("spark.app.name")) {
    const path = absolutePath(resolveUri(resource?.value ?? "", surroundings), workingDirectory);
    const name = mainClass ?? (resource && { ...resource, value: lastSegment(path) });
    if (name) typed.set("spark.app.name", name);
  }
  return {
    typed,
    remote: traits.hasRemoteFlag
      ? (fromOption("--remote") ?? props.get("spark.remote") ?? fromEnvironment("SPARK_REMOTE"))
      : undefined,
    mainClass,
    resource,
    resourceKind: kindOfResource(resource?.value ?? ""),
    applicationArguments: commandLine.applicationArguments,
    totalExecutorCores: fromOption("--total-executor-cores") ?? props.get("spark.cores.max"),
    proxyUser: fromOption("--proxy-user"),
  };
}

function kindOfResource(resource: string): ResourceKind {
  if (resource.endsWith(".py")) return "python";
  return /\.[rR]$/.test(resource) ? "r" : "java";
}
