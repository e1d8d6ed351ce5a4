import { translated } from "../ui/translated.ts";
import {
  commands as editorCommands,
  EventEmitter,
  l10n,
  tasks,
  ThemeColor,
  ThemeIcon,
  TreeItem,
  workspace,
  type Memento,
  type Task,
  type TaskExecution,
  type TreeDataProvider,
} from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import { commands, contextValues, profilesReadKey, profilesViewId, taskType } from "../ids.ts";
import { nameOfTask, type ProfileName } from "./profileName.ts";
import { findProfiles, folderOf } from "./profileTasks.ts";
import { rowTime, rowWords } from "./outcomeWords.ts";
import { outcomeOfExitCode, type RunOutcome } from "./runOutcome.ts";
import { isRecord } from "../../base/json.ts";
import { storedList } from "../stored.ts";
import { markdownOfText } from "../ui/markdown.ts";
import { window } from "../ui/window.ts";

/** The last run of a profile. */
type LastOutcome =
  | { readonly kind: "running"; readonly at: number }
  | {
      readonly kind: "ended";
      readonly at: number;
      readonly exitCode: number | undefined;
      /** Undefined in state of earlier versions, and if the run did not report it. */
      readonly outcome?: RunOutcome;
      /** Why it failed, for the row. */
      readonly cause?: string;
    };

type ReportedEnd = Pick<LastOutcome & { readonly kind: "ended" }, "outcome" | "cause">;

interface ProfileRow extends ProfileName {
  readonly application: string;
  readonly follows: boolean;
}

const memoryKey = "profiles.outcomes";

const isEnded = (value: unknown): value is [string, LastOutcome & { readonly kind: "ended" }] => {
  if (!Array.isArray(value)) return false;
  const [name, outcome] = value as readonly unknown[];
  return (
    typeof name === "string" &&
    isRecord(outcome) &&
    outcome["kind"] === "ended" &&
    typeof outcome["at"] === "number"
  );
};

/** The Run Profiles view: each profile with the outcome of its last run. */
export class ProfilesView implements TreeDataProvider<ProfileRow>, Disposable {
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new EventEmitter<undefined>());
  readonly onDidChangeTreeData = this.#changes.event;
  readonly #memory: Memento;
  readonly #now: () => number;
  /** Maps the label of a concurrent run's task to its profile. */
  readonly #copies = new Map<string, string>();
  readonly #reported = new Map<string, ReportedEnd>();
  /** The newest run of each profile: the end of an earlier one is not its outcome. */
  readonly #newest = new Map<string, TaskExecution>();
  #outcomes: ReadonlyMap<string, LastOutcome>;

  constructor(memory: Memento, now: () => number) {
    this.#memory = memory;
    this.#now = now;
    // Drops runs that were active when the window closed.
    this.#outcomes = new Map(storedList(memory, memoryKey).filter(isEnded));
    this.#owned.add(window.createTreeView(profilesViewId, { treeDataProvider: this }));
    this.#owned.add(
      workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration("tasks")) this.#changes.fire(undefined);
      }),
    );
    this.#owned.add(
      tasks.onDidStartTask(({ execution }) => {
        const { task } = execution;
        if (task.definition.type !== taskType) return;
        // A terminated task can report after its end.
        this.#reported.delete(task.name);
        this.#newest.set(this.#keyOf(task), execution);
        this.#note(task, { kind: "running", at: this.#now() });
      }),
    );
    this.#owned.add(
      tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
        const { task } = execution;
        if (task.definition.type !== taskType) return;
        const reported = this.#reported.get(task.name) ?? {};
        this.#reported.delete(task.name);
        const newest = this.#newest.get(this.#keyOf(task));
        if (newest !== undefined && newest !== execution) return;
        this.#note(task, { kind: "ended", at: this.#now(), exitCode, ...reported });
      }),
    );
  }

  /** Counts runs of the task `copy` as runs of the profile `name`. */
  startedAs(copy: string, name: string): void {
    this.#copies.set(copy, name);
  }

  /** Reports the outcome of a task's run, before the task ends. */
  endedAs(task: string, outcome: RunOutcome, cause?: string): void {
    this.#reported.set(task, { outcome, ...(cause !== undefined && { cause }) });
  }

  async getChildren(parent?: ProfileRow): Promise<ProfileRow[]> {
    if (parent !== undefined) return [];
    const found = await findProfiles();
    void editorCommands.executeCommand("setContext", profilesReadKey, true);
    return found.map((task) => ({
      ...nameOfTask(task, folderOf),
      application: String(task.definition["application"] ?? ""),
      follows: task.definition["follow"] !== "none",
    }));
  }

  getTreeItem(row: ProfileRow): TreeItem {
    const outcome = this.#outcomes.get(keyOf(row.name, row.folder?.toString()));
    const item = new TreeItem(row.name);
    item.contextValue = contextValues.profile;
    // For Enter and a click.
    item.command = {
      command: commands.editProfile,
      title: l10n.t("Edit Profile"),
      arguments: [row],
    };
    const state = outcome === undefined ? l10n.t("not run yet") : stateWords(outcome, row);
    item.description =
      outcome === undefined ? state : l10n.t("{0} · {1}", state, rowTime(outcome.at, this.#now()));
    item.iconPath = iconOf(outcome, row.follows);
    item.tooltip = markdownOfText(`${row.name}: ${item.description}\n${row.application}`);
    // Screen readers do not read the icon, so name the failure.
    const spoken =
      outcome?.kind === "ended" && resultOf(outcome, row.follows) === "failed"
        ? l10n.t("failed, {0}", item.description)
        : item.description;
    item.accessibilityInformation = { label: `${row.name}, ${spoken}` };
    return item;
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #keyOf(task: Task): string {
    const name = this.#copies.get(task.name) ?? task.name;
    return keyOf(name, folderOf(task.scope)?.toString());
  }

  #note(task: Task, outcome: LastOutcome): void {
    const key = this.#keyOf(task);
    const others = [...this.#outcomes].filter(([other]) => other !== key);
    this.#outcomes = new Map([...others.slice(1 - outcomesKept), [key, outcome]]);
    void this.#memory.update(memoryKey, [...this.#outcomes]);
    this.#changes.fire(undefined);
  }
}

// Bounds the stored state when profiles are renamed.
const outcomesKept = 200;

const keyOf = (name: string, folder: string | undefined): string => `${folder ?? ""} ${name}`;

const resultOf = (
  { exitCode, outcome }: LastOutcome & { readonly kind: "ended" },
  follows: boolean,
): RunOutcome => outcome ?? outcomeOfExitCode(exitCode, follows);

const stateWords = (last: LastOutcome, { follows }: ProfileRow): string =>
  last.kind === "running"
    ? l10n.t("running")
    : translated(rowWords(resultOf(last, follows), last.exitCode, last.cause));

function iconOf(last: LastOutcome | undefined, follows: boolean): ThemeIcon {
  if (last === undefined) return new ThemeIcon("circle-outline");
  if (last.kind === "running") {
    return new ThemeIcon("play-circle", new ThemeColor("charts.green"));
  }
  const outcome = resultOf(last, follows);
  switch (outcome) {
    case "submitted":
    case "succeeded":
      return new ThemeIcon("pass", new ThemeColor("charts.green"));
    case "stopped":
    case "notSubmitted":
      return new ThemeIcon("circle-slash");
    case "detached":
      return new ThemeIcon("debug-disconnect");
    case "failed":
      return new ThemeIcon("error", new ThemeColor("charts.red"));
    default:
      return assertNever(outcome);
  }
}
