import { err, ok, type Result } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { AccessOffer, ClusterTarget, Connection } from "../../engine/ports/connection.ts";
import type { PackagesState } from "../../engine/submit/packagesState.ts";
import { withWrittenToken, type ConfAccess } from "../../spark/submit/conf/access.ts";
import type { DriverQuery } from "../../spark/submit/plan/driverQuery.ts";
import type { ParsedSubmission } from "../../spark/submit/plan/parsedSubmission.ts";
import { planSubmission } from "../../spark/submit/plan/prepareSubmission.ts";
import { resolveCommand } from "../../spark/submit/plan/resolveCommand.ts";
import { checkVariables } from "../../spark/submit/profile/variables.ts";
import {
  decodeRunProfile,
  needsConfirmation,
  profileIn,
  type FollowChoice,
  type RunProfile,
} from "../../spark/submit/profile/runProfile.ts";
import type { SubmissionFinding } from "../../spark/submit/plan/submissionFinding.ts";
import type { TokenInput } from "../../spark/submit/plan/submissionInput.ts";
import type { SubmissionPlan } from "../../spark/submit/plan/submissionPlan.ts";
import type { SubmissionEnvironment } from "../../spark/submit/conf/environment.ts";
import { lastSegment } from "../../spark/submit/arguments/localPath.ts";
import { usageLines, versionLines } from "../../spark/submit/arguments/usageText.ts";
import { isVerbose, verboseLines } from "../../spark/submit/arguments/verboseLines.ts";
import { fetchTemplates, type PlanPlace } from "./fetchTemplates.ts";
import { planOf } from "./planOf.ts";

/** The source of a run: a run profile with its variables resolved, or a command line. */
export type RunSource =
  | {
      readonly kind: "profile";
      readonly definition: unknown;
      /** Variables that stay unresolved, because only a submission may resolve them. */
      readonly deferred?: readonly string[];
      /** The definition before variable substitution. */
      readonly written: unknown;
    }
  | { readonly kind: "line"; readonly line: SubmitLine };

/** A spark-submit command line, tokenized as by a shell. */
export interface SubmitLine {
  readonly submission: ParsedSubmission<TokenInput>;
  /** Assignments before the command: `NAME=value`. */
  readonly environment: Readonly<Record<string, string>>;
  /** The line's KUBECONFIG, if the user agreed to it. */
  readonly kubeconfig: string | undefined;
  /** The command's text before variable substitution. */
  readonly written: string;
}

/** Provides the clusters of a run. The caller disposes connections; targets and offers need no disposal. */
export interface RunClusters {
  readonly target: (
    context: string | undefined,
    signal: AbortSignal,
  ) => Promise<Result<ClusterTarget, ClusterError>>;
  readonly connect: (
    context: string | undefined,
    signal: AbortSignal,
  ) => Promise<Result<Connection, ClusterError>>;
  readonly connectTo: (
    access: ConfAccess,
    kubeconfig: string | undefined,
    signal: AbortSignal,
  ) => Promise<Result<AccessOffer, ClusterError>>;
}

/** A run before its first request to the cluster. */
export type PreparedRun = PreparedSubmission | PreparedQuery | PreparedText;

export interface PreparedSubmission {
  readonly kind: "submit";
  readonly name: string;
  readonly plan: SubmissionPlan;
  /** The known state of the run's Python packages. */
  readonly packages: PackagesState;
  readonly offer: AccessOffer;
  readonly follow: FollowChoice;
  /** True if the profile requires a confirmation in this context. */
  readonly needsConfirmation: boolean;
  /** The lines that `--verbose` prints; empty without this option. */
  readonly verbose: readonly string[];
  readonly warnings: readonly SubmissionFinding[];
}

export interface PreparedQuery {
  readonly kind: "kill" | "status";
  readonly query: DriverQuery;
  readonly offer: AccessOffer;
  readonly verbose: readonly string[];
}

/** Text to print, such as the usage; needs no cluster. */
export interface PreparedText {
  readonly kind: "text";
  readonly lines: readonly string[];
  readonly exitCode: number;
}

export type RunRefusal =
  | { readonly kind: "findings"; readonly findings: readonly SubmissionFinding[] }
  | { readonly kind: "cluster"; readonly error: ClusterError };

/** Parses a run's source and resolves its cluster. Sends nothing but requests for pod templates. */
export const prepareRun = (
  source: RunSource,
  place: PlanPlace,
  clusters: Pick<RunClusters, "target" | "connectTo">,
  signal: AbortSignal,
): Promise<Result<PreparedRun, RunRefusal>> =>
  source.kind === "profile"
    ? prepareProfile(source, place, clusters, signal)
    : prepareLine(source.line, place, clusters, signal);

async function prepareProfile(
  { definition, deferred, written: unfilled }: Extract<RunSource, { readonly kind: "profile" }>,
  place: PlanPlace,
  { target, connectTo }: Pick<RunClusters, "target" | "connectTo">,
  signal: AbortSignal,
): Promise<Result<PreparedSubmission, RunRefusal>> {
  const { value: written, findings: misread } = decodeRunProfile(definition);
  const findings = [...misread, ...checkVariables(definition, "filled", deferred)];
  if (findings.some(({ severity }) => severity === "error")) return refuse(findings);
  const context = await contextOf(written, target, signal);
  if (!context.ok) return context;
  const profile = profileIn(written, context.value?.context);
  const filled = { profile: written, unfilled: textOf(unfilled) };
  const planned = await planOf(filled, context.value, place, signal);
  if (!planned.ok) return refuse([...findings, ...planned.error]);
  const { plan, packages } = planned.value;
  const access = withWrittenToken(plan.access, filled.unfilled, {});
  const offer = await connectTo(access, undefined, signal);
  if (!offer.ok) return err({ kind: "cluster", error: offer.error });
  return ok({
    kind: "submit",
    name: profile.label ?? profile.name ?? lastSegment(profile.application),
    plan,
    packages,
    offer: offer.value,
    follow: profile.follow ?? "driver",
    needsConfirmation: needsConfirmation(written, context.value?.context),
    verbose: [],
    warnings: [...findings, ...plan.warnings],
  });
}

// Resolves the context's server and namespace. A profile with a master needs no kubeconfig.
async function contextOf(
  { context, master }: RunProfile,
  target: RunClusters["target"],
  signal: AbortSignal,
): Promise<Result<ClusterTarget | undefined, RunRefusal>> {
  const found = await target(context, signal);
  if (found.ok) return found;
  const { error } = found;
  const isAbsence =
    error.kind === "configuration" &&
    (error.problem === "noKubeconfig" || error.problem === "noContext");
  if (isAbsence && context === undefined && master !== undefined) return ok(undefined);
  return err({ kind: "cluster", error });
}

async function prepareLine(
  { submission, environment, kubeconfig, written }: SubmitLine,
  place: PlanPlace,
  { connectTo }: Pick<RunClusters, "connectTo">,
  signal: AbortSignal,
): Promise<Result<PreparedRun, RunRefusal>> {
  const submissionEnvironment = submissionEnvironmentOf(place.submissionEnvironment, environment);
  const command = resolveCommand(submission, submissionEnvironment);
  if (!command.ok) return refuse(command.error);
  const { value } = command;
  const { input, traits } = submission;
  const verbose = (plan: SubmissionPlan | undefined): readonly string[] =>
    isVerbose(submission) ? verboseLines(submission, plan?.conf, submissionEnvironment) : [];
  switch (value.kind) {
    case "usage":
      return ok({ kind: "text", lines: usageLines(traits), exitCode: value.exitCode });
    case "version":
      return ok({ kind: "text", lines: versionLines(input.sparkVersion), exitCode: 0 });
    case "kill":
    case "status": {
      const { kind, query } = value;
      const offer = await connectTo(
        withWrittenToken(query.access, written, environment),
        kubeconfig,
        signal,
      );
      if (!offer.ok) return err({ kind: "cluster", error: offer.error });
      return ok({ kind, query, offer: offer.value, verbose: verbose(undefined) });
    }
    case "submit": {
      const fetched = await fetchTemplates(value.resolved, place, written, signal);
      const planned = planSubmission(value.resolved, { fetched, debug: place.debug });
      if (!planned.ok) return refuse(planned.error);
      const plan = planned.value;
      const offer = await connectTo(
        withWrittenToken(plan.access, written, environment),
        kubeconfig,
        signal,
      );
      if (!offer.ok) return err({ kind: "cluster", error: offer.error });
      return ok({
        kind: "submit",
        name: plan.conf.get("spark.app.name")?.value ?? plan.identity.driverPodName,
        plan,
        packages: { kind: "none" },
        offer: offer.value,
        follow: plan.follow.kind === "none" ? "none" : "driver",
        needsConfirmation: false,
        verbose: verbose(plan),
        warnings: plan.warnings,
      });
    }
  }
}

/** Returns the text of a run's document before variable substitution. */
export const writtenText = (source: RunSource): string =>
  source.kind === "line" ? source.line.written : textOf(source.written);

function textOf(definition: unknown): string {
  if (typeof definition === "string") return definition;
  if (typeof definition === "number" || typeof definition === "boolean") return `${definition}`;
  if (typeof definition !== "object" || definition === null) return "";
  return Object.values(definition).map(textOf).join("\n");
}

/** Adds the assignments of a command line to the environment. */
export const submissionEnvironmentOf = (
  given: SubmissionEnvironment,
  environment: Readonly<Record<string, string>>,
): SubmissionEnvironment => ({ ...given, environment: { ...given.environment, ...environment } });

const refuse = (findings: readonly SubmissionFinding[]): Result<never, RunRefusal> =>
  err({ kind: "findings", findings });
