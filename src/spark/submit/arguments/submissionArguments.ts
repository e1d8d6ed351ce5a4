import { lastUse, type CommandLine } from "./commandLine.ts";
import type { ResolvedEntry, ResolvedConf } from "../conf/conf.ts";
import { resolveUri } from "../conf/dependencies.ts";
import { kindOfFile, type ApplicationKind } from "./fileKind.ts";
import { commandOptions, type CommandOption } from "./options.ts";
import { absolutePath, lastSegment } from "./localPath.ts";
import type { SubmissionEnvironment } from "../conf/environment.ts";
import type { VersionTraits } from "../conf/versionTraits.ts";

/** The arguments of a submission. A value comes from its option, else from the conf, else from the environment. */
export interface SubmissionArguments {
  /** Effective values of the options that set a conf key, by that key. */
  readonly typed: ReadonlyMap<string, ResolvedEntry>;
  readonly remote: ResolvedEntry | undefined;
  readonly mainClass: ResolvedEntry | undefined;
  readonly resource: ResolvedEntry | undefined;
  readonly resourceKind: ApplicationKind;
  readonly applicationArguments: readonly string[];
  readonly totalExecutorCores: ResolvedEntry | undefined;
  readonly proxyUser: ResolvedEntry | undefined;
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
  submissionEnvironment: SubmissionEnvironment,
  traits: VersionTraits,
): SubmissionArguments {
  const { environment, workingDirectory } = submissionEnvironment;
  const fromOption = (name: CommandOption["name"]): ResolvedEntry | undefined => {
    const use = lastUse(commandLine, name);
    return use && { value: use.value, origin: { kind: "argument", token: use.token } };
  };
  const fromEnvironment = (name: string | undefined): ResolvedEntry | undefined => {
    const value = name === undefined ? undefined : environment[name];
    return name === undefined || value === undefined
      ? undefined
      : { value, origin: { kind: "environment", name } };
  };

  const typed = new Map<string, ResolvedEntry>();
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
  const resource: ResolvedEntry | undefined = token && {
    value: token.text,
    origin: { kind: "argument", token: token.token },
  };
  const mainClass = fromOption("--class");
  if (!typed.has("spark.app.name")) {
    const path = absolutePath(
      resolveUri(resource?.value ?? "", submissionEnvironment),
      workingDirectory,
    );
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
    resourceKind: kindOfFile(resource?.value ?? ""),
    applicationArguments: commandLine.applicationArguments,
    totalExecutorCores: fromOption("--total-executor-cores") ?? props.get("spark.cores.max"),
    proxyUser: fromOption("--proxy-user"),
  };
}
