import { ok, type Result } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { Clock } from "../../engine/ports/clock.ts";
import { configurationFailure } from "../failure.ts";
import { fieldAt, isRecord, nonEmptyTextAt, parseJson } from "../../base/json.ts";
import type { Redactor } from "../redactor.ts";
import type { ProxyEnvironment } from "../../io/proxy/proxyOfEnvironment.ts";
import { checkCertificate } from "./checkCertificate.ts";
import type { Grant } from "./renewedCredentials.ts";
import { type ProgramEnd, runProgram } from "./runProgram.ts";

/**
 * `users[].user.exec` of a kubeconfig. `command` is a bare name, or a path that is resolved against the kubeconfig's
 * folder.
 */
export interface ExecEntry {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly installHint: string | undefined;
  readonly providesClusterInfo: boolean;
  readonly interactiveMode: string | undefined;
}

/** Cluster details for the plug-in: `spec.cluster` of an ExecCredential. */
export type ExecCluster = Readonly<Record<string, unknown>>;

interface PluginOptions {
  readonly env: ProxyEnvironment;
  readonly clock: Clock;
  readonly redactor: Redactor;
  readonly log: (line: string) => void;
}

const versions = ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"];
const limitMs = 60_000;

/** Checks an exec entry without running the plug-in. Returns an error if it cannot be used. */
export function checkExecEntry(entry: ExecEntry, user: string): Result<void, ClusterError> {
  const whose = `the user "${user}" of the kubeconfig`;
  if (entry.command === "") {
    return configurationFailure(
      "invalidKubeconfig",
      `${whose} has an exec entry without a command`,
    );
  }
  if (!versions.includes(entry.apiVersion)) {
    return configurationFailure(
      "unsupported",
      `${whose} requires the exec API version "${entry.apiVersion}", but only ${versions.join(" and ")} are supported. Update the kubeconfig as described by the provider of "${entry.command}"`,
    );
  }
  if (entry.interactiveMode === "Always") {
    return configurationFailure(
      "unsupported",
      `${whose} signs in with "${entry.command}", which requires a terminal (interactiveMode: Always). Sign in there first, and set interactiveMode to IfAvailable`,
    );
  }
  return ok(undefined);
}

/** Runs the plug-in once and parses the credentials that it prints. */
export async function runExecPlugin(
  entry: ExecEntry,
  cluster: ExecCluster,
  { env, clock, redactor, log }: PluginOptions,
  signal: AbortSignal,
): Promise<Result<Grant, ClusterError>> {
  const spec = entry.providesClusterInfo ? { cluster, interactive: false } : { interactive: false };
  const request = { apiVersion: entry.apiVersion, kind: "ExecCredential", spec };
  const program = {
    command: entry.command,
    args: entry.args,
    env: { ...env, ...entry.env, KUBERNETES_EXEC_INFO: JSON.stringify(request) },
  };
  log(`credentials: running "${entry.command}"`);
  const end = await runProgram(program, limitMs, clock, signal);
  if (end.kind !== "ended" || end.exitCode !== 0) {
    return configurationFailure("credentials", redactor.redact(describeEnd(entry, end)));
  }
  const grant = readExecCredential(entry, end.output);
  if (grant.ok) redactor.learn(grant.value.token, grant.value.certificate?.key);
  return grant;
}

function describeEnd(entry: ExecEntry, end: ProgramEnd): string {
  const command = `the credential command "${entry.command}"`;
  switch (end.kind) {
    case "notStarted":
      return end.code === "ENOENT"
        ? `${command} was not found. ${entry.installHint?.trim() ?? "Install it, or correct its path in the kubeconfig"}`
        : `${command} cannot be run (${end.code})`;
    case "tooLate":
      return `${command} did not end within ${limitMs / 1000} s and was stopped${words(end.errorOutput)}`;
    case "tooMuchOutput":
      return `${command} printed too much output`;
    case "ended":
      return `${command} failed with ${end.exitCode === undefined ? "a signal" : `exit code ${end.exitCode}`}${words(end.errorOutput)}`;
  }
}

// Keep the end of the output, because the cause is usually there.
function words(errorOutput: string): string {
  const text = errorOutput.trim();
  return text === "" ? "" : `: ${text.length > 2000 ? `…${text.slice(-2000)}` : text}`;
}

/** Parses the plug-in's output as an ExecCredential. Returns an error if the output is anything else. */
export function readExecCredential(entry: ExecEntry, output: string): Result<Grant, ClusterError> {
  const refuse = (why: string): Result<never, ClusterError> =>
    configurationFailure("credentials", `the command "${entry.command}" ${why}`);
  const json = parseJson(output);
  if (!json.ok || nonEmptyTextAt(json.value, "kind") !== "ExecCredential") {
    return refuse("did not print an ExecCredential");
  }
  const version = nonEmptyTextAt(json.value, "apiVersion");
  if (version !== entry.apiVersion) {
    return refuse(
      `returned the API version ${version ?? "(none)"}, but the kubeconfig specifies ${entry.apiVersion}`,
    );
  }
  const status = fieldAt(json.value, "status");
  const token = nonEmptyTextAt(status, "token");
  const cert = nonEmptyTextAt(status, "clientCertificateData");
  const key = nonEmptyTextAt(status, "clientKeyData");
  if (!isRecord(status) || (token === undefined && cert === undefined)) {
    return refuse("printed neither a token nor a certificate");
  }
  if ((cert === undefined) !== (key === undefined)) {
    return refuse("printed a certificate without its key, or a key without its certificate");
  }
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) {
    return refuse("printed a token that cannot be sent in a header");
  }
  const certificate = cert === undefined || key === undefined ? undefined : { cert, key };
  const problem = certificate && checkCertificate(certificate);
  if (problem !== undefined) return refuse(`printed a certificate that cannot be used: ${problem}`);
  const expiry = nonEmptyTextAt(status, "expirationTimestamp");
  const expiresAt = expiry === undefined ? undefined : Date.parse(expiry);
  if (expiresAt !== undefined && Number.isNaN(expiresAt)) {
    return refuse("printed an invalid expirationTimestamp");
  }
  return ok({ token, certificate, expiresAt });
}
