import { err, ok, type Result } from "../../base/result.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import { packagesState, type PackagesState } from "../../engine/submit/packagesState.ts";
import type { PackageArchive } from "../../spark/submit/packages/packageArchive.ts";
import { parseSubmission } from "../../spark/submit/plan/parsedSubmission.ts";
import { planSubmission } from "../../spark/submit/plan/prepareSubmission.ts";
import { problems } from "../../spark/submit/plan/problems.ts";
import {
  localPythonProgram,
  resolveSubmission,
  type ResolvedSubmission,
} from "../../spark/submit/plan/resolveSubmission.ts";
import {
  memberOfToken,
  profileIn,
  profileToSubmission,
  type RunProfile,
} from "../../spark/submit/profile/runProfile.ts";
import type {
  FindingOrigin,
  SubmissionFinding,
} from "../../spark/submit/plan/submissionFinding.ts";
import type { SubmissionPlan } from "../../spark/submit/plan/submissionPlan.ts";
import { withBuiltJar } from "./builtProgram.ts";
import { collectCode } from "./collectCode.ts";
import { fetchTemplates, type PlanPlace } from "./fetchTemplates.ts";

/** A profile after variable substitution, and its text before it. */
export interface FilledProfile {
  readonly profile: RunProfile;
  readonly unfilled: string;
}

/**
 * Returns the submission plan of a profile; the findings point at the profile's members. `context`: supplies the
 * server and namespace if the profile has none.
 */
export async function planOf(
  { profile: written, unfilled }: FilledProfile,
  context: Pick<Connection, "context" | "server" | "namespace"> | undefined,
  place: PlanPlace,
  signal: AbortSignal,
): Promise<Result<PlanWithPackages, readonly SubmissionFinding[]>> {
  const chosen = profileIn(written, context?.context);
  const built = await builtIn(chosen, place);
  if (!built.ok) return built;
  const submitted = built.value;
  // Unlike spark-submit, which uses namespace "default", take the context's namespace.
  const defaults = { master: context?.server, namespace: context?.namespace, context: undefined };
  const input = profileToSubmission(submitted, { ...defaults, sparkVersion: "" });
  if (input.sparkVersion === "") return err([problems.noVersion()]);
  const toMember = <T extends { readonly origin: FindingOrigin | undefined }>(found: T): T => {
    if (found.origin?.kind !== "argument") return found;
    const path = memberOfToken(written, submitted, context?.context, found.origin.token);
    return path === undefined ? found : { ...found, origin: { kind: "member", path } };
  };
  const resolved = resolveSubmission(parseSubmission(input), place.submissionEnvironment);
  if (!resolved.ok) return err(resolved.error.map(toMember));
  const fetched = await fetchTemplates(resolved.value, place, unfilled, signal);
  const code = await collectCode(resolved.value, submitted, place.collectCode, signal);
  if (!code.ok) return code;
  const { shell } = submitted;
  const parts = { fetched, code: code.value, shell, debug: place.debug };
  const bare = planSubmission(resolved.value, parts);
  const packages = bare.ok
    ? await packagesOf(resolved.value, submitted, bare.value, place)
    : nonePackages;
  const archive = archiveToSend(packages, place);
  const plan =
    archive === undefined ? bare : planSubmission(resolved.value, { ...parts, packages: archive });
  if (!plan.ok) return err(plan.error.map(toMember));
  const { conf, warnings } = plan.value;
  return ok({
    plan: {
      ...plan.value,
      conf: new Map([...conf].map(([key, entry]) => [key, toMember(entry)] as const)),
      warnings: warnings.map(toMember),
    },
    packages,
  });
}

export interface PlanWithPackages {
  readonly plan: SubmissionPlan;
  /** The state of the Python packages. The plan sends them if the user agreed and their archive exists. */
  readonly packages: PackagesState;
}

/** Returns the profile, with the built jar in place of a Scala or Java file. */
const builtIn = (
  profile: RunProfile,
  { jvm, submissionEnvironment }: PlanPlace,
): ReturnType<typeof withBuiltJar> =>
  jvm === undefined
    ? Promise.resolve(ok(profile))
    : withBuiltJar(profile, { jvm, workingDirectory: submissionEnvironment.workingDirectory });

const nonePackages: PackagesState = { kind: "none" };

async function packagesOf(
  resolved: ResolvedSubmission,
  { pythonPackages = "ask" }: RunProfile,
  plan: SubmissionPlan,
  { packages }: PlanPlace,
): Promise<PackagesState> {
  const path = packages && localPythonProgram(resolved);
  if (packages === undefined || path === undefined) return nonePackages;
  const program = {
    path,
    root: resolved.submissionEnvironment.workingDirectory,
    choice: pythonPackages,
  };
  return packagesState(program, plan, packages.store);
}

function archiveToSend(
  state: PackagesState,
  { packages }: Pick<PlanPlace, "packages">,
): PackageArchive | undefined {
  if (state.kind !== "missing") return undefined;
  const { choice, needs, missing, archive } = state;
  const isWanted = choice === "send" || packages?.answer(needs, missing) === "send";
  return isWanted ? archive : undefined;
}
