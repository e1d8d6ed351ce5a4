import type { Task } from "vscode";
import type { Clock } from "../../engine/ports/clock.ts";

// In ms. Long enough to answer the prompts of a profile.
const announcedMs = 120_000;

export interface TaskStart<Started> {
  readonly task: Started;
  /** True if the user requested the start, so that it needs no confirmation. */
  readonly isRequested: boolean;
}

/**
 * The tasks that this extension is about to start; one instance per window.
 *
 * VS Code does not report who starts a task: the user, an opened folder, another task or another extension. VS Code
 * identifies a task by the declared members of its definition, so a copy of a profile has the profile's identity. If
 * VS Code resolves the profile before the copy starts, it starts the execution of the profile. That execution then
 * takes the copy from here. An announcement is valid for one start within `announcedMs`, because VS Code does not
 * report a start that is canceled at a prompt.
 */
export class AnnouncedStarts<Started extends Pick<Task, "definition" | "scope" | "name">> {
  readonly #clock: Pick<Clock, "now">;
  #waiting: readonly (TaskStart<Started> & { readonly until: number })[] = [];

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  /**
   * Announces a start. Call it directly before executing the task. Replaces an earlier announcement of a task with the
   * same name.
   */
  announce(task: Started, isRequested: boolean): void {
    const others = this.#waiting.filter((one) => one.task.name !== task.name);
    this.#waiting = [...others, { task, isRequested, until: this.#clock.now() + announcedMs }];
  }

  /** Withdraws the announcement. Call it if executing the task failed. */
  forget(task: Started): void {
    this.#waiting = this.#waiting.filter((one) => one.task !== task);
  }

  /**
   * Removes and returns the announced start whose task is the same as `starting` for VS Code. Prefers a task with the
   * same name. Without an announced start, returns an unrequested start of `starting`.
   */
  take(starting: Started): TaskStart<Started> {
    this.#waiting = this.#waiting.filter(({ until }) => this.#clock.now() <= until);
    const same = this.#waiting.filter(({ task }) => identityOf(task) === identityOf(starting));
    const next = same.find(({ task }) => task.name === starting.name) ?? same[0];
    if (next === undefined) return { task: starting, isRequested: false };
    this.forget(next.task);
    return next;
  }
}

/** Returns the scope and the members that VS Code compares, as text. The label is not compared: it is undeclared. */
function identityOf({ definition, scope }: Pick<Task, "definition" | "scope">): string {
  const members = Object.entries(definition).filter(([key]) => !["label", "_key"].includes(key));
  members.sort(([one], [other]) => (one < other ? -1 : 1));
  const place = typeof scope === "object" ? scope.uri.toString() : scope;
  return JSON.stringify([place, members]);
}
