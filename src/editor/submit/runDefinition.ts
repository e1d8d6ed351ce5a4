import type { Task, TaskDefinition, Uri } from "vscode";
import { matchingFirst } from "../../base/matchingFirst.ts";
import { timeOfDay } from "../../base/timeOfDay.ts";
import type { TargetArgument } from "../commandArguments.ts";
import type { FindingPlace, ProfileFinding } from "../profiles/profileFinding.ts";
import type { LastRun } from "./knownRuns.ts";

/** A run profile, or a definition that is not in tasks.json. */
export type SubmissionChoice =
  | { readonly kind: "profile"; readonly task: Task }
  | { readonly kind: "definition"; readonly definition: TaskDefinition };

export const nameOfChoice = (choice: SubmissionChoice): string =>
  choice.kind === "profile" ? choice.task.name : titleOf(choice.definition);

/** A task definition that runs a program file. Call `accepted` when the cluster has accepted the submission. */
export interface DefinedProgram {
  readonly definition: TaskDefinition;
  readonly accepted: () => Promise<void>;
}

/** Returns the argument of a command if it is a file, else undefined. */
export const fileOf = (target: TargetArgument): Uri | undefined =>
  target !== undefined && "scheme" in target ? target : undefined;

/**
 * Returns a name for a definition without a label: its name, else its class, else its application, without path and
 * package.
 */
export const titleOf = ({ application, class: mainClass, name }: TaskDefinition): string =>
  nameOfApplication([name, mainClass, application].find(isText) ?? "spark");

/** Returns `orders.py` for `local:///jobs/orders.py`, and `Orders` for `org.example.Orders`. */
export function nameOfApplication(application: string): string {
  const last = application.slice(application.lastIndexOf("/") + 1);
  return /\.(?:py|jar|r)$/i.test(last) ? last : last.slice(last.lastIndexOf(".") + 1);
}

const isText = (value: unknown): value is string => typeof value === "string";

/** Adds the context unless the definition has one. Returns the same object if nothing changes. */
export const inContext = (
  definition: TaskDefinition,
  context: string | undefined,
): TaskDefinition =>
  context === undefined || definition["context"] !== undefined
    ? definition
    : { ...definition, context };

export const isLastProfile = (last: LastRun | undefined, { name }: Pick<Task, "name">): boolean =>
  last?.kind === "profile" && last.name === name;

/** Puts the profile of the last run first. */
export const lastProfileFirst = <T extends Pick<Task, "name">>(
  profiles: readonly T[],
  last: LastRun | undefined,
): readonly T[] => matchingFirst(profiles, (task) => isLastProfile(last, task));

interface ProfileRun {
  /** True if the run differs from the profile, or another feature controls it. */
  readonly isChanged: boolean;
  readonly isActive: boolean;
  /** True if the user has answered input variables already. */
  readonly isAnswered: boolean;
  /** True if only VS Code can resolve the tasks that the profile depends on. */
  readonly needsEditor: boolean;
}

/**
 * True if VS Code runs the profile's own task, with its dependencies. Otherwise a copy runs, because VS Code would
 * show the active run instead, ask for input variables again, or resolve the task without the changes.
 */
export const runsOwnTask = ({
  isChanged,
  isActive,
  isAnswered,
  needsEditor,
}: ProfileRun): boolean => !isChanged && ((!isActive && !isAnswered) || needsEditor);

/** Returns the place of the first error that has a place; otherwise the first place of another finding. */
export function placeToFix(
  findings: readonly Pick<ProfileFinding, "severity">[],
  places: readonly (FindingPlace | undefined)[],
): FindingPlace | undefined {
  const placed = findings.flatMap(({ severity }, index) => {
    const place = places[index];
    return place === undefined ? [] : [{ severity, place }];
  });
  return (placed.find(({ severity }) => severity === "error") ?? placed[0])?.place;
}

/** Returns the label of a task that tasks.json does not contain, such as a copy. `at`: milliseconds since the epoch. */
export const labelAt = (name: string, at: number): string => `${name} ${timeOfDay(at, "seconds")}`;
