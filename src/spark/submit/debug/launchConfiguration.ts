import { nonEmptyTextAt, type Fields } from "../../../base/json.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { debugTargets, type DebugTarget } from "./debugRequest.ts";

/** The program of a launch configuration of the type `spark`. */
export type LaunchSource =
  | { readonly kind: "profile"; readonly name: string }
  /** Run as by Run on Cluster: with its profile, or with the answers of its last run. */
  | { readonly kind: "file"; readonly path: string }
  /** The members of a run profile. */
  | { readonly kind: "definition"; readonly members: Fields };

export interface LaunchConfiguration {
  readonly source: LaunchSource;
  readonly target: DebugTarget;
  readonly justMyCode: boolean;
  readonly isDebugged: boolean;
}

export type LaunchProblem = "nothingToRun" | "twoSources" | "unknownTarget";

/** Members of VS Code and of this type, which are not members of a profile. */
const ownMembers: ReadonlySet<string> = new Set([
  ...["type", "request", "name", "presentation", "preLaunchTask", "postDebugTask", "noDebug"],
  ...["internalConsoleOptions", "debugServer", "serverReadyAction", "windows", "linux", "osx"],
  ...["suppressMultipleSessionWarning", "profile", "program", "target", "justMyCode"],
]);

/** Decodes a launch configuration with its variables resolved. */
export function readLaunchConfiguration(
  configuration: Fields,
): Result<LaunchConfiguration, LaunchProblem> {
  const { target: given = "driver", justMyCode, noDebug } = configuration;
  const target = debugTargets.find((known) => known === given);
  if (target === undefined) return err("unknownTarget");
  const source = sourceOf(configuration);
  if (!source.ok) return source;
  return ok({
    source: source.value,
    target,
    justMyCode: justMyCode !== false,
    isDebugged: noDebug !== true,
  });
}

function sourceOf(configuration: Fields): Result<LaunchSource, LaunchProblem> {
  const name = nonEmptyTextAt(configuration, "profile");
  const program = nonEmptyTextAt(configuration, "program");
  // VS Code adds members that start with "__".
  const members = Object.fromEntries(
    Object.entries(configuration).filter(
      ([key]) => !ownMembers.has(key) && !key.startsWith("__") && !key.startsWith("$"),
    ),
  );
  const isProfile = Object.keys(members).length > 0;
  if (name !== undefined) {
    return isProfile || program !== undefined ? err("twoSources") : ok({ kind: "profile", name });
  }
  if (isProfile) {
    const application = nonEmptyTextAt(members, "application") ?? program;
    if (application === undefined) return err("nothingToRun");
    return ok({ kind: "definition", members: { ...members, application } });
  }
  return program === undefined ? err("nothingToRun") : ok({ kind: "file", path: program });
}
