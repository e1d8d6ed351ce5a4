// Converts between spark-submit command lines and submission requests.
import { msg, type Message } from "../../base/message.ts";
import { parseCommandLine, type CommandLine } from "../submit/arguments/commandLine.ts";
import { commandOptions, type CommandOption } from "../submit/arguments/options.ts";
import { problems } from "../submit/plan/problems.ts";
import { minorOf, sparkMinors, type SparkMinor } from "../submit/conf/sparkVersion.ts";
import type { SubmissionFinding } from "../submit/plan/submissionFinding.ts";
import type { TokenInput } from "../submit/plan/submissionInput.ts";
import { versionTraits, type VersionTraits } from "../submit/conf/versionTraits.ts";
import {
  deployModeKey,
  masterKey,
  type IgnoredOption,
  type ConversionLoss,
  type SubmissionRequest,
  type Translated,
} from "./submissionRequest.ts";

export interface ReadLine extends Translated<SubmissionRequest> {
  /** The findings of spark-submit's parser; the request ends where the parser stops. */
  readonly findings: readonly SubmissionFinding[];
}

export function requestOfLine({ tokens, sparkVersion }: TokenInput): ReadLine {
  const line = parseCommandLine(tokens, traitsOf(sparkVersion));
  const losses: ConversionLoss[] = [];
  const pairs = new Map<string, string>();
  const typed = new Map<string, string>();
  const single = new Map<string, string>();
  const extraPropertiesFiles: string[] = [];
  const idle = new Map<string, IgnoredOption>();
  for (const { name, value } of line.options) {
    const { key, isConf } = optionsByName.get(name) ?? {};
    if (key !== undefined) (isConf ? pairs : typed).set(key, value);
    else if (singleOptions.has(name)) single.set(name, value);
    else if (name === "--extra-properties-file") extraPropertiesFiles.push(value);
    else if (name === "--conf") losses.push(...addPair(pairs, value));
    else idle.set(name, { name, value });
  }
  return {
    value: {
      sparkVersion,
      resource: line.resource?.text,
      mainClass: single.get("--class"),
      arguments: line.applicationArguments,
      proxyUser: single.get("--proxy-user"),
      // An option overrides the same key of `--conf`.
      conf: new Map([...pairs, ...typed]),
      propertiesFile: single.get("--properties-file"),
      extraPropertiesFiles,
      loadsDefaults: single.has("--load-spark-defaults"),
      idle: [...idle.values()],
      templates: {},
    },
    losses,
    findings: [...line.findings, ...missingApplication(line)],
  };
}

/** Returns the command line of the request. Prefers dedicated options to `--conf`. Ignores inline pod templates. */
export function lineOfRequest(request: SubmissionRequest, sparkVersion: string): TokenInput {
  const traits = traitsOf(sparkVersion);
  const conf = new Map(request.conf);
  const tokens: string[] = [];
  const option = (name: string, value: string | undefined): void => {
    if (value !== undefined) tokens.push(name, value);
  };
  for (const { name, key, isKnownTo } of commandOptions) {
    const value = key === undefined ? undefined : conf.get(key);
    if (key === undefined || value === undefined || !keys.has(name)) continue;
    if (!(isKnownTo?.(traits) ?? true) || (key === deployModeKey && !isMode(value))) continue;
    option(name, value);
    conf.delete(key);
  }
  option("--class", request.mainClass);
  option("--proxy-user", request.proxyUser);
  option("--properties-file", request.propertiesFile);
  for (const path of request.extraPropertiesFiles) option("--extra-properties-file", path);
  if (request.loadsDefaults) tokens.push("--load-spark-defaults");
  for (const { name, value } of request.idle) {
    if (switches.has(name)) tokens.push(name);
    else option(name, value);
  }
  for (const [key, value] of conf) option("--conf", `${key}=${value}`);
  if (request.resource !== undefined) tokens.push(request.resource, ...request.arguments);
  return { kind: "tokens", sparkVersion, tokens };
}

/** Adds the master, with the prefix `k8s://`, unless the request has one. */
export function withMaster(
  request: SubmissionRequest,
  master: string | undefined,
): SubmissionRequest {
  if (master === undefined || request.conf.has(masterKey)) return request;
  const text = master.startsWith("k8s://") ? master : `k8s://${master}`;
  return { ...request, conf: new Map([[masterKey, text], ...request.conf]) };
}

/** Returns the traits of a version; an unknown version has those of the newest one. */
function traitsOf(sparkVersion: string): VersionTraits {
  const newest: SparkMinor = sparkMinors[sparkMinors.length - 1] ?? "4.3";
  return versionTraits[minorOf(sparkVersion) ?? newest];
}

const optionsByName: ReadonlyMap<string, CommandOption> = new Map(
  commandOptions.map((option) => [option.name, option]),
);

const keys: ReadonlyMap<string, string> = new Map(
  commandOptions.flatMap(({ name, key }) => (key === undefined ? [] : [[name, key]])),
);

const singleOptions: ReadonlySet<string> = new Set([
  "--class",
  "--proxy-user",
  "--properties-file",
  "--load-spark-defaults",
]);

const switches: ReadonlySet<string> = new Set(
  commandOptions.flatMap(({ name, kind }) => (kind === "value" ? [] : [name])),
);

const actions: readonly string[] = ["--kill", "--status", "--version", "--help", "--usage-error"];

function missingApplication({
  options,
  resource,
  findings,
}: CommandLine): readonly SubmissionFinding[] {
  if (options.some(({ name }) => actions.includes(name))) return [problems.notASubmission()];
  // The parser may have stopped before the resource.
  return findings.length === 0 && (resource?.text ?? "") === "" ? [problems.noResource()] : [];
}

const isMode = (mode: string): boolean => mode === "cluster" || mode === "client";

function addPair(pairs: Map<string, string>, pair: string): readonly ConversionLoss[] {
  const equals = pair.indexOf("=");
  const key = pair.slice(0, Math.max(equals, 0));
  const dropped = (reason: Message): readonly ConversionLoss[] => [
    { kind: "dropped", entry: `--conf ${pair}`, reason },
  ];
  if (equals < 0)
    return dropped(msg('It has no "=" between key and value, so spark-submit rejects it.'));
  if (!key.startsWith("spark."))
    return dropped(msg('spark-submit ignores keys that do not start with "spark.".'));
  pairs.set(key, pair.slice(equals + 1));
  return [];
}
