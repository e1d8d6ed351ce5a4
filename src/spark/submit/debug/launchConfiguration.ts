import { fieldAt, nonEmptyTextAt, type Fields } from "../../../base/json.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { memberKeys } from "../profile/runProfile.ts";
import { defaultWaitMinutes } from "./debugWait.ts";
import { debugTargets, type DebugTarget } from "./debugRequest.ts";

/** The program of a launch configuration of the type `spark`. */
export type LaunchSource =
  | { readonly kind: "profile"; readonly name: string; readonly overrides: Fields }
  /** A file to run like the command Run on Cluster: with its profile, or with the definition of its last run. */
  | { readonly kind: "file"; readonly path: string; readonly overrides: Fields }
  /** The members of a complete run profile. */
  | { readonly kind: "definition"; readonly members: Fields };

export interface LaunchConfiguration {
  readonly source: LaunchSource;
  readonly target: DebugTarget;
  readonly justMyCode: boolean;
  /**
   * Stops a Python driver at the first line of its main file. Has no effect on JVM drivers. Always false for executors.
   */
  readonly stopOnEntry: boolean;
  readonly waitSeconds: number;
  readonly isDebugged: boolean;
}

export type LaunchProblem =
  "nothingToRun" | "twoSources" | "unknownTarget" | "entryOfExecutor" | "badWait";

/** Members of a launch configuration that belong to VS Code or to the type `spark`, not to a run profile. */
const ownMembers: ReadonlySet<string> = new Set([
  ...["type", "request", "name", "presentation", "preLaunchTask", "postDebugTask", "noDebug"],
  ...["internalConsoleOptions", "debugServer", "serverReadyAction", "windows", "linux", "osx"],
  ...["suppressMultipleSessionWarning", "profile", "program", "target", "justMyCode"],
  ...["stopOnEntry", "waitMinutes"],
]);

/** Decodes a launch configuration whose variables are resolved. */
export function readLaunchConfiguration(
  configuration: Fields,
): Result<LaunchConfiguration, LaunchProblem> {
  const { target: given = "driver", justMyCode, noDebug } = configuration;
  const { waitMinutes = defaultWaitMinutes } = configuration;
  const target = debugTargets.find((known) => known === given);
  if (target === undefined) return err("unknownTarget");
  const stopOnEntry = configuration["stopOnEntry"] === true;
  if (stopOnEntry && target === "executor") return err("entryOfExecutor");
  if (!isWait(waitMinutes)) return err("badWait");
  const source = sourceOf(configuration);
  if (!source.ok) return source;
  return ok({
    source: source.value,
    target,
    justMyCode: justMyCode !== false,
    stopOnEntry,
    waitSeconds: Math.round(waitMinutes * 60),
    isDebugged: noDebug !== true,
  });
}

function sourceOf(configuration: Fields): Result<LaunchSource, LaunchProblem> {
  const name = nonEmptyTextAt(configuration, "profile");
  const program = nonEmptyTextAt(configuration, "program");
  // Also omits the members that start with "$", or with "__", which VS Code adds.
  const members = Object.fromEntries(
    Object.entries(configuration).filter(
      ([key]) => !ownMembers.has(key) && !key.startsWith("__") && !key.startsWith("$"),
    ),
  );
  const application = nonEmptyTextAt(members, "application");
  if (name !== undefined) {
    return application === undefined && program === undefined
      ? ok({ kind: "profile", name, overrides: members })
      : err("twoSources");
  }
  if (application === undefined && program === undefined) return err("nothingToRun");
  if (program === undefined || application !== undefined || namesImage(members)) {
    return ok({
      kind: "definition",
      members: { ...members, application: application ?? program },
    });
  }
  return ok({ kind: "file", path: program, overrides: members });
}

/**
 * True if the launch configuration sets an image. Without one it is not a complete definition, so its properties only
 * override the definition that the program's file already has.
 */
const namesImage = (members: Fields): boolean =>
  nonEmptyTextAt(members, "image") !== undefined ||
  nonEmptyTextAt(fieldAt(members, "conf"), memberKeys.image) !== undefined;

/** True for a number of minutes greater than 0 and at most one day. */
const isWait = (minutes: unknown): minutes is number =>
  typeof minutes === "number" && minutes > 0 && minutes <= 1440;
