import type { Task } from "vscode";
import type { Clock } from "../../engine/ports/clock.ts";

// Long enough to answer the prompts of a profile.
const announcedMs = 120_000;

/**
 * The task that is about to start. VS Code identifies a task by the declared members of its definition, so a copy of a
 * profile has the identity of the profile: if VS Code resolves the profile before the copy starts, it starts the
 * execution of the profile. That execution then takes the copy from here.
 */
export class AnnouncedTask<Announced extends Pick<Task, "definition" | "scope">> {
  readonly #clock: Pick<Clock, "now">;
  #next: { readonly task: Announced; readonly until: number } | undefined;

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  /** Call it directly before executing the task. */
  announce(task: Announced): void {
    this.#next = { task, until: this.#clock.now() + announcedMs };
  }

  /** Withdraws the announcement, if executing the task failed. */
  forget(): void {
    this.#next = undefined;
  }

  /** The announced task, once, if VS Code cannot tell it from the task that starts; else that one. */
  take(starting: Announced): Announced {
    const next = this.#next;
    if (next === undefined || identityOf(next.task) !== identityOf(starting)) return starting;
    this.#next = undefined;
    return this.#clock.now() <= next.until ? next.task : starting;
  }
}

/** The members that VS Code compares; the label is not declared. */
function identityOf({ definition, scope }: Pick<Task, "definition" | "scope">): string {
  const members = Object.entries(definition).filter(([key]) => !["label", "_key"].includes(key));
  members.sort(([one], [other]) => (one < other ? -1 : 1));
  const place = typeof scope === "object" ? scope.uri.toString() : scope;
  return JSON.stringify([place, members]);
}
