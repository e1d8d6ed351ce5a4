import { err, ok, type Result } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { AccessConnection, Connection } from "../../engine/ports.ts";
import type { Access } from "../../spark/submit/access.ts";
import type { DriverQuery } from "../../spark/submit/driverQuery.ts";
import { addressesToFetch, prepareCommand } from "../../spark/submit/prepareSubmission.ts";
import { checkVariables } from "../../spark/submit/profile/variables.ts";
import {
  decodeRunProfile,
  needsConfirmation,
  profileIn,
  type Follow,
  type RunProfile,
} from "../../spark/submit/runProfile.ts";
import { minorOf } from "../../spark/submit/sparkVersion.ts";
import type { SubmissionFinding } from "../../spark/submit/submissionFinding.ts";
import type { TokenInput } from "../../spark/submit/submissionInput.ts";
import type { SubmissionPlan } from "../../spark/submit/submissionPlan.ts";
import type { Surroundings } from "../../spark/submit/surroundings.ts";
import { usageLines, versionLines } from "../../spark/submit/usageText.ts";
import { isVerbose, verboseLines } from "../../spark/submit/verboseLines.ts";
import { versionTraits } from "../../spark/submit/versionTraits.ts";
import { planOf, type PlanPlace } from "./planOf.ts";

/** What a run is made from: a run profile, its variables filled in, or a command line. */
export type RunSource =
  | { readonly kind: "profile"; readonly definition: unknown }
  | { readonly kind: "line"; readonly line: SubmitLine };

/** A spark-submit command line as a shell would hand it over. */
export interface SubmitLine {
  readonly input: TokenInput;
  /** What stands before the command: `NAME=value`. */
  readonly environment: Readonly<Record<string, string>>;
}

/** How a run gets at its cluster; each connection is the caller's to end. */
export interface RunClusters {
  readonly connect: (
    context: string | undefined,
    signal: AbortSignal,
  ) => Promise<Result<Connection, ClusterError>>;
  readonly connectTo: (
    access: Access,
    environment: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ) => Promise<Result<AccessConnection, ClusterError>>;
}

/** A run with all that is known before the first request. */
export type PreparedRun = PreparedSubmission | PreparedQuery | PreparedText;

export interface PreparedSubmission {
  readonly kind: "submit";
  readonly name: string;
  readonly plan: SubmissionPlan;
  readonly connection: AccessConnection;
  readonly follow: Follow;
  /** The profile asks for a confirmation in this context. */
  readonly needsConfirmation: boolean;
  /** For who asked to be told how the line was read. */
  readonly verbose: readonly string[];
  readonly warnings: readonly SubmissionFinding[];
}

export interface PreparedQuery {
  readonly kind: "kill" | "status";
  readonly query: DriverQuery;
  readonly connection: AccessConnection;
  readonly verbose: readonly string[];
}

/** Something to tell, and no cluster needed for it. */
export interface PreparedText {
  readonly kind: "text";
  readonly lines: readonly string[];
  readonly exitCode: number;
}

export type RunRefusal =
  | { readonly kind: "findings"; readonly findings: readonly SubmissionFinding[] }
  | { readonly kind: "cluster"; readonly error: ClusterError };

/** Reads what a run asks for and opens the way to its cluster. Nothing is sent yet. */
export const prepareRun = (
  source: RunSource,
  place: PlanPlace,
  clusters: RunClusters,
  signal: AbortSignal,
): Promise<Result<PreparedRun, RunRefusal>> =>
  source.kind === "profile"
    ? prepareProfile(source.definition, place, clusters, signal)
    : prepareLine(source.line, place, clusters, signal);

async function prepareProfile(
  definition: unknown,
  place: PlanPlace,
  { connect, connectTo }: RunClusters,
  signal: AbortSignal,
): Promise<Result<PreparedSubmission, RunRefusal>> {
  const { value: written, findings: misread } = decodeRunProfile(definition);
  const findings = [...misread, ...checkVariables(definition, "filled")];
  if (findings.some(({ severity }) => severity === "error")) return refuse(findings);
  const context = await contextOf(written, connect, signal);
  if (!context.ok) return context;
  const profile = profileIn(written, context.value?.context);
  const plan = await planOf(written, context.value, place, signal);
  if (!plan.ok) return refuse([...findings, ...plan.error]);
  const connection = await connectTo(plan.value.access, {}, signal);
  if (!connection.ok) return err({ kind: "cluster", error: connection.error });
  return ok({
    kind: "submit",
    name: profile.label ?? profile.name ?? profile.application,
    plan: plan.value,
    connection: connection.value,
    follow: profile.follow ?? "driver",
    needsConfirmation: needsConfirmation(written, context.value?.context),
    verbose: [],
    warnings: [...findings, ...plan.value.warnings],
  });
}

// What the context says of itself. Without a kubeconfig a profile is as good that names its master.
async function contextOf(
  { context, master }: RunProfile,
  connect: RunClusters["connect"],
  signal: AbortSignal,
): Promise<Result<Pick<Connection, "context" | "server" | "namespace"> | undefined, RunRefusal>> {
  const connected = await connect(context, signal);
  if (connected.ok) {
    connected.value.dispose();
    return connected;
  }
  const { error } = connected;
  const isAbsence =
    error.kind === "configuration" &&
    (error.problem === "noKubeconfig" || error.problem === "noContext");
  if (isAbsence && context === undefined && master !== undefined) return ok(undefined);
  return err({ kind: "cluster", error });
}

async function prepareLine(
  { input, environment }: SubmitLine,
  { surroundings: given, fetchTexts }: PlanPlace,
  { connectTo }: RunClusters,
  signal: AbortSignal,
): Promise<Result<PreparedRun, RunRefusal>> {
  const surroundings = surroundingsOf(given, environment);
  const fetched = await fetchTexts(addressesToFetch(input, surroundings), signal);
  const command = prepareCommand(input, { ...surroundings, fetched });
  if (!command.ok) return refuse(command.error);
  const { value } = command;
  const traits = versionTraits[minorOf(input.sparkVersion) ?? "4.3"];
  const verbose = (plan: SubmissionPlan | undefined): readonly string[] =>
    isVerbose(input.tokens, traits) ? verboseLines(input, plan?.conf, surroundings, traits) : [];
  switch (value.kind) {
    case "usage":
      return ok({ kind: "text", lines: usageLines(traits), exitCode: value.exitCode });
    case "version":
      return ok({ kind: "text", lines: versionLines(input.sparkVersion), exitCode: 0 });
    case "kill":
    case "status": {
      const { kind, query } = value;
      const connection = await connectTo(query.access, environment, signal);
      if (!connection.ok) return err({ kind: "cluster", error: connection.error });
      return ok({ kind, query, connection: connection.value, verbose: verbose(undefined) });
    }
    case "submit": {
      const { plan } = value;
      const connection = await connectTo(plan.access, environment, signal);
      if (!connection.ok) return err({ kind: "cluster", error: connection.error });
      return ok({
        kind: "submit",
        name: plan.conf.get("spark.app.name")?.value ?? plan.identity.driverPodName,
        plan,
        connection: connection.value,
        follow: plan.follow.kind === "none" ? "none" : "driver",
        needsConfirmation: false,
        verbose: verbose(plan),
        warnings: plan.warnings,
      });
    }
  }
}

/** The surroundings of a line that sets variables of its own. */
export const surroundingsOf = (
  given: Surroundings,
  environment: Readonly<Record<string, string>>,
): Surroundings => ({ ...given, environment: { ...given.environment, ...environment } });

const refuse = (findings: readonly SubmissionFinding[]): Result<never, RunRefusal> =>
  err({ kind: "findings", findings });
